package handlers

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/store"
)

// openPage is a page that somebody has open, updated by rows as static/js/hosted/live.js does it.
type openPage struct {
	v       *village
	address string
	who     string
	seq     int64
	parts   map[string]string // by name: what has a name of its own, and what surrounds the page; "" of a row that a banner offers
	order   []string          // of rows
	fetched int               // rows
	whole   int               // fetches of all of it
}

// get fetches the page, or with rows those alone.
func (p *openPage) get(rows []string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, hostedAt+p.address, nil)
	r.Header.Set("Cookie", p.v.h.Auth.Cookie+"=session-"+p.who)
	if rows != nil {
		r.Header.Set(ui.RowsHeader, strings.Join(append([]string{}, rows...), " "))
		if len(rows) == 0 {
			r.Header.Set(ui.RowsHeader, "-")
		}
	}
	w := httptest.NewRecorder()
	p.v.routes.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		p.v.t.Fatalf("%s: status %d", p.address, w.Code)
	}
	return w
}

func attribute(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// take takes what a page or a part of one says, and reports whether it is a part.
func (p *openPage) take(page []byte) (isPart bool) {
	root, err := html.Parse(bytes.NewReader(page))
	p.v.ok(err)
	old := p.parts
	p.parts, p.order = map[string]string{}, nil
	var visit func(n *html.Node, inList bool)
	visit = func(n *html.Node, inList bool) {
		name, live := attribute(n, "data-live")
		part, frame := attribute(n, "data-part")
		if n.Data == "body" {
			_, isPart = attribute(n, "data-rows")
		}
		if frame {
			name = "part " + part
		}
		if live || frame {
			var b bytes.Buffer
			p.v.ok(html.Render(&b, n))
			p.parts[name] = b.String()
			if _, same := attribute(n, "data-same"); same {
				p.parts[name] = old[name]
			} else if inList {
				p.fetched++
			}
			if inList {
				p.order = append(p.order, name)
			}
			return
		}
		_, list := attribute(n, "data-live-list")
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			visit(c, inList || list)
		}
	}
	visit(root, false)
	return isPart
}

// update does what a stream's event has the page do.
func (p *openPage) update() {
	seq, rows, err := p.v.h.ChangedRows(context.Background(), p.v.acme.ID, p.seq)
	p.v.ok(err)
	if seq == p.seq {
		return
	}
	p.seq = seq
	if rows == nil {
		p.whole++
	}
	if isPart := p.take(p.get(rows).Body.Bytes()); isPart != (rows != nil) {
		p.v.t.Fatalf("%s of rows %q: a part is %v", p.address, rows, isPart)
	}
}

// Whatever has happened, a page that was updated by the rows of the agents that changed shows the same as one that is loaded now.
func TestRowsAreAsNew(t *testing.T) {
	const steps = 40
	for seed := range uint64(2) {
		v := newVillage(t, seed)
		var pages []*openPage
		for who, addresses := range map[string][]string{
			"owner":  {"", "?as=table", "?as=map", "/inbox", "/inbox?everybody=1&n=3", "/inbox?tab=waiting&everybody=1", "/inbox?tab=reported&everybody=1", "/inbox?tab=closed&everybody=1", "/inbox?tab=snoozed"},
			"member": {"", "/inbox", "/inbox?everybody=1&sort=cost"},
		} {
			for _, at := range addresses {
				p := &openPage{v: v, address: "/w/acme" + at, who: who}
				p.update() // from the first number on, anything has changed
				pages = append(pages, p)
			}
		}
		done, shown := map[string]int{}, 0
		for n := range steps {
			what := "push"
			switch kind := v.IntN(14); {
			case n < 5:
				what = v.change(0, n, villageAgents[n%3], v.askID())
			case kind < 10:
				what = v.change(kind, n, v.agent(), v.askID())
			default:
				what = v.teamwork(n)
			}
			done[strings.Fields(what)[0]]++
			for _, p := range pages {
				p.update()
				fresh := &openPage{v: v, address: p.address, who: p.who}
				fresh.take(p.get(nil).Body.Bytes())
				isSame := func(was, is string) bool { return was == is || was == "" }
				if !slices.Equal(p.order, fresh.order) || !maps.EqualFunc(p.parts, fresh.parts, isSame) {
					for name, is := range fresh.parts {
						if was := p.parts[name]; !isSame(was, is) {
							t.Errorf("%s is\n%s\nof a page that is loaded now\n%s", name, was, is)
						}
					}
					t.Fatalf("seed %d, step %d (%s): %s as %s has the rows %q, loaded now %q", seed, n, what, p.address, p.who, p.order, fresh.order)
				}
				shown += len(p.order)
			}
		}
		fetched, whole := 0, 0
		for _, p := range pages {
			fetched, whole = fetched+p.fetched, whole+p.whole
		}
		if whole*3 > len(pages)*steps || fetched*2 > shown {
			t.Errorf("seed %d: %d of %d updates fetched all of the page, and %d of %d rows were fetched", seed, whole, len(pages)*steps, fetched, shown)
		}
		v.ok(v.s.Close())
		t.Logf("seed %d: %v; %d of %d rows fetched", seed, done, fetched, shown)
	}
}

