package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/figs-web/figs-web/internal/attack/corpus"
)

// A kind of thing that no attachment may do.
type kind string

const (
	script     kind = "scripts"
	load       kind = "loads" // requests that the page made, also where something else stopped them
	connection kind = "connections"
	lookup     kind = "look-ups"
	navigation kind = "navigations"
	dialog     kind = "dialogs"
	popup      kind = "popups"
	download   kind = "downloads"
	crash      kind = "crashes"
)

var kinds = []kind{script, load, connection, lookup, navigation, dialog, popup, download, crash, change}

// A watch hears what the browser does and notes what it should not, by vector. Number 0 is a page of several vectors
// where nothing says which of them it was.
type watch struct {
	wire   *wire
	number func(address string) int // the vector whose document has an address on the product, or 0

	mu       sync.Mutex
	tabs     map[target.SessionID]*tab
	owners   map[cdp.FrameID]int // the vector that a frame belongs to
	first    map[cdp.FrameID]bool
	loaded   map[target.ID]chan struct{}
	seen     map[int]map[kind]int
	examples map[int]map[kind]string
}

// A tab is what one session speaks of: a page, or a frame of it in a process of its own.
type tab struct {
	page    target.ID // the page that we opened, of which this is a part
	target  target.ID
	vectors []int // of that page
	frames  map[cdp.FrameID]bool
	crashed bool
}

func newWatch() *watch {
	return &watch{
		tabs: make(map[target.SessionID]*tab), owners: make(map[cdp.FrameID]int), first: make(map[cdp.FrameID]bool),
		loaded: make(map[target.ID]chan struct{}), seen: make(map[int]map[kind]int), examples: make(map[int]map[kind]string),
	}
}

// note counts one thing for a vector.
func (w *watch) note(number int, k kind, example string) {
	if w.seen[number] == nil {
		w.seen[number], w.examples[number] = make(map[kind]int), make(map[kind]string)
	}
	w.seen[number][k]++
	if w.examples[number][k] == "" {
		w.examples[number][k] = fmt.Sprintf("%.120s", example)
	}
}

// take returns what was seen since the last call.
func (w *watch) take() (map[int]map[kind]int, map[int]map[kind]string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen, examples := w.seen, w.examples
	w.seen, w.examples = make(map[int]map[kind]int), make(map[int]map[kind]string)
	return seen, examples
}

// hostName finds the vector that an address names.
var hostName = regexp.MustCompile(`v(\d+)\.attack\.test`)

// of finds the vector of an event: by its address if that names one, else by its frame.
func (w *watch) of(t *tab, frame cdp.FrameID, address string) int {
	if found := hostName.FindStringSubmatch(address); found != nil {
		if n, err := strconv.Atoi(found[1]); err == nil {
			return n
		}
	}
	return w.owner(t, frame)
}

// owner finds the vector of a frame; a page of one vector is that vector's own.
func (w *watch) owner(t *tab, frame cdp.FrameID) int {
	if n := w.owners[frame]; n != 0 {
		return n
	}
	if t != nil && len(t.vectors) == 1 {
		return t.vectors[0]
	}
	return 0
}

// hear takes every event of every session.
func (w *watch) hear(session target.SessionID, event any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.tabs[session]
	if t == nil && session != "" {
		return
	}
	switch e := event.(type) {
	case *target.EventAttachedToTarget:
		w.attached(t, e)
	case *target.EventDetachedFromTarget:
		delete(w.tabs, e.SessionID)
	case *page.EventFrameAttached:
		w.owners[e.FrameID] = w.owners[e.ParentFrameID]
		w.join(t, e.FrameID)
	case *page.EventFrameNavigated:
		w.navigated(t, e.Frame)
	case *page.EventFrameRequestedNavigation:
		w.requested(t, e)
	case *page.EventWindowOpen:
		w.note(w.of(t, "", e.URL), popup, e.URL)
	case *page.EventJavascriptDialogOpening:
		w.note(w.owner(t, e.FrameID), dialog, string(e.Type)+" "+e.Message)
		go post(w.wire, session, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
	case *page.EventLoadEventFired:
		if t != nil && t.target == t.page {
			w.wake(t.page)
		}
	case *debugger.EventScriptParsed:
		w.parsed(t, e)
	case *network.EventRequestWillBeSent:
		w.sent(t, e)
	case *browser.EventDownloadWillBegin:
		w.note(w.of(t, e.FrameID, e.URL), download, e.URL)
	case *inspector.EventTargetCrashed:
		t.crashed = true
		if len(t.vectors) > 0 {
			w.note(w.owner(t, ""), crash, "the renderer ended")
		}
		w.wake(t.page)
	}
}

func (w *watch) wake(id target.ID) {
	if c := w.loaded[id]; c != nil {
		close(c)
		delete(w.loaded, id)
	}
}

func (w *watch) join(t *tab, frame cdp.FrameID) {
	if t != nil {
		t.frames[frame] = true
	}
}

// attached prepares a new target before its first script runs. A page that we did not open is a popup.
func (w *watch) attached(parent *tab, e *target.EventAttachedToTarget) {
	if strings.HasPrefix(e.TargetInfo.URL, "chrome") {
		// A part of the browser's own window.
		go post(w.wire, e.SessionID, runtime.RunIfWaitingForDebugger, cdp.Empty{})
		return
	}
	t := &tab{target: e.TargetInfo.TargetID, page: e.TargetInfo.TargetID, frames: make(map[cdp.FrameID]bool)}
	if parent != nil {
		t.page, t.vectors = parent.page, parent.vectors
	}
	t.frames[cdp.FrameID(t.target)] = e.TargetInfo.Type == "page" || e.TargetInfo.Type == "iframe"
	w.tabs[e.SessionID] = t
	if opener := e.TargetInfo.OpenerID; opener != "" {
		w.note(w.ofPage(opener), popup, e.TargetInfo.URL)
		time.AfterFunc(settling, func() {
			post(w.wire, "", target.CloseTarget, target.CloseTargetParams{TargetID: e.TargetInfo.TargetID})
		})
	}
	go w.prepare(e.SessionID, e.TargetInfo.Type)
}

func (w *watch) ofPage(id target.ID) int {
	for _, t := range w.tabs {
		if t.target == id {
			return w.owner(t, "")
		}
	}
	return 0
}

func (w *watch) prepare(session target.SessionID, kind string) {
	yes := true
	post(w.wire, session, runtime.Enable, cdp.Empty{})
	post(w.wire, session, debugger.Enable, debugger.EnableParams{})
	post(w.wire, session, network.Enable, network.EnableParams{})
	if kind == "page" || kind == "iframe" {
		post(w.wire, session, page.Enable, page.EnableParams{})
		post(w.wire, session, inspector.Enable, cdp.Empty{})
	}
	post(w.wire, session, target.SetAutoAttach, target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: &yes})
	post(w.wire, session, runtime.RunIfWaitingForDebugger, cdp.Empty{})
}

