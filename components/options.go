package components

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/internal/journal"
)

// agentOptions are the agents to choose from. There may be hundreds on every page of an inbox, so
// that they are written in one piece.
func agentOptions(agents []journal.Agent, chosen string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		b.Grow(80 * len(agents))
		for i := range agents {
			b.WriteString(`<option value="`)
			b.WriteString(templ.EscapeString(agents[i].Key))
			if agents[i].Key == chosen {
				b.WriteString(`" selected>`)
			} else {
				b.WriteString(`">`)
			}
			b.WriteString(templ.EscapeString(plain(agents[i].DisplayName())))
			b.WriteString("</option>")
		}
		_, err := io.WriteString(w, b.String())
		return err
	})
}
