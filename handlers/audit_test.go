package handlers

import (
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/internal/store"
)

// The audit on the page names the ask of a decision and links it, and a decision that was sent is one row.
func TestAuditNamesAsks(t *testing.T) {
	c := newCouncil(t)
	ada := c.as(c.ada)
	bo := c.as(c.bo)
	c.decide(bo, "which", "chosen", "Daily").leads(t, askPages+"which")
	before := ada.get("/w/acme/settings/audit")
	c.wait(time.Minute)
	bo.get(askPages + "which")
	if len(c.replies("which")) != 1 {
		t.Fatal("the decision was not sent")
	}
	after := ada.get("/w/acme/settings/audit")
	for when, page := range map[string]answer{"before it is sent": before, "afterwards": after} {
		_, list, _ := strings.Cut(page.body, `id="audit"`)
		if n := strings.Count(list, `href="`+askPages+`which"`); n != 1 {
			t.Errorf("%s the ask is linked %d times, want 1", when, n)
		}
		if !strings.Contains(list, "Which rate?") {
			t.Errorf("%s: %s", when, list)
		}
		page.part(t, "#audit tbody th", "audit-decided")
	}
}

func TestDecidedSubject(t *testing.T) {
	for _, test := range []struct{ action, subject, ask, reply string }{
		{"decision.make", "agent which m1 hash 3 hash", "which", "m1"},
		{"decision.make", `agent an ask \"of\" mine m1 hash 3 hash`, `an ask "of" mine`, "m1"},
		{"decision.undo", "agent which m1", "which", "m1"},
		{"ask.reply", "agent  m1", "", "m1"},
		{"ask.reply", "agent", "", ""},
	} {
		if agent, ask, reply := hosted.DecidedSubject(store.AuditEntry{Action: test.action, Subject: test.subject}); agent != "agent" || ask != test.ask || reply != test.reply {
			t.Errorf("%s %q: %q, %q, %q", test.action, test.subject, agent, ask, reply)
		}
	}
}
