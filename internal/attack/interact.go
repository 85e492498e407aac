package main

import (
	"context"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// events fires on every element what a person or the browser might, from a world that the page cannot see, so that it is
// told apart from the page's own scripts. It ends with a click of every element that a click may lead away from.
const events = `(() => {
  const kinds = ["load","error","focus","blur","focusin","focusout","click","dblclick","auxclick","contextmenu","mousedown",
    "mouseup","mousemove","mouseover","mouseout","mouseenter","mouseleave","pointerdown","pointerup","pointermove",
    "pointerover","pointerenter","pointerrawupdate","wheel","touchstart","touchmove","touchend","keydown","keyup","keypress",
    "input","beforeinput","change","invalid","search","select","submit","reset","toggle","beforetoggle","beforematch","command",
    "copy","cut","paste","selectstart","dragstart","dragover","dragend","drop","scroll","scrollend","scrollsnapchange",
    "animationstart","animationend","animationiteration","webkitAnimationEnd","transitionend","transitionrun",
    "contentvisibilityautostatechange","play","canplay","loadstart","emptied","cuechange","start","bounce","finish",
    "begin","end","repeat","hashchange","message","resize","pageshow","beforeprint","afterprint","futurethings"];
  const all = [...document.querySelectorAll("*")].slice(0, 300);
  for (const on of [window, document, ...all])
    for (const kind of kinds) on.dispatchEvent(new Event(kind, {cancelable: true}));
  for (const on of all.filter(e => e.matches("a, area, button, input, label, summary, [onclick]")).slice(0, 20)) on.click();
  return all.length;
})()`

// stir moves, presses, clicks, scrolls, types, prints and turns the colours of one page, and fires events in its frames.
func (w *watch) stir(ctx context.Context, id target.ID, cells int) {
	main := w.session(id)
	w.mouse(ctx, main, spotsOf(cells))
	w.keys(main)
	w.printed(ctx, id, w.framesOf(id))
}

// printed fires the events in frames of a page that is printed by a reader of dark screens.
func (w *watch) printed(ctx context.Context, id target.ID, frames map[target.SessionID][]cdp.FrameID) {
	main := w.session(id)
	dark := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}
	post(w.wire, main, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print", Features: dark})
	w.fire(ctx, frames)
	call(ctx, w.wire, main, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
}

// mouse goes over places of the page, and presses and clicks.
func (w *watch) mouse(ctx context.Context, session target.SessionID, spots [][2]float64) {
	for i, spot := range spots {
		at := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: spot[0], Y: spot[1]}
		post(w.wire, session, input.DispatchMouseEvent, at)
		at.Button, at.ClickCount, at.Type = input.MouseButtonLeft, 1, input.DispatchMouseEventTypeMousePressed
		post(w.wire, session, input.DispatchMouseEvent, at)
		at.Type = input.DispatchMouseEventTypeMouseReleased
		if i%8 < 7 && i < len(spots)-1 {
			post(w.wire, session, input.DispatchMouseEvent, at)
			continue
		}
		// Wait now and then, so that the queue stays short and the last click has happened.
		limited, cancel := context.WithTimeout(ctx, time.Second)
		call(limited, w.wire, session, input.DispatchMouseEvent, at)
		cancel()
	}
	last := spots[len(spots)-1]
	wheel := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: last[0], Y: last[1], DeltaY: 6000}
	post(w.wire, session, input.DispatchMouseEvent, wheel)
}

// spotsOf lists a few places on a page of one document, or in every frame of a page of many.
func spotsOf(cells int) [][2]float64 {
	if cells == 1 {
		return [][2]float64{{30, 20}, {30, 60}, {60, 150}, {200, 300}, {30, 450}}
	}
	var spots [][2]float64
	for i := range cells {
		x, y := 8+float64(i%columns)*cellWidth, 8+float64(i/columns)*cellHeight
		spots = append(spots, [2]float64{x + 25, y + 20}, [2]float64{x + 40, y + 70}, [2]float64{x + 120, y + 150})
	}
	return spots
}

// keys goes through the page by keyboard: tab and enter, and two access keys.
func (w *watch) keys(session target.SessionID) {
	stroke := func(key string, code, modifiers int64, text string) {
		p := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: key, WindowsVirtualKeyCode: code, Modifiers: modifiers, Text: text}
		post(w.wire, session, input.DispatchKeyEvent, p)
		p.Type, p.Text = input.DispatchKeyEventTypeKeyUp, ""
		post(w.wire, session, input.DispatchKeyEvent, p)
	}
	for range 4 {
		stroke("Tab", 9, 0, "")
		stroke("Enter", 13, 0, "\r")
	}
	stroke("x", 88, 1, "")
	stroke("a", 65, 1, "")
	stroke(" ", 32, 0, " ")
}

// fire runs the events in frames.
func (w *watch) fire(ctx context.Context, of map[target.SessionID][]cdp.FrameID) {
	limited, cancel := context.WithTimeout(ctx, 4*time.Second)
	defer cancel()
	w.each(limited, of, events, func([]byte) {})
}

// each runs an expression in frames, in worlds of our own, in all of them at once, and hands over what it gives there.
func (w *watch) each(ctx context.Context, of map[target.SessionID][]cdp.FrameID, expression string, take func([]byte)) {
	var frames sync.WaitGroup
	var turn sync.Mutex
	for session, ids := range of {
		for _, frame := range ids {
			frames.Go(func() {
				world, err := call(ctx, w.wire, session, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: frame, WorldName: "attack"})
				if err != nil {
					return
				}
				p := runtime.EvaluateParams{Expression: expression, ContextID: world.ExecutionContextID, ReturnByValue: new(true)}
				found, err := call(ctx, w.wire, session, runtime.Evaluate, p)
				if err == nil && found.Result != nil {
					turn.Lock()
					take([]byte(found.Result.Value))
					turn.Unlock()
				}
			})
		}
	}
	frames.Wait()
}

// session returns the session of a page.
func (w *watch) session(id target.ID) target.SessionID {
	w.mu.Lock()
	defer w.mu.Unlock()
	for session, t := range w.tabs {
		if t.target == id {
			return session
		}
	}
	return ""
}

// framesOf lists the frames of a page, by the session that speaks for them.
func (w *watch) framesOf(id target.ID) map[target.SessionID][]cdp.FrameID {
	w.mu.Lock()
	defer w.mu.Unlock()
	of := make(map[target.SessionID][]cdp.FrameID)
	for session, t := range w.tabs {
		if t.page == id {
			for frame, is := range t.frames {
				if is {
					of[session] = append(of[session], frame)
				}
			}
		}
	}
	return of
}
