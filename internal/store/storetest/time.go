package storetest

import "time"

// clock tests Time, which is this machine's time here, and RequiredSchema.
func clock(w *fixture) {
	before := must(w.s.Time(ctx))(w)
	after := must(w.s.Time(ctx))(w)
	if off := time.Since(time.UnixMicro(before)); before > after || off.Abs() > time.Hour {
		w.Errorf("the clock shows %d, then %d, which is %s off", before, after, off)
	}
	if needs := must(w.s.RequiredSchema(ctx))(w); needs < 1 {
		w.Errorf("a program must know step %d", needs)
	}
}
