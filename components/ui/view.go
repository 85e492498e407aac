package ui

import (
	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
)

// View is a page ready to be written: its title and its content.
type View struct {
	Status int
	Title  string
	Body   templ.Component
}

// The statuses of HTTP that pages answer with. The package that names them would weigh more in the reader than all pages.
const StatusOK, StatusNotFound, StatusUnseen, StatusFault = 200, 404, 422, 500

// PageTitle ends a title with the agent's name.
func PageTitle(title, agent string) string { return title + " · " + agenttext.Title(agent) }
