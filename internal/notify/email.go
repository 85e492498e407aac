package notify

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/figs-web/figs-web/components/emails"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/internal/mail"
	"github.com/figs-web/figs-web/internal/store"
)

// errNoMail is not final: an operator may configure a mail server.
var errNoMail = fmt.Errorf("this server has no mail server configured")

// byEmail sends one email about all notifications of a part, in the recipient's language.
func (w *Worker) byEmail(ctx context.Context, part []store.DueNotification) (string, error) {
	if w.Mail == nil {
		return "", errNoMail
	}
	ctx = i18n.WithLanguage(ctx, part[0].Language)
	m := mail.Message{To: part[0].To.Target, ID: "news-" + cmp.Or(part[0].Batch, part[0].ID), Unsubscribe: w.Public.JoinPath("settings", "notifications").String()}
	subject, content := w.single(ctx, &part[0])
	if len(part) > 1 {
		subject, content = w.digest(ctx, part)
	}
	if content.Workspace == "" {
		content.Workspace = "figs-web"
	}
	content.Footer = i18n.Say(ctx, "Opening a link in this email decides nothing.")
	content.Settings = m.Unsubscribe
	var err error
	if m.Text, m.HTML, err = content.Render(ctx); err != nil {
		return "", err
	}
	m.Subject = subject
	return "accepted by the mail server", w.Mail.Send(ctx, m)
}

// single is an email about one notification.
func (w *Worker) single(ctx context.Context, d *store.DueNotification) (subject string, content emails.Message) {
	n := w.note(ctx, d)
	content = emails.Message{Workspace: n.Workspace, Headline: n.Headline, Quote: n.Quote, Button: n.Button, Link: n.Link}
	if n.Text != "" {
		content.Text = []string{n.Text}
	}
	return n.Subject(), content
}

// maxEmailItems is how many notifications an email lists.
const maxEmailItems = 50

// digest is an email about several notifications. If all are from one workspace, its button leads to the inbox there.
func (w *Worker) digest(ctx context.Context, part []store.DueNotification) (subject string, content emails.Message) {
	elsewhere := func(d store.DueNotification) bool { return d.Workspace != part[0].Workspace }
	several := slices.ContainsFunc(part, elsewhere)
	group := w.groupNote(ctx, part)
	content.Headline = group.Headline
	part = mostUrgent(part)
	if len(part) > maxEmailItems {
		part = part[:maxEmailItems]
		content.Text = []string{i18n.Say(ctx, "The first %d are listed here.", maxEmailItems)}
	}
	for i := range part {
		n := w.note(ctx, &part[i])
		item := emails.Item{Headline: n.Headline, Quote: n.Quote, Link: n.Link}
		if several {
			item.Headline = n.Title()
		}
		content.Items = append(content.Items, item)
	}
	if several || part[0].Slug == "" {
		content.Button, content.Link = i18n.Say(ctx, "Open figs-web"), w.Public.String()
		return content.Headline + " · figs-web", content
	}
	content.Workspace, content.Button, content.Link = group.Workspace, group.Button, group.Link
	return group.Subject(), content
}
