package local

import (
	"encoding/base64"
	"net/http"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/decide"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/changefeed"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/internal/reply"
)

// memory is what an open folder's person has opened and begun to write. It ends with the program:
// nothing of it belongs into the folder.
type memory struct {
	live  *changefeed.Broker // tells open pages of changes
	seats *changefeed.StreamLimit

	mutex  sync.Mutex
	opened map[[2]string]looked // by SHA-256 and extension
	drafts map[string]begun     // by the address of the ask
}

// looked is how the person has seen an attachment.
type looked struct {
	sent int64  // when it was first sent to a page, microseconds since 1970; 0: it was not
	how  string // the way in which it counts as viewed; "": it does not
	part int    // percent of its frame that was on the screen
}

type begun struct {
	form reply.Form
	at   int64
}

func newMemory(seq changefeed.Seq) *memory {
	return &memory{live: changefeed.New(seq, time.Second), seats: changefeed.NewStreamLimit(web.MaxStreams), opened: map[[2]string]looked{}, drafts: map[string]begun{}}
}

// send notes that an attachment was sent to a page.
func (m *memory) send(sha256, ext string, now int64) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	key := [2]string{sha256, ext}
	if l := m.opened[key]; l.sent == 0 {
		l.sent = now
		m.opened[key] = l
	}
}

// sentBefore reports whether an attachment was sent to a page long enough ago to have been viewed.
func (m *memory) sentBefore(sha256, ext string, now int64) bool {
	l := m.looked(sha256, ext)
	return l.sent != 0 && web.LongAgo(l.sent, now)
}

// view notes how the person has viewed an attachment, or which part of it.
func (m *memory) view(sha256, ext, how string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	key := [2]string{sha256, ext}
	l := m.opened[key]
	if part := receipt.ParsePart(how); part > 0 {
		l.part = max(l.part, part)
	} else if l.how == "" {
		l.how = how
	}
	m.opened[key] = l
}

func (m *memory) looked(sha256, ext string) looked {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.opened[[2]string{sha256, ext}]
}

// mostDrafts is how many drafts are kept; with one more, the oldest is let go.
const mostDrafts = 500

// keep keeps what a form holds as the draft of an ask, and forgets it when there is nothing. It
// reports false when that is too much for a draft.
func (m *memory) keep(at string, f reply.Form, now int64) bool {
	if len(f.Text)+len(f.Chosen)+len(f.Verdict) > decide.MostDraft {
		return false
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if f.Text == "" && f.Chosen == "" {
		delete(m.drafts, at)
		return true
	}
	m.drafts[at] = begun{f, now}
	if len(m.drafts) > mostDrafts {
		delete(m.drafts, m.oldest())
	}
	return true
}

func (m *memory) oldest() (at string) {
	least := int64(1<<63 - 1)
	for key, d := range m.drafts {
		if d.at < least {
			at, least = key, d.at
		}
	}
	return at
}

// fill puts the draft of an ask into its form.
func (m *memory) fill(s *ui.DecisionForm) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	d, ok := m.drafts[s.At]
	if !ok {
		return
	}
	s.Form.Verdict, s.Form.Chosen, s.Form.Text, s.Draft = d.form.Verdict, d.form.Chosen, d.form.Text, d.at
	s.Behind = d.form.Revision != s.Form.Revision
}

const (
	nameCookie = "figs-by" // who speaks, so that a page asks it once
	nameAge    = 365 * 24 * time.Hour
	mostName   = 200 // bytes
)

// nameOf is the name that the browser keeps; "" when it keeps none, or what another program of
// this machine has put there.
func nameOf(c echo.Context) string {
	cookie, err := c.Cookie(nameCookie)
	if err != nil {
		return ""
	}
	name, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err != nil || faultOfName(string(name)) != nil {
		return ""
	}
	return string(name)
}

func keepName(c echo.Context, name string) {
	c.SetCookie(&http.Cookie{Name: nameCookie, Value: base64.RawURLEncoding.EncodeToString([]byte(name)), Path: "/", HttpOnly: true,
		SameSite: http.SameSiteStrictMode, MaxAge: int(nameAge / time.Second)})
}

// faultOfName says what is wrong with the name of who speaks; nil is nothing.
func faultOfName(name string) *ui.Fault {
	f := &ui.Fault{Field: reply.FieldBy}
	switch {
	case name == "":
		f.Sentence, f.Hint = "Enter your name. The agent sees it with your reply.", "Your browser remembers it."
	case len(name) > mostName:
		f.Sentence, f.Hint = "The name is longer than 200 bytes.", "Enter a shorter name."
	case !utf8.ValidString(name) || figs.HiddenCharacter([]byte(name)) >= 0:
		f.Sentence, f.Hint = "The name contains invisible characters, so the agent couldn't tell who replied.", "Type it instead of pasting it."
	default:
		return nil
	}
	return f
}
