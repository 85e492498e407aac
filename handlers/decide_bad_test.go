package handlers

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/internal/store"
)

// Every reply that an ask cannot take gets a sentence, its words back, and changes nothing.
func TestBadReplies(t *testing.T) {
	long := strings.Repeat("é", 1<<19) // 1 MB
	for name, x := range map[string]struct {
		ask    string
		fields []string
		status int
		says   string
		kept   string // in the form
	}{
		"no such option":          {"which", []string{"chosen", "Yearly", "text", "mine"}, 422, "reply-no-such-option", "mine"},
		"an empty answer":         {"which", []string{"text", " \t\n"}, 422, "reply-empty", ""},
		"a verdict on a question": {"which", []string{"verdict", "approved", "text", "mine"}, 422, "reply-verdict-on-question", "mine"},
		"an answer to a sign-off": {"plain", []string{"verdict", "answer", "text", "mine"}, 422, "reply-answer-to-sign-off", "mine"},
		"no verdict of ours":      {"plain", []string{"verdict", "maybe", "text", "mine"}, 422, "reply-no-verdict", "mine"},
		"a verdict in capitals":   {"plain", []string{"verdict", "APPROVED", "text", "mine"}, 422, "reply-no-verdict", "mine"},
		"a note of 1 MB":          {"which", []string{"text", long}, 422, "reply-too-long", long},
		"a byte too many":         {"which", []string{"text", strings.Repeat("x", 32<<10+1)}, 422, "reply-too-long", strings.Repeat("x", 32<<10+1)},
		"a turning mark":          {"which", []string{"text", "pay \u202e001"}, 422, "reply-turning-mark", ""},
		"a NUL":                   {"which", []string{"text", "a\x00b"}, 422, "reply-no-text", "a�b"},
		"zero width":              {"which", []string{"text", "a\u200bb"}, 422, "reply-zero-width", ""},
		"tags":                    {"which", []string{"text", "a\U000e0041"}, 422, "reply-tags", ""},
		"no UTF-8":                {"which", []string{"text", "a\xff\xfeb"}, 422, "reply-no-text", "a�b"},
		"an option of two lines":  {"which", []string{"chosen", "Daily\nMonthly"}, 422, "reply-no-such-option", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCouncil(t)
			got := c.decide(c.as(c.bo), x.ask, x.fields...)
			got.says(t, x.status, x.says)
			if x.kept != "" && got.typed() != x.kept {
				t.Errorf("the form holds %.80q, want %.80q", got.typed(), x.kept)
			}
			c.nothing(x.ask)
			if got.form() == nil {
				t.Error("the page has no form to mend it in")
			}
		})
	}
}

// What is no form of the page, or more than one may hold, is said on the page.
func TestBrokenForms(t *testing.T) {
	c := newCouncil(t)
	bo, at := c.as(c.bo), askPages+"which/decide"
	bo.post(at, "text", strings.Repeat("é", 1<<20)).says(t, 413, "reply-form-too-large")
	bo.send("POST", at, "text=%zz").says(t, 400, "reply-form-broken")
	bo.post(at, "text", "no key").says(t, 422, "reply-no-key")
	bo.post(at, "key", "k", "text", "no revision").says(t, 409)
	bo.post(at, "key", "k", "revision", "1.1.0.x", "text", "no revision either").says(t, 409)
	bo.headers = map[string]string{"Content-Type": "application/json"}
	bo.send("POST", at, `{"text":"json"}`).says(t, 415)
	c.nothing("which")
}

