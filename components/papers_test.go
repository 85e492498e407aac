package components

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/components/askpages"
	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/listquery"
	proof "github.com/figs-web/figs-web/internal/receipt"
)

// paper is a page on what was decided, in one of its states.
type paper struct {
	name    string
	offline bool
	body    func(t *testing.T, ctx context.Context, site ui.Site) (title string, body templ.Component)
}

// papers are the receipts and the lists of decisions.
func papers() []paper {
	receipt := func(s signed) paper {
		return paper{name: "receipt-" + s.name, body: func(t *testing.T, ctx context.Context, site ui.Site) (string, templ.Component) {
			p := askpages.ReceiptPage(ctx, site, askpages.Receipt{Receipt: s.receipt(t), At: "/w/acme/agents/1/receipts/9", AskAt: "/w/acme/agents/1/asks/2"})
			return p.Title, p.Body
		}}
	}
	list := func(name string, d askpages.Decisions) paper {
		return paper{name: "decisions-" + name, body: func(_ *testing.T, ctx context.Context, site ui.Site) (string, templ.Component) {
			site.Shell.Current = "decisions"
			p := askpages.DecisionsPage(ctx, site, d)
			return p.Title, p.Body
		}}
	}
	return []paper{
		receipt(signedApproval), receipt(signedAnswer),
		list("none", askpages.Decisions{}), list("all", askpages.Decisions{Page: listquery.Page[askpages.DecisionRow]{Items: decided(), Total: -1}}), list("part", askpages.Decisions{Page: listquery.Page[askpages.DecisionRow]{Items: decided()[:2], Total: -1, Prev: "1..", Next: "2.."}}),
		{name: "checked", offline: true, body: checkedBody},
	}
}

// signed is what a receipt is made from.
type signed struct {
	name, ask, event string
	files            []proof.SeenFile
	notes            proof.Notes
}

var signedApproval = signed{
	name: "approval", files: []proof.SeenFile{{Name: "acme-2026-10-v2.html", SHA256: sumB}, {Name: "brief.md", SHA256: sumA}, {Name: "late.csv"}},
	ask:   `{"id":"acme-send","ts":"2026-11-20T12:30:00Z","type":"sign-off","status":"open","title":"Send the October statement to Acme","found":"31 keys need the customer to respond.","need":"Approve sending the statement as attached.","details":[{"l":"Amount at risk","v":"$50,442.63"}],"onApprove":["Email the statement to ap@acme.example (irreversible)","Mark the 31 keys disputed"],"attachments":["acme-2026-10-v2.html","brief.md","late.csv"]}`,
	event: `{"id":"m9","kind":"verdict","ask":"acme-send","by":"Sarah Lind","ts":"2026-11-20T18:30:00Z","source":"app","verdict":"approved","text":"Looks right. Send it today."}`,
	notes: proof.Notes{Format: proof.Format, Server: "https://figs.example", Workspace: proof.NamedID{ID: "w", Name: "Acme"}, Agent: proof.NamedID{ID: "a", Name: "Reconciliation"}, Who: proof.Decider{ID: "u1", Name: "Sarah Lind", Email: "sarah@acme.example"}, Steps: []int{1}, Of: "m3",
		Files: []proof.ShownFile{
			{Name: "acme-2026-10-v2.html", Size: 1331, Sanitizer: "1", Removed: []proof.Removal{{What: "scripts", Count: 1}}, Opened: []proof.AttachmentView{{How: "rendered", At: proof.Time(pagetest.At("2026-11-20T18:20:00Z"))}, {How: "part-62", At: proof.Time(pagetest.At("2026-11-20T18:21:00Z"))}, {How: "screen", At: proof.Time(pagetest.At("2026-11-20T18:22:00Z"))}}},
			{Name: "brief.md", Size: 842, Sanitizer: "1", Waived: true, Reason: "Sarah wrote it herself.", Opened: []proof.AttachmentView{{How: "rendered", At: proof.Time(pagetest.At("2026-11-20T18:20:00Z"))}}},
		}},
}

var signedAnswer = signed{
	name:  "answer",
	ask:   `{"id":"laptop","ts":"2026-11-20T12:30:00Z","type":"question","status":"open","title":"Which laptop model?","need":"Pick one","options":["MacBook Air","ThinkPad X1"]}`,
	event: `{"id":"m8","kind":"answer","ask":"laptop","by":"Sarah Lind","ts":"2026-11-20T18:30:00Z","source":"app","chosen":"ThinkPad X1"}`,
}

