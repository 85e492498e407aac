package handlers

import (
	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/workspacepages"
	"github.com/figs-web/figs-web/handlers/hosted"
)

// sendChart sends the agents that the chart's filter leaves as a file.
func (h app) sendChart(c echo.Context) error {
	ctx := c.Request().Context()
	q, _ := workspacepages.ParseChart(c.Request().URL.RawQuery)
	q.Whole = true
	chart, err := h.Journal(c).Chart(ctx, q)
	if err != nil {
		return err
	}
	return hosted.SendRows(c, workspacepages.AgentTable(ctx, ui.Site{}), chart.Items)
}
