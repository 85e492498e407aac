package notify

import (
	"context"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/components/emails"
	"github.com/figs-web/figs-web/components/i18n"
	catalogue "github.com/figs-web/figs-web/components/words"
	"github.com/figs-web/figs-web/internal/store"
)

// TestGermanEmails renders every email in German and finds none of its sentences in English.
func TestGermanEmails(t *testing.T) {
	german, used := catalogue.For("de").Translations(), map[string]bool{}
	ctx := i18n.WithWords(i18n.WithLanguage(context.Background(), "de"), func(english string) (string, bool) {
		used[english] = true
		return german[english], german[english] != ""
	})
	check := func(what, email string) {
		t.Helper()
		email = strings.ReplaceAll(html.UnescapeString(email), "/settings/notifications", "")
		for english := range used {
			for part := range strings.SplitSeq(strings.ReplaceAll(english, "%d", "%s"), "%s") {
				if part = strings.TrimSpace(part); len(part) > 3 && strings.Contains(email, part) && !strings.Contains(german[english], part) {
					t.Errorf("%s says %q in English:\n%s", what, part, email)
				}
			}
		}
		clear(used)
	}
	send := func(what string, part ...store.DueNotification) {
		t.Helper()
		k := &mailbox{}
		w := &Worker{Mail: k, Public: &url.URL{Scheme: "https", Host: "figs.example"}}
		if _, err := w.byEmail(ctx, part); err != nil {
			t.Fatal(err)
		}
		m := k.all[0]
		check(what, m.Subject+"\n"+m.Text+"\n"+m.HTML)
	}
	var all []store.DueNotification
	for _, event := range []store.NotificationEvent{store.EventAsk, store.EventStillOpen, store.EventRaisedAgain, store.EventNotPickedUp, store.EventNoAddressee, store.EventReportedReply, store.EventPolicy, store.EventTest, "other"} {
		for _, kind := range []string{"sign-off", "question", ""} {
			for _, name := range []string{"", store.IrreversiblePrefix, "vacant builder a"} {
				d := store.DueNotification{Slug: "acme", WorkspaceName: "ACME", Language: "de", AskType: kind}
				d.ID, d.Event, d.Workspace, d.Name = "n1", event, "w", name
				send(string(event)+" without text", d)
				d.IncludeText, d.AgentName, d.Title = true, "A7", "T?"
				send(string(event), d)
				all = append(all, d)
			}
		}
	}
	send("a digest", all...)
	all[0].Workspace = "other"
	send("a digest of two workspaces", all...)
	for _, by := range []string{"", "Ada"} {
		for _, days := range []int{1, 7} {
			subject, m := emails.Invite{Link: "https://figs.example/i", Host: "figs.example", Workspace: "ACME", By: by, Role: "Mitglied", Days: days}.Message(ctx)
			text, page, err := m.Render(ctx)
			if err != nil {
				t.Fatal(err)
			}
			check("an invite", subject+"\n"+text+"\n"+page)
		}
	}
	for _, d := range all {
		d.Steps, d.Waits = []string{"send", "pay (irreversible)"}, -3*hour
		m := (&Worker{Public: &url.URL{Scheme: "https", Host: "figs.example"}, Now: func() time.Time { return time.UnixMicro(0) }}).chatMessage(ctx, &d)
		check("a message to chat", fmt.Sprint(m.Headline, "\n", m.Title, "\n", m.Facts, "\n", m.Button))
	}
	subject, m := emails.Confirm(ctx, "figs.example", "https://figs.example/c")
	text, page, err := m.Render(ctx)
	if err != nil {
		t.Fatal(err)
	}
	check("a confirmation", subject+"\n"+text+"\n"+page)
}
