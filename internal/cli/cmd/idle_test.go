package cmd

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/figs-web/figs-web/handlers"
)

// It rests once after it was busy, never in between, and only when nothing was answered for a
// while.
func TestRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var r IdleTimer
		logged := 0
		log := r.After(func(handlers.Event) { logged++ })
		go r.Keep(ctx)
		time.Sleep(2 * IdleAfter)
		if r.busy.Load() != 0 {
			t.Error("it has not rested after its start")
		}
		for range 10 {
			log(handlers.Event{})
			time.Sleep(IdleAfter / 2)
			if r.busy.Load() == 0 {
				t.Fatal("it rests while it is busy")
			}
		}
		time.Sleep(2 * IdleAfter)
		if r.busy.Load() != 0 || logged != 10 {
			t.Errorf("it has not rested after it was busy; %d events were logged, want 10", logged)
		}
	})
}
