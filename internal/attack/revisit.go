package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"

	"github.com/figs-web/figs-web/internal/attack/corpus"
)

// change is a picture that is not the same for every reader at every time.
const change kind = "changes"

// A moment is one way to look at a page again.
type moment struct {
	name string
	come func(ctx context.Context, h *hand, cells int)
}

// moments are what must not change the picture: a dark screen, other wishes of the reader, and the mouse.
func moments() []moment {
	return []moment{
		{"on a dark screen", media("prefers-color-scheme", "dark")},
		{"with more contrast", media("prefers-contrast", "more")},
		{"with less motion", media("prefers-reduced-motion", "reduce")},
		{"in forced colours", media("forced-colors", "active")},
		{"under the mouse", hover},
	}
}

func media(name, value string) func(context.Context, *hand, int) {
	return func(ctx context.Context, h *hand, _ int) {
		call(ctx, h.drive.watch.wire, h.session, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: name, Value: value}}})
		time.Sleep(100 * time.Millisecond)
	}
}

// hover rests on a few places of every frame; a picture is taken over the last one.
func hover(ctx context.Context, h *hand, cells int) {
	for _, spot := range spotsOf(cells) {
		at := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: spot[0], Y: spot[1]}
		limited, cancel := context.WithTimeout(ctx, time.Second)
		call(limited, h.drive.watch.wire, h.session, input.DispatchMouseEvent, at)
		cancel()
	}
}

// still compares the picture of every frame of a page over the moments.
func (h *hand) still(ctx context.Context, vectors []corpus.Vector) error {
	h.drawn(ctx, len(vectors))
	before, err := h.settled(ctx)
	if err != nil {
		return err
	}
	for _, m := range moments() {
		m.come(ctx, h, len(vectors))
		changed, err := h.changed(ctx, before, len(vectors))
		if err != nil {
			return err
		}
		for _, i := range changed {
			h.drive.watch.tell(vectors[i].Number, change, m.name)
		}
		call(ctx, h.drive.watch.wire, h.session, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	}
	return h.unmoved(ctx, before, vectors)
}

// unmoved looks again and again for a while, and notes a frame once that is another picture at any time.
func (h *hand) unmoved(ctx context.Context, before image.Image, vectors []corpus.Vector) error {
	moved := make([]bool, len(vectors))
	for end := time.Now().Add(h.drive.wait); time.Now().Before(end); time.Sleep(270 * time.Millisecond) {
		now, err := h.shot(ctx)
		if err != nil {
			return err
		}
		for i, v := range vectors {
			if !moved[i] && !same(before, now, cell(i)) {
				moved[i] = true
				h.drive.watch.tell(v.Number, change, "after a while")
			}
		}
	}
	return nil
}

// ready is whether a document is complete, and lays it out.
const ready = `document.readyState === "complete" && document.documentElement.getBoundingClientRect().width >= 0`

// drawn waits until every document of the page is complete and laid out. Until then a frame is white, and two white
// pictures are the same: what a busy browser draws later would look like a change.
func (h *hand) drawn(ctx context.Context, cells int) {
	w := h.drive.watch
	for end := time.Now().Add(5 * loading); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		limited, cancel := context.WithTimeout(ctx, loading)
		complete := 0
		w.each(limited, w.framesOf(h.id), ready, func(v []byte) {
			if string(v) == "true" {
				complete++
			}
		})
		cancel()
		if complete > cells { // the frames, and the page
			break
		}
	}
	time.Sleep(settling)
}

// settled returns the picture of a page once it comes out the same twice.
func (h *hand) settled(ctx context.Context) (image.Image, error) {
	last, err := h.shot(ctx)
	for range 20 {
		if err != nil {
			break
		}
		time.Sleep(150 * time.Millisecond)
		var next image.Image
		if next, err = h.shot(ctx); err == nil && same(last, next, last.Bounds()) {
			break
		}
		last = next
	}
	return last, err
}

// changed lists the frames whose picture is another than before. A browser that is busy paints late, so it looks again.
func (h *hand) changed(ctx context.Context, before image.Image, cells int) ([]int, error) {
	var changed []int
	for range 4 {
		after, err := h.shot(ctx)
		if err != nil {
			return nil, err
		}
		changed = nil
		for i := range cells {
			if !same(before, after, cell(i)) {
				changed = append(changed, i)
			}
		}
		if len(changed) == 0 {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	return changed, nil
}

// tell notes what was not an event of the browser.
func (w *watch) tell(number int, k kind, example string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.note(number, k, example)
}

func (h *hand) shot(ctx context.Context) (image.Image, error) {
	if _, err := call(ctx, h.drive.watch.wire, h.session, page.BringToFront, cdp.Empty{}); err != nil {
		return nil, err
	}
	taken, err := call(ctx, h.drive.watch.wire, h.session, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	if err != nil {
		return nil, fmt.Errorf("the picture of a page: %w", err)
	}
	return png.Decode(bytes.NewReader(taken.Data))
}

// cell is the inside of a frame on its page, without its border and scroll bars.
func cell(i int) image.Rectangle {
	x, y := 8+i%columns*cellWidth+4, 8+i/columns*cellHeight+4
	return image.Rect(x, y, x+268, y+168)
}

func same(a, b image.Image, in image.Rectangle) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	in = in.Intersect(a.Bounds())
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			if !alike(a.At(x, y), b.At(x, y)) {
				return false
			}
		}
	}
	return true
}

// alike forgives what repainting does to the edges of round corners, which no eye sees.
func alike(a, b color.Color) bool {
	const forgiven = 0x1000
	r, g, u, _ := a.RGBA()
	r2, g2, u2, _ := b.RGBA()
	return max(r, r2)-min(r, r2) < forgiven && max(g, g2)-min(g, g2) < forgiven && max(u, u2)-min(u, u2) < forgiven
}
