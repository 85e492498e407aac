package pushapi

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/auth"
)

// judged is what becomes of a push that is only tried. Clients read both of the first fields,
// whatever they hold.
type judged struct {
	OK       bool    `json:"ok"`
	Issues   []issue `json:"issues"`
	Warnings []issue `json:"warnings,omitempty"`
}

// mostIssues is how many issues an answer lists.
const mostIssues = 200

// validatePush tells what a push would be refused for, and stores nothing.
func (w *Wire) validatePush(c echo.Context) error {
	b, err := w.read(c)
	if err != nil {
		return err
	}
	defer b.Close()
	ctx := c.Request().Context()
	done, _, err := w.admission.enter(ctx, b.size)
	if err != nil {
		return err
	}
	defer done()
	text, err := b.Bytes()
	if err != nil {
		return err
	}
	push, err := figs.OpenPush(text)
	var odd *figs.PushError
	if errors.As(err, &odd) {
		return c.JSON(http.StatusOK, judged{Issues: []issue{{Message: odd.Sentence, Code: "push_unreadable"}}})
	}
	if err != nil {
		return err
	}
	if err := w.admit(ctx, auth.Of(c), push.Workspace); err != nil {
		return err
	}
	if err := outsized(push); err != nil {
		return err
	}
	x := w.examine(push)()
	x.tooDeep(push)
	return c.JSON(http.StatusOK, judged{len(x.errors) == 0, listed(x.errors), listed(x.warnings)})
}

// listed are the first issues of a list that is never null.
func listed(list []issue) []issue {
	if list == nil {
		return []issue{}
	}
	return list[:min(len(list), mostIssues)]
}
