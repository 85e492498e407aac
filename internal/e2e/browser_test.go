package e2e

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/testenv"
	"github.com/figs-web/figs-web/internal/testenv/headless"
)

// patience is how long a test waits for one thing before it fails. It is no measure of speed: a machine that runs other
// tests beside these may stand still for many seconds.
const patience = 2 * time.Minute

// shared is the browser of all tests that need none of their own; each test has its own tab in it.
var shared struct {
	once sync.Once
	ctx  context.Context
	stop func()
	err  error
}

func TestMain(m *testing.M) {
	flag.Parse()
	if set := flag.Lookup("test.parallel"); set.Value.String() == set.DefValue {
		set.Value.Set("6") // what runs side by side here waits, most of the time, until decisions count
	}
	code := m.Run()
	if shared.stop != nil {
		shared.stop()
	}
	endKeepers()
	os.RemoveAll(built.dir)
	os.Exit(code)
}

// launch starts a Chromium with a fresh profile and the given options on top.
func launch(program string, more ...chromedp.ExecAllocatorOption) (ctx context.Context, stop func(), err error) {
	profile, err := os.MkdirTemp("", "figs-e2e-")
	if err != nil {
		return nil, nil, err
	}
	ctx, stopProgram := chromedp.NewExecAllocator(context.Background(), append(headless.Options(program, profile, chromedp.Flag("hide-scrollbars", true)), more...)...)
	ctx, stopBrowser := chromedp.NewContext(ctx)
	stop = func() {
		limited, cancel := context.WithTimeout(ctx, 5*time.Second)
		chromedp.Cancel(limited)
		cancel()
		stopBrowser()
		stopProgram()
		os.RemoveAll(profile)
	}
	if err := chromedp.Do(ctx); err != nil {
		stop()
		return nil, nil, err
	}
	return ctx, stop, nil
}

// tab is one page of a browser, watched for everything that goes wrong in it.
type tab struct {
	t       testing.TB
	ctx     context.Context
	hearing *hearing
}

// hearing is what the browser said of a page: console errors, uncaught exceptions, refusals by policy.
type hearing struct {
	mu    sync.Mutex
	said  []string
	asked atomic.Int32 // how often the browser asked whether to leave a page
}

// newTab opens a tab of the shared Chromium.
func newTab(t *testing.T) *tab {
	t.Helper()
	program := testenv.Chromium(t)
	testenv.Wasm(t)
	shared.once.Do(func() { shared.ctx, shared.stop, shared.err = launch(program) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return tabOf(t, shared.ctx)
}

// ownBrowser starts a Chromium for one test and opens a tab in it.
func ownBrowser(t *testing.T, options ...chromedp.ExecAllocatorOption) *tab {
	t.Helper()
	program := testenv.Chromium(t)
	testenv.Wasm(t)
	ctx, stop, err := launch(program, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return tabOf(t, ctx)
}

func tabOf(t *testing.T, browser context.Context) *tab {
	t.Helper()
	ctx, stop := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(stop)
	p := &tab{t, ctx, &hearing{}}
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Listen(ctx, p.hearing.hear); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Listen(ctx, p.leave); err != nil {
		t.Fatal(err)
	}
	// As if every tab were the one that a person looks at, since tests run side by side.
	call(p, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	p.screen(1280, 900, "light")
	return p
}

// hear notes what a browser tells its developer tools when something goes wrong.
func (h *hearing) hear(event any) {
	said := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		said = "exception: " + fmt.Sprint(e.ExceptionDetails.Text, " ", e.ExceptionDetails.Exception)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			said = fmt.Sprintf("console.%s: %s", e.Type, arguments(e.Args))
		}
	case *cdplog.EventEntryAdded:
		if (e.Entry.Level == cdplog.EntryLevelError || e.Entry.Level == cdplog.EntryLevelWarning) && !lateView(e.Entry) {
			said = fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL)
		}
	}
	if said != "" {
		h.mu.Lock()
		h.said = append(h.said, said)
		h.mu.Unlock()
	}
}

func arguments(args []*runtime.RemoteObject) string {
	var words []string
	for _, arg := range args {
		words = append(words, string(arg.Value)+arg.Description)
	}
	return strings.Join(words, " ")
}

// leave lets the browser leave a page when it asks.
func (p *tab) leave(event any) {
	if e, ok := event.(*page.EventJavascriptDialogOpening); ok && e.Type == page.DialogTypeBeforeunload {
		p.hearing.asked.Add(1)
		go chromedp.Call(p.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
	}
}

// quiet fails the test if anything went wrong in the tab so far.
func (p *tab) quiet() {
	p.t.Helper()
	p.hearing.mu.Lock()
	defer p.hearing.mu.Unlock()
	for _, said := range p.hearing.said {
		p.t.Errorf("the browser said: %s", said)
	}
	p.hearing.said = nil
}

// lateView reports whether an entry is the refusal of a view that a page reported just after the ask had changed.
// Pages report while someone scrolls, so any change may be quicker; what was recorded is for other tests to say.
func lateView(e *cdplog.Entry) bool {
	return strings.HasSuffix(e.URL, "/viewed") && strings.Contains(e.Text, "409")
}

// limit gives one step its time.
func (p *tab) limit() (context.Context, context.CancelFunc) {
	return context.WithTimeout(p.ctx, patience)
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// eval runs a script in the page and waits for the promise that it may return.
func eval[T any](p *tab, script string) T {
	p.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%v in: %.200s", err, script)
	}
	return v
}

// await waits until an expression of the page is true; what says in a failure what was waited for.
func (p *tab) await(expression, what string) {
	p.t.Helper()
	p.awaitFor(patience, expression, what)
}

// awaitFor asks again where the browser cannot tell: while one page takes the place of another, and while only the
// upper part of a page has been read, of which a test would go on to miss the rest.
func (p *tab) awaitFor(limit time.Duration, expression, what string) {
	p.t.Helper()
	var err error
	if !testenv.Poll(limit, func() (is bool) {
		ctx, cancel := p.limit()
		defer cancel()
		is, err = chromedp.Run(ctx, chromedp.Evaluate[bool](`document.readyState !== "loading" && Boolean(`+expression+`)`))
		return err == nil && is
	}) {
		p.shot(strings.ReplaceAll(p.t.Name(), "/", "-") + "-failed")
		p.t.Fatalf("waited %s in vain for %s (%v); the page shows:\n%s", limit, what, err, p.text("body"))
	}
}

// screen sets the size of the window and the colours that the system asks for.
func (p *tab) screen(width, height int64, colours string) {
	p.t.Helper()
	p.do(chromedp.EmulateViewport(width, height))
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: colours}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
}

// drop drops files or folders of the disk on the page, as the mouse would.
func (p *tab) drop(paths ...string) {
	p.t.Helper()
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: paths, DragOperationsMask: 1}
	for _, step := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
		call(p, input.DispatchDragEvent, input.DispatchDragEventParams{Type: step, X: 180, Y: 300, Data: data})
	}
}

// shot saves a picture of the whole page in $FIGS_SHOTS, where that is set.
func (p *tab) shot(name string) {
	p.t.Helper()
	dir := os.Getenv("FIGS_SHOTS")
	if dir == "" {
		return
	}
	ctx, cancel := p.limit()
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644)
	}
	if err != nil {
		p.t.Error(err)
	}
}
