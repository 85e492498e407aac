package storejournal

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

func TestWaitOfDerivedRow(t *testing.T) {
	span := func(from, to int64) figs.Span { return figs.Span{From: from, To: to} }
	for name, c := range map[string]struct {
		ask  store.AskWait
		want []figs.Wait
	}{
		"first round, open": {store.AskWait{Tab: store.TabNeeds, Round: 1, Raised: 10, Answered: figs.NoTime, Since: 10, At: 10},
			[]figs.Wait{{Span: span(10, figs.NoTime), Round: 1, Reply: -1, Lasts: true}}},
		"answered": {store.AskWait{Tab: store.TabWaiting, Round: 1, Raised: 10, Answered: 25, Since: 25, At: 10},
			[]figs.Wait{{Span: span(10, 25), Round: 1, Reply: -1}}},
		"closed without a reply": {store.AskWait{Tab: store.TabClosed, Round: 1, Raised: 10, Answered: figs.NoTime, Since: 40, At: 40},
			[]figs.Wait{{Span: span(10, 40), Round: 1, Reply: -1}}},
		"second round, open": {store.AskWait{Tab: store.TabNeeds, Round: 2, Raised: 10, Answered: 25, Since: 50, At: 50},
			[]figs.Wait{{Span: span(10, 25), Round: 1, Reply: -1}, {Span: span(50, figs.NoTime), Round: 2, Reply: -1, Lasts: true}}},
		"clocks that differ": {store.AskWait{Tab: store.TabClosed, Round: 1, Raised: 10, Answered: 5, Since: 5, At: 10},
			[]figs.Wait{{Span: span(10, 10), Round: 1, Reply: -1}}},
		"without a time": {store.AskWait{Tab: store.TabClosed, Round: 1, Raised: figs.NoTime, Answered: figs.NoTime, Since: figs.NoTime, At: figs.NoTime}, nil},
	} {
		if diff := cmp.Diff(c.want, waitOf(&c.ask)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