// An ask that was closed, withdrawn, declined or changed while somebody wrote: the words are kept.
func TestMeanwhile(t *testing.T) {
	for name, x := range map[string]struct{ line, says string }{
		"closed":        {`"status":"resolved","resolution":{"note":"found it","ts":"2026-11-20T18:00:01Z"}`, "reply-ask-closed"},
		"withdrawn":     {`"status":"withdrawn","resolution":{"note":"not needed","ts":"2026-11-20T18:00:01Z"}`, "reply-ask-closed"},
		"rejected":      {`"status":"rejected","resolution":{"note":"no","ts":"2026-11-20T18:00:01Z"}`, "reply-ask-closed"},
		"other options": {`"type":"question","title":"Which rate?","options":["Weekly"],"status":"open"`, "reply-options-changed"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCouncil(t)
			bo := c.as(c.bo)
			form := c.form(bo, "which", "chosen", "Daily", "text", "my long thoughts")
			c.wait(time.Second)
			c.push(`"asks":[{"id":"which","ts":"2026-11-20T18:00:01Z",` + x.line + `}]`)
			got := bo.post(askPages+"which/decide", form...)
			got.says(t, 409, x.says)
			c.nothing("which")
			draft, err := c.store.Draft(context.Background(), c.bo.ID, ofCouncil, "which")
			if err != nil || draft.Text != "my long thoughts" {
				t.Errorf("the draft is %+v, %v", draft, err)
			}
			if got.form() != nil && got.typed() != "my long thoughts" {
				t.Errorf("the form holds %q", got.typed())
			}
		})
	}
}

// A page that is not the newest any more shows the difference, and its form sends the new one.
func TestStale(t *testing.T) {
	c := newCouncil(t)
	bo := c.as(c.bo)
	c.open(bo, "report.html")
	c.open(bo, "rows.csv")
	form := c.form(bo, "send", "verdict", "approved", "step", "1", "text", "Fine.")
	c.wait(time.Second)
	c.push(`"asks":[{"id":"send","ts":"2026-11-20T18:00:01Z","type":"sign-off","title":"Send the report?","attachments":["report.html","rows.csv"],"onApprove":["Send it to everybody (irreversible)"],"status":"open"}]`)
	got := bo.post(askPages+"send/decide", form...)
	got.says(t, 409, "reply-stale")
	if got.typed() != "Fine." {
		t.Errorf("the form holds %q", got.typed())
	}
	c.nothing("send")
	// The form of that page is about the new version, and its ticks are gone.
	var again []string
	for name, values := range got.form() {
		for _, v := range values {
			again = append(again, name, v)
		}
	}
	if strings.Contains(got.body, `name="step" value="1" checked`) {
		t.Error("a tick that was given to other words stands")
	}
	bo.post(askPages+"send/decide", append(again, "verdict", "approved")...).says(t, 422, "reply-tick-missing")
	bo.post(askPages+"send/decide", append(again, "verdict", "approved", "step", "1")...).leads(t, askPages+"send")
}

// Who may not reply is told who may, and sees no form.
func TestWhoMay(t *testing.T) {
	c := newCouncil(t)
	eve := c.person("eve")
	c.workspace("other", eve)
	form := c.form(c.as(c.bo), "which", "chosen", "Daily")
	for _, x := range []struct {
		who    store.User
		status int
		says   string
	}{{c.vi, 403, "reply-viewer"}, {c.cy, 403, "reply-not-yours"}, {eve, 404, "reply-stranger"}} {
		b := c.as(x.who)
		for _, route := range []string{"decide", "draft", "remark"} {
			b.post(askPages+"which/"+route, form...).says(t, x.status, x.says)
		}
		b.post(askPages+"which/claim", "for", "on").says(t, x.status)
		b.post(askPages+"which/snooze", "until", "1h").says(t, x.status)
		c.nothing("which")
		if x.status == 403 {
			page := b.get(askPages + "which")
			page.says(t, 200, x.says).shows(t, "Bo").lacks(t, "form#decide")
			if page.form() != nil {
				t.Errorf("%s has a form", x.who.Name)
			}
		}
	}
	nobody := c.browser()
	nobody.post(askPages+"which/decide", "text", "long </textarea> thoughts", "chosen", "Daily").says(t, 401, "reply-signed-out").shows(t, "Daily long &lt;/textarea&gt; thoughts")
	nobody.post(askPages+"which/decide", "key", "k").leads(t, "/sign-in?next="+strings.ReplaceAll(askPages+"which", "/", "%2F"))
	c.nothing("which")
	// The agent of the address is another workspace's.
	other := strings.Replace(askPages, "/w/acme/", "/w/other/", 1)
	c.as(eve).post(other+"which/decide", form...).says(t, 404)
	c.as(c.bo).post(askPages+"nothing/decide", form...).says(t, 404)
	c.nothing("which")
}