// teamwork does something with an ask that no agent learns of, or lets a decision take effect.
func (v *village) teamwork(n int) string {
	ctx, ref := context.Background(), store.AskRef{Agent: v.agent(), Ask: v.askID()}
	switch v.IntN(5) {
	case 4:
		v.ask(http.MethodPost, "/w/acme/agents/"+ref.Agent+"/erase?kind=ask&key="+ref.Ask, "owner", "why=gone")
		return "erase"
	case 0:
		v.s.HandOver(ctx, v.act("owner"), v.acme.ID, []store.AskRef{ref, {Agent: v.agent(), Ask: v.askID()}}, store.HandoverInput{To: v.people["member"].ID, Seen: store.AnyHandover})
		return "handover"
	case 1:
		v.s.AddAskNote(ctx, v.act("owner"), v.acme.ID, ref, fmt.Sprint("note ", n), []string{v.people["member"].ID})
		return "note"
	case 2:
		a, err := v.s.Agent(ctx, ref.Agent)
		if err == nil {
			v.s.MarkPickedUp(ctx, ref.Agent, a.MessagesSeq, v.now())
		}
		return "pickup"
	}
	v.s.Settle(ctx, v.now()+11_000_000)
	return "settle"
}

// TestRowsHeader asks pages for rows that they don't have, and with headers that nobody sends.
func TestRowsHeader(t *testing.T) {
	v := newVillage(t, 1)
	for _, x := range []struct {
		address, rows string
		isPart        bool
	}{
		{"", "a:" + acmeAgent, true},
		{"", "-", true},
		{"", "a:nobody <script> a:" + otherAgent, true}, // which is of another workspace
		{"", strings.Repeat("a:x ", ui.MaxRows), true},
		{"", strings.Repeat("a:x ", ui.MaxRows+1), false},
		{"", " ", false},
		{"/inbox", "a:" + acmeAgent, true},
		{"/activity", "a:" + acmeAgent, false},
		{"/settings", "-", false},
		{"/agents/" + acmeAgent + "/jobs", "-", true},
		{"/agents/" + acmeAgent + "/jobs", "a:" + acmeAgent, false},
	} {
		p := &openPage{v: v, address: "/w/acme" + x.address, who: "viewer"}
		got := p.get(strings.Split(x.rows, " ")).Body
		if isPart := bytes.Contains(got.Bytes(), []byte(" data-rows>")); isPart != x.isPart {
			t.Errorf("%s of %.40q: a part is %v, want %v", x.address, x.rows, isPart, x.isPart)
		}
		if strings.Contains(got.String(), otherAgent) || strings.Contains(got.String(), "<script>") {
			t.Errorf("%s of %.40q shows what was asked for", x.address, x.rows)
		}
	}
}

// TestManyStreams opens a thousand streams as one person: the newest few stay, and each ends when its page leaves.
func TestManyStreams(t *testing.T) {
	c, server, owner, acme := listening(t)
	c.h.Server.Gauges = &web.Gauges{}
	admin := c.person("anna")
	c.member(acme, admin, store.Admin)
	other, b := c.as(admin).listens(server, ""), c.as(owner)
	var all []*listener
	for range 1000 {
		all = append(all, b.listens(server, ""))
	}
	c.streams(web.MaxStreams + 1)
	for i, l := range all[:len(all)-web.MaxStreams] {
		if got := l.next(); got != "event: enough|data:" {
			t.Fatalf("stream %d is told %q", i, got)
		}
	}
	seq := c.rename(acme, "Acme II")
	for _, l := range append(all[len(all)-web.MaxStreams:], other) {
		if got := l.next(); got != changeEvent(seq) {
			t.Errorf("one that stays is told %q, want %q", got, changeEvent(seq))
		}
		l.leave()
	}
	c.streams(0)
}
