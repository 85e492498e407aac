package notify

import (
	"context"
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/internal/mail"
	"github.com/figs-web/figs-web/internal/store"
)

// errNoMail is not final: an operator may name a mail server.
var errNoMail = fmt.Errorf("this server has no mail server now")

// byEmail sends one letter of all that a part holds.
func (w *Worker) byEmail(ctx context.Context, part []store.DueNotification) (string, error) {
	if w.Mail == nil {
		return "", errNoMail
	}
	l := mail.Message{To: part[0].To.Target, ID: "news-" + part[0].ID}
	first := w.note(&part[0])
	l.Subject = first.Title
	if len(part) > 1 {
		l.Subject = fmt.Sprintf("%d things wait for you", len(part))
	}
	var b strings.Builder
	for i := range part {
		n := w.note(&part[i])
		b.WriteString(n.Title + ".\n")
		if n.Text != "" {
			b.WriteString("  " + n.Text + "\n")
		}
		b.WriteString("  " + n.Link + "\n\n")
	}
	settings := w.Public.JoinPath("settings", "notifications").String()
	b.WriteString("The links only lead to pages: nothing is decided by opening one.\nWhat is sent to you, you set here: " + settings + "\n")
	l.Text, l.Unsubscribe = b.String(), settings
	return "taken by the mail server", w.Mail.Send(ctx, l)
}
