package notify

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/mail"
	"github.com/figs-web/figs-web/internal/store"
)

// mailbox is a mail.Sender that keeps emails.
type mailbox struct{ all []mail.Message }

func (k *mailbox) Send(_ context.Context, m mail.Message) error {
	k.all = append(k.all, m)
	return nil
}

// TestEmail checks subjects, in the recipient's language, and that names and titles don't get into links or markup.
func TestEmail(t *testing.T) {
	d := store.DueNotification{Slug: "acme", WorkspaceName: "Acme Finance", IncludeText: true, AgentName: "Payables", Title: "Send the October statement", AskType: "sign-off"}
	d.ID, d.Event, d.Workspace, d.To.Target = "n1", store.EventAsk, "w", "ada@example.org"
	long := d
	long.AgentName, long.Title, long.WorkspaceName = strings.Repeat("agent ", 100), strings.Repeat("title ", 100), strings.Repeat("space ", 100)
	german, claim, quiet := d, d, d
	german.Language = "de"
	claim.Event, claim.Language = store.EventReportedReply, "xx"
	quiet.IncludeText, quiet.AgentName, quiet.Title, quiet.AskType = false, "", "", ""
	rent, late, other := d, quiet, quiet
	rent.Ask, rent.Title, rent.AskType = "rent", "Pay the rent", "question"
	late.Ask, late.Event, other.Ask = "late", store.EventNotPickedUp, "other"
	open := d
	open.Event, open.AskType = store.EventStillOpen, "question"
	for _, test := range []struct {
		part    []store.DueNotification
		subject string
	}{
		{[]store.DueNotification{d}, "Payables needs your approval: Send the October statement · Acme Finance"},
		{[]store.DueNotification{open}, "Payables still needs your answer: Send the October statement · Acme Finance"},
		{[]store.DueNotification{german}, "Payables braucht Ihre Freigabe: Send the October statement · Acme Finance"},
		{[]store.DueNotification{claim}, "Confirm or contradict a reported reply: Send the October statement · Acme Finance"},
		{[]store.DueNotification{quiet}, "An agent needs you · Acme Finance"},
		{[]store.DueNotification{rent, d}, "2 asks need you: Send the October statement, Pay the rent · Acme Finance"},
		{[]store.DueNotification{late, quiet}, "2 notifications · Acme Finance"},
		{[]store.DueNotification{quiet, other}, "2 asks need you · Acme Finance"},
	} {
		k := &mailbox{}
		w := &Worker{Mail: k, Public: &url.URL{Scheme: "https", Host: "figs.example"}}
		if _, err := w.byEmail(context.Background(), test.part); err != nil {
			t.Fatal(err)
		}
		m := k.all[0]
		if m.Subject != test.subject || !strings.Contains(m.HTML, "https://figs.example/w/acme/news/n1") || !strings.Contains(m.Text, "https://figs.example/w/acme/news/n1\n") || m.Unsubscribe == "" {
			t.Errorf("subject %q, want %q\n%s\n%s", m.Subject, test.subject, m.Text, m.HTML)
		}
	}
	n := (&Worker{Public: &url.URL{}}).note(context.Background(), &long)
	if s := n.Subject(); len([]rune(s)) > 200 || !strings.HasSuffix(s, "…") || !strings.Contains(s, "… · space") {
		t.Errorf("a long subject is %q", s)
	}
	if _, err := (&Worker{Public: &url.URL{}}).byEmail(context.Background(), []store.DueNotification{d}); !errors.Is(err, errNoMail) {
		t.Errorf("without a mail server: %v", err)
	}
}