// receipt is a receipt of a decision, signed with a key of the tests.
func (s signed) receipt(t *testing.T) *proof.Receipt {
	t.Helper()
	fold := figs.Fold([][]byte{[]byte(s.ask)})
	facts := proof.Facts{Server: "https://figs.example", Workspace: "w", Agent: "a", Fold: figs.AppendObject(nil, fold), Round: 2, Revision: "2.2.1." + proof.HashOf(fold),
		Files: s.files, Line: []byte(s.event), By: "u1", Made: pagetest.At("2026-11-20T18:29:50Z"), Effective: pagetest.At("2026-11-20T18:30:00Z"), Audit: strings.Repeat("4e", 32)}
	if s.notes.Server != "" {
		facts.Notes, _ = json.Marshal(s.notes)
	}
	r, err := proof.Build(facts)
	if err == nil {
		err = r.Sign(bytes.Repeat([]byte{3}, 32))
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// decided are decisions on every part of their way.
func decided() []askpages.DecisionRow {
	now := pagetest.At(pagetest.Now)
	of := func(title, verdict, chosen, text string, d journal.Delivery) askpages.DecisionRow {
		kind := "verdict"
		if verdict == "" {
			kind = "answer"
		}
		return askpages.DecisionRow{Who: "Sarah Lind", Event: figs.Message{Kind: kind, Verdict: verdict, Chosen: chosen, Text: text}, Made: d.Recorded, Title: title, Agent: "Reconciliation", AskAt: "/w/acme/agents/1/asks/2", Receipt: "/w/acme/agents/1/receipts/9", Delivery: d}
	}
	return []askpages.DecisionRow{
		of("Which laptop model?", "", "ThinkPad X1", "With the docking station, please.", journal.Delivery{Recorded: now - 20*ui.Second}),
		of("Send the October statement to Acme", "approved", "", "", journal.Delivery{Recorded: now - 2*ui.Hour, PickedUp: now - ui.Hour}),
		of("Send the October statement to Acme", "changes-requested", "", "Add the delivery numbers to the table.", journal.Delivery{Recorded: now - 30*ui.Hour, PickedUp: now - 29*ui.Hour, Confirmed: now - 28*ui.Hour}),
		of("Release payment run W45", "rejected", "", "Supplier 3 is not vetted.", journal.Delivery{Recorded: now - 3*ui.Day}),
		of("Mailbox credentials expired", "", "", "Renewed.", journal.Delivery{Recorded: now - 4*ui.Day, PickedUp: now - 4*ui.Day, Confirmed: now - 4*ui.Day, Closed: now - 3*ui.Day}),
	}
}

// checkedBody is what the inspector says of four receipts: of a key that was accepted, of another, refused, and no receipt at all.
func checkedBody(t *testing.T, ctx context.Context, site ui.Site) (string, templ.Component) {
	t.Helper()
	good, broken := signedApproval.receipt(t), signedAnswer.receipt(t)
	broken.Decision.Message = strings.Replace(broken.Decision.Message, "ThinkPad X1", "MacBook Air", 1)
	_, err := proof.Read([]byte("{"))
	large := proof.Check(good, nil, nil)
	large.Large = true
	title, html, fault := askpages.RenderReceipts(ctx, site, []askpages.CheckedReceipt{
		{Name: "receipt.json", Report: proof.Check(good, nil, []proof.Key{proof.Key(good.Key)})},
		{Name: "kept/receipt.json", Report: large},
		{Name: "tampered.receipt.json", Report: proof.Check(broken, nil, nil)},
		{Name: "torn.receipt.json", Problem: proof.ProblemOf(err)},
	})
	if fault != nil {
		t.Fatal(fault)
	}
	return title, templ.Raw(string(html))
}

// document renders a paper as a page.
func (p paper) document(t *testing.T, ctx context.Context) string {
	t.Helper()
	site := acmeSite("")
	if p.offline {
		site = pagetest.Site()
	}
	title, body := p.body(t, ctx, site)
	var b bytes.Buffer
	if err := ui.Document(site, title).Render(templ.WithChildren(ctx, body), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPaperGolden holds every paper to its file; -update writes them anew.
func TestPaperGolden(t *testing.T) {
	for _, p := range papers() {
		_, main, _ := strings.Cut(strings.ReplaceAll(p.document(t, context.Background()), "><", ">\n<")+"\n", "<main")
		name := filepath.Join("testdata", "papers", p.name+".html")
		if *update {
			os.MkdirAll(filepath.Dir(name), 0o755)
			if err := os.WriteFile(name, []byte(main), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), main); diff != "" {
			t.Errorf("%s differs from %s (run with -update and look at the change):\n%s", p.name, name, diff)
		}
	}
}

// TestPaperSays names what a person must find on them; testdata/messages.golden holds its words.
func TestPaperSays(t *testing.T) {
	for _, test := range []struct{ paper, selector string }{
		{"receipt-approval", "h1"},
		{"receipt-approval", "ol.steps span.chip"},
		{"receipt-approval", "ul.plain-rows p.dots span"},
		{"receipt-approval", "ul.plain-rows p.small"},
		{"receipt-answer", "h1"},
		{"receipt-answer", "dl.pairs dd"},
		{"decisions-none", "h1"},
		{"decisions-all", "h1"},
		{"decisions-all", "p.clamp"},
		{"decisions-all", "span.chip"},
		{"decisions-part", "h1"},
		{"decisions-part", "nav.pager a"},
		{"checked", "h1"},
		{"checked", "h2"},
	} {
		t.Run(test.paper+" "+test.selector, func(t *testing.T) {
			i := slices.IndexFunc(papers(), func(p paper) bool { return p.name == test.paper })
			page := pagetest.Parse(t, papers()[i].document(t, context.Background()))
			messages.Check(t, test.paper+" "+test.selector, pagetest.Lines(pagetest.All(page, test.selector)...))
		})
	}
}

// paperPaths are names of files for every paper.
func paperPaths() (paths []string) {
	for _, p := range papers() {
		paths = append(paths, "/paper/"+p.name)
	}
	return paths
}

// TestPapersAreSound holds them to what keyboards, readers and the policy need, and to being translated.
func TestPapersAreSound(t *testing.T) {
	for _, p := range papers() {
		page := p.document(t, context.Background())
		root := parseDocument(t, page)
		for _, script := range pagetest.All(root, "script") {
			script.Parent.RemoveChild(script)
		}
		checkSound(t, p.name, root)
		_, main, _ := strings.Cut(p.document(t, translated()), `tabindex="-1">`)
		checkSaid(t, p.name, main)
	}
}
