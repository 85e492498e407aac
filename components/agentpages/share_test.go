package agentpages

import (
	"context"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/redact"
	"github.com/figs-web/figs-web/internal/share"
)

// TestSharedFormShowsOriginals shows what is replaced, as text whatever it is.
func TestSharedFormShowsOriginals(t *testing.T) {
	s := share.New("")
	s.Scan("runs.jsonl", []byte(`{"id":"r","ts":"2026-11-01T10:00:00Z","title":"key AKIAIOSFODNN7EXAMPLE","result":"<b>anna@example.com</b>"}`+"\n"))
	s.Scan("messages.jsonl", []byte(`{"id":"m","kind":"answer","ask":"a","ts":"2026-11-01T10:00:00Z","by":"<i>Anna</i> Berger","text":"x"}`+"\n"))
	s.Attachment("<img src=x>.pdf", 3, nil)
	s.Prepare()
	c := share.ParseOptions(nil)
	s.Choose(c)
	s.Write(nil, "runs.jsonl", 1, []byte(`{"id":"r","ts":"2026-11-01T10:00:00Z","title":"key AKIAIOSFODNN7EXAMPLE","result":"<b>anna@example.com</b>"}`+"\n"))
	found := s.Preview(c)
	found.Remaining = append(found.Remaining, share.Remaining{Rule: &redact.Rules[0], Text: "<b>still here", File: "plan.md"})
	html, err := RenderShared(context.Background(), ui.Site{Links: ui.Fragment{}, Offline: true}, "1", "", found)
	if err != nil {
		t.Fatal(err)
	}
	page := string(html)
	for _, want := range []string{"AKIAIOSFODNN7EXAMPLE", "[aws-key-1]", "[email-1]", `name="keep" value="1"`, `name="leave" value="email"`, `name="names"`, `name="with" value="1"`, `value="zip"`, `name="seen" value="`, "#/1/lines/runs.jsonl", `class="share-stale"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	for _, not := range []string{"<img", "<b>anna", "<b>still", "<i>Anna", "style="} {
		if strings.Contains(page, not) {
			t.Errorf("the page holds %q as markup", not)
		}
	}
}

// TestRulesAreSaid shows each rule's words in a page in German, too.
func TestRulesAreSaid(t *testing.T) {
	ctx := i18n.WithLanguage(context.Background(), "de")
	for i := range redact.Rules {
		r := &redact.Rules[i]
		if r.Title != "JSON Web Token" && r.Title != "IBAN" && i18n.Say(ctx, r.Title) == r.Title || i18n.Say(ctx, r.How) == r.How {
			t.Errorf("%s has no German words: %q, %q", r.ID, r.Title, r.How)
		}
	}
}