// navigated learns whose a frame is, from the name that our pages gave it or from the product's address, and notes every document after its first.
func (w *watch) navigated(t *tab, f *cdp.Frame) {
	w.join(t, f.ID)
	if w.owners[f.ID] == 0 && ours(f.URL) {
		n, err := strconv.Atoi(f.Name)
		if err != nil {
			n = w.number(f.URL)
		}
		w.owners[f.ID] = n
	}
	if f.URL == "about:blank" || empty(f.URL) {
		return
	}
	if w.first[f.ID] {
		w.note(w.of(t, f.ID, f.URL), navigation, f.URL)
	}
	w.first[f.ID] = true
}

// ours reports whether an address is one that our pages give to a frame or that we open ourselves.
func ours(address string) bool {
	return address == "about:blank" || address == framedPage || strings.HasPrefix(address, "http://"+siteName+"/")
}

// requested notes what a frame asked for, though it may have been refused.
func (w *watch) requested(t *tab, e *page.EventFrameRequestedNavigation) {
	first := !w.first[e.FrameID] && e.URL == framedPage
	if first || e.Reason == page.ClientNavigationReasonInitialFrameNavigation {
		return
	}
	w.note(w.of(t, e.FrameID, e.URL), navigation, string(e.Reason)+" "+e.URL)
}

func empty(address string) bool { return address == emptyPage || address == apartPage }

// trusted reports whether something is a part of the page itself, around all frames: its style, its script, its icon.
func trusted(t *tab, frame cdp.FrameID, address string) bool {
	return t != nil && frame == cdp.FrameID(t.page) && strings.HasPrefix(address, "http://"+siteName+"/static/")
}

// parsed notes a compiled script, unless it is ours, from an isolated world, the product's page or the offline page, or the
// browser's own page that says what it did not load.
func (w *watch) parsed(t *tab, e *debugger.EventScriptParsed) {
	var world struct {
		Type    string      `json:"type"`
		FrameID cdp.FrameID `json:"frameId"`
	}
	json.Unmarshal(e.ExecutionContextAuxData, &world)
	if world.Type == "isolated" || trusted(t, world.FrameID, e.URL) || strings.HasPrefix(e.URL, "chrome-error:") || e.Length == int64(len(opener)) && strings.Contains(e.URL, "/offline/") {
		return
	}
	w.note(w.owner(t, world.FrameID), script, fmt.Sprintf("%s line %d length %d", e.URL, e.StartLine+1, e.Length))
}

// sent notes a request that is not for a document of ours.
func (w *watch) sent(t *tab, e *network.EventRequestWillBeSent) {
	address := e.Request.URL
	if strings.HasPrefix(address, "data:") || empty(address) || address == "http://"+siteName+"/favicon.ico" {
		return
	}
	if trusted(t, e.FrameID, address) {
		return
	}
	if e.Type == network.ResourceTypeDocument && ours(address) && (t == nil || !w.first[e.FrameID]) {
		return
	}
	w.note(w.of(t, e.FrameID, address), load, address)
}

// expect says that a page is about to show vectors and returns what is closed at its load event.
func (w *watch) expect(id target.ID, vectors []corpus.Vector) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, t := range w.tabs {
		if t.target == id {
			t.vectors = nil
			for _, v := range vectors {
				t.vectors = append(t.vectors, v.Number)
			}
		}
	}
	w.first[cdp.FrameID(id)] = false
	return w.load(id)
}

// leave says that a page is about to become empty.
func (w *watch) leave(id target.ID) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.first[cdp.FrameID(id)] = false
	return w.load(id)
}

func (w *watch) load(id target.ID) <-chan struct{} {
	c := make(chan struct{})
	w.loaded[id] = c
	return c
}

// lost reports whether a page has crashed or gone.
func (w *watch) lost(id target.ID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, t := range w.tabs {
		if t.target == id {
			return t.crashed
		}
	}
	return true
}
