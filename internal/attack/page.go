package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// box finds the frame of the attachment on the product's page and brings it before the reader.
const box = `(() => {
  const frame = document.querySelector("iframe");
  if (!frame) return null;
  frame.scrollIntoView({block: "center", behavior: "instant"});
  const {x, y, width, height} = frame.getBoundingClientRect();
  return [x, Math.max(y, 0), width, Math.min(y + height, innerHeight) - Math.max(y, 0)];
})()`

// stirPage is stir for a page of the product: only inside of the frame, because what the reader does with the page around
// it may well lead somewhere.
func (w *watch) stirPage(ctx context.Context, id target.ID) error {
	main, top := w.session(id), cdp.FrameID(id)
	world, err := call(ctx, w.wire, main, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: top, WorldName: "attack"})
	if err != nil {
		return err
	}
	found, err := call(ctx, w.wire, main, runtime.Evaluate, runtime.EvaluateParams{Expression: box, ContextID: world.ExecutionContextID, ReturnByValue: new(true)})
	if err != nil {
		return err
	}
	var in []float64
	if err := json.Unmarshal(found.Result.Value, &in); err != nil || len(in) != 4 || in[2] < 100 || in[3] < 100 {
		return fmt.Errorf("the page has no frame to click in: %s", found.Result.Value)
	}
	var spots [][2]float64
	for _, at := range [][2]float64{{.05, .06}, {.05, .15}, {.1, .3}, {.3, .5}, {.5, .7}, {.05, .9}} {
		spots = append(spots, [2]float64{in[0] + at[0]*in[2], in[1] + at[1]*in[3]})
	}
	w.mouse(ctx, main, spots)
	frames := w.framesOf(id)
	frames[main] = slices.DeleteFunc(frames[main], func(f cdp.FrameID) bool { return f == top })
	w.printed(ctx, id, frames)
	return nil
}