// Someone whose role changes, or who is removed, while their form is open is told so, and what they typed is on the page.
func TestRoleChangesMeanwhile(t *testing.T) {
	c := newCouncil(t)
	bo, ctx, act := c.as(c.bo), context.Background(), store.Act{At: c.at()}
	form := c.form(bo, "which", "chosen", "Daily", "text", "my long </textarea> thoughts")
	c.must(c.store.SetMember(ctx, act, c.acme.ID, c.bo.ID, store.Viewer))
	got := bo.post(askPages+"which/decide", form...)
	if got.says(t, 403, "reply-made-viewer").shows(t, "my long &lt;/textarea&gt; thoughts"); len(pagetest.All(pagetest.Parse(t, got.body), ".deciding-fault"))+len(pagetest.All(pagetest.Parse(t, got.body), ".deciding-why")) != 1 {
		t.Error("the page says more than once, or not at all, why nothing was recorded")
	}
	c.must(c.store.RemoveMember(ctx, act, c.acme.ID, c.bo.ID))
	bo.post(askPages+"which/decide", form...).says(t, 404).shows(t, "my long &lt;/textarea&gt; thoughts")
	c.nothing("which")
}

// The one in whose name an agent has reported a reply may confirm or contradict it, whoever answers for the agent. To
// contradict takes no words of their own.
func TestReportedMayBeConfirmed(t *testing.T) {
	for typed, says := range map[string]string{"I never said so.": "I never said so.", " ": reply.ContradictionText} {
		contradicted(t, typed, says)
	}
}

func contradicted(t *testing.T, typed, says string) {
	t.Helper()
	c := newCouncil(t)
	c.push(`"messages":[{"id":"m1","kind":"verdict","ask":"plain","by":"Cy","ts":"2026-11-20T17:00:00Z","verdict":"approved","source":"chat"}]`)
	c.as(c.vi).get(askPages+"plain").says(t, 200)
	page := c.as(c.cy).get(askPages + "plain")
	page.says(t, 200).part(t, ".reported-note", "reply-reported").part(t, "label[for=reply-text]", "reply-contradict-help")
	if page.form() == nil {
		t.Fatalf("Cy has no form: %s", page.words())
	}
	c.decide(c.as(c.cy), "plain", "verdict", "rejected", "text", typed).leads(t, askPages+"plain")
	c.wait(time.Minute)
	c.as(c.bo).get(askPages+"plain").says(t, 200).shows(t, says)
	rec, err := c.store.Record(context.Background(), ofCouncil, 1, "plain")
	c.must(err)
	if rec.State.Reported || !slices.ContainsFunc(rec.Thread, func(m store.Message) bool { return m.Verified && m.PushedBy == c.cy.ID }) {
		t.Errorf("the ask stands %+v", rec.State)
	}
}

// A name that hides something is the person's to mend, and the page says where.
func TestHiddenName(t *testing.T) {
	c := newCouncil(t)
	c.must(c.store.SetUserName(context.Background(), store.Act{}, c.bo.ID, "Bo\u202e"))
	c.decide(c.as(c.bo), "which", "chosen", "Daily").says(t, 422, "reply-hidden-name")
	c.nothing("which")
}

// TestMisspelledType holds that an ask whose type is misspelled or unknown, with steps to approve, has no form, and that whatever is
// sent to it by hand is refused.
func TestMisspelledType(t *testing.T) {
	c := newCouncil(t)
	bo := c.as(c.bo)
	c.push(`"asks":[
		{"id":"typo","ts":"2026-11-20T10:00:00Z","type":"signoff","title":"Send 12 emails","to":"manager","onApprove":["Send 12 emails (irreversible)"],"status":"open"},
		{"id":"odd","ts":"2026-11-20T10:00:00Z","type":"release","title":"Release it","to":"manager","onApprove":["Release"],"status":"open"}]`)
	for _, ask := range []string{"typo", "odd"} {
		page := bo.get(askPages + ask)
		page.says(t, 200, "reply-type-"+ask)
		if page.form() != nil {
			t.Errorf("%s has a form", ask)
		}
		for _, verdict := range []string{"answer", "approved", "changes-requested"} {
			bo.post(askPages+ask+"/decide", "key", "k-"+ask+verdict, "revision", "1.1.0.x", "verdict", verdict, "text", "yes").says(t, 409, "reply-type-"+ask+"-refused")
		}
		c.nothing(ask)
	}
}
