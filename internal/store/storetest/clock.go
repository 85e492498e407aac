package storetest

import "time"

// clock asks for the time, which is this machine's here, and for what a program must know.
func clock(w *world) {
	before := must(w.s.Time(ctx))(w)
	after := must(w.s.Time(ctx))(w)
	if off := time.Since(time.UnixMicro(before)); before > after || off.Abs() > time.Hour {
		w.Errorf("the clock shows %d, then %d, which is %s off", before, after, off)
	}
	if needs := must(w.s.RequiredSchema(ctx))(w); needs < 1 {
		w.Errorf("a program must know step %d", needs)
	}
}
