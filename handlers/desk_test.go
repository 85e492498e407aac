package handlers

import (
	"context"
	"errors"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// council is a club with one workspace, in which an agent of Bo's asks: Ada owns it, Bo manages
// the agent, Cy is a member who answers for nothing, Vi may only look.
type council struct {
	*club
	acme            store.Workspace
	ada, bo, cy, vi store.User
	hash            map[string]string // of attachments
}

const ofCouncil = "0d4f2a3c-1111-4222-8333-000000000009"

func newCouncil(t *testing.T) *council {
	t.Helper()
	c := &council{club: newClub(t), hash: map[string]string{}}
	c.ada, c.bo, c.cy, c.vi = c.person("ada"), c.person("bo"), c.person("cy"), c.person("vi")
	c.acme = c.workspace("acme", c.ada)
	c.member(c.acme, c.bo, store.Member)
	c.member(c.acme, c.cy, store.Member)
	c.member(c.acme, c.vi, store.Viewer)
	c.push(`"asks":[
		{"id":"which","ts":"2026-11-20T10:00:00Z","type":"question","title":"Which rate?","to":"manager","options":["Daily","Monthly"],"status":"open"},
		{"id":"send","ts":"2026-11-20T10:00:00Z","type":"sign-off","title":"Send the report?","to":"manager","attachments":["report.html","rows.csv"],"onApprove":["Send it (irreversible)","File it"],"status":"open"},
		{"id":"plain","ts":"2026-11-20T10:00:00Z","type":"sign-off","title":"Carry on?","to":"manager","status":"open"}]`)
	c.must(c.store.Assign(context.Background(), store.Act{By: c.ada.ID, At: c.at()}, ofCouncil, c.bo.ID, ""))
	c.attach("report.html", "<h1>October</h1>\n<p>All is well</p>\n<script>x()</script>\n")
	c.attach("rows.csv", "a,b\n1,2\n")
	return c
}

// push pushes fields of a body, at the present time.
func (c *council) push(fields string) {
	c.t.Helper()
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"Closer"},%s}`, c.acme.ID, ofCouncil, fields))
	c.must(err)
	_, err = c.store.Push(context.Background(), store.Push{Workspace: c.acme.ID, Act: store.Act{By: c.ada.ID, At: c.at()}, Body: body})
	c.must(err)
}

func (c *council) attach(name, content string) {
	c.t.Helper()
	ctx := context.Background()
	hash, size, err := c.h.Blobs.Put(ctx, strings.NewReader(content), 1<<20)
	c.must(err)
	_, err = c.store.Attach(ctx, store.Act{By: c.ada.ID, At: c.at()}, store.Attachment{Agent: ofCouncil, Name: name, SHA256: hash, Size: size, Uploaded: c.at()}, content)
	c.must(err)
	c.hash[name] = hash
}

func (c *council) wait(d time.Duration) { c.now = c.now.Add(d) }

const askPages = "/w/acme/agents/" + ofCouncil + "/asks/"

// form is the form of an ask's page as a person's browser would send it, with fields put in the
// place of its own. It fails where the page has none.
func (c *council) form(b *browser, ask string, fields ...string) []string {
	c.t.Helper()
	page := b.get(askPages + ask)
	form := page.form()
	if form == nil {
		c.t.Fatalf("the page of %s has no form: %s", ask, page.words())
	}
	for i := 0; i+1 < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	var list []string
	for name, values := range form {
		for _, value := range values {
			list = append(list, name, value)
		}
	}
	return list
}

var (
	wholeForm    = regexp.MustCompile(`(?s)<form id="decide".*?</form>`)
	hiddenInput  = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`)
	remarkField  = regexp.MustCompile(`(?s)<input type="hidden" form="decide" name="(remark)" value="([^"]*)"|<textarea[^>]* name="(remark-text|remark-suggestion)"[^>]*>(.*?)</textarea>`)
	textOfForm   = regexp.MustCompile(`(?s)<textarea id="reply-text"[^>]*>(.*?)</textarea>`)
	undoOfBanner = regexp.MustCompile(`(?s)<form[^>]*data-undo.*?</form>`)
)

// form are the hidden fields of the page's form, and those of its remarks; nil when it has none.
func (a answer) form() url.Values {
	whole := wholeForm.FindString(a.body)
	if whole == "" {
		return nil
	}
	form := url.Values{}
	for _, m := range hiddenInput.FindAllStringSubmatch(whole, -1) {
		form.Add(html.UnescapeString(m[1]), html.UnescapeString(m[2]))
	}
	for _, m := range remarkField.FindAllStringSubmatch(a.body, -1) {
		form.Add(m[1]+m[3], html.UnescapeString(m[2]+strings.TrimPrefix(m[4], "\n")))
	}
	return form
}

// typed is what stands in the note of the page's form.
func (a answer) typed() string {
	m := textOfForm.FindStringSubmatch(a.body)
	if m == nil {
		return ""
	}
	return strings.TrimPrefix(html.UnescapeString(m[1]), "\n")
}

// send posts the form of a page as a person, and returns the answer.
func (c *council) decide(b *browser, ask string, fields ...string) answer {
	c.t.Helper()
	return b.post(askPages+ask+"/decide", c.form(b, ask, fields...)...)
}

// open has a person view an attachment: their page frames it, and they read it to its end; or they download it.
func (c *council) open(b *browser, name string) {
	c.t.Helper()
	c.send(b, name)
	if strings.HasSuffix(name, ".csv") {
		return
	}
	c.wait(time.Second)
	if got := c.view(b, name); got.StatusCode != 204 {
		c.t.Fatalf("%s does not count as viewed: %d %s", name, got.StatusCode, got.words())
	}
}

// view reports that a person has read an attachment of the sign-off to its end, or a part of it.
func (c *council) view(b *browser, name string, more ...string) answer {
	c.t.Helper()
	revision := b.get(askPages + "send").form().Get("revision")
	return b.post(askPages+"send/viewed", append([]string{"revision", revision, "file", c.hash[name] + " " + name}, more...)...)
}

// send sends a person an attachment in its frame, or lets them download it.
func (c *council) send(b *browser, name string) {
	c.t.Helper()
	address := "/v/acme/" + c.hash[name] + ".html"
	if strings.HasSuffix(name, ".csv") {
		address = "/a/acme/" + c.hash[name] + "/" + name
	}
	if got := b.get(address); got.StatusCode != 200 {
		c.t.Fatalf("%s is not shown: %d", name, got.StatusCode)
	}
}

// pending is the decision on an ask that does not count yet; nil when there is none.
func (c *council) pending(ask string) *store.Decision {
	c.t.Helper()
	made, err := c.store.Pending(context.Background(), ofCouncil, ask)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	c.must(err)
	return &made
}

// replies are the events of an ask that count.
func (c *council) replies(ask string) (list []figs.Message) {
	c.t.Helper()
	rec, err := c.store.Record(context.Background(), ofCouncil, figs.Asks, ask)
	c.must(err)
	for i := range rec.Thread {
		list = append(list, figs.ReadMessage(figs.Fold([][]byte{rec.Thread[i].Line})))
	}
	return list
}

// nothing holds that a refusal left nothing behind but, perhaps, a draft.
func (c *council) nothing(ask string) {
	c.t.Helper()
	if made := c.pending(ask); made != nil {
		c.t.Errorf("%s has been decided: %s", ask, made.Line)
	}
}
