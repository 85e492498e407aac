package figs_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
)

const second, hour = int64(1_000_000), int64(3_600_000_000)

// instants makes times of "10:00" on one day.
func instants(t *testing.T, clocks ...string) (all []int64) {
	t.Helper()
	for _, c := range clocks {
		at := int64(figs.NoTime)
		if c != "" {
			var ok bool
			if at, ok = figs.ParseTime("2026-11-20T" + c + ":00Z"); !ok {
				t.Fatalf("%q is no time", c)
			}
		}
		all = append(all, at)
	}
	return all
}

func read(runs, asks, messages []string) *figs.Folder {
	f := figs.New(figs.Options{Keep: true})
	for file, lines := range [][]string{runs, asks, messages} {
		f.Feed(figs.File(file), []byte(strings.Join(lines, "\n")+"\n"))
	}
	f.Finish()
	return f
}

// TestWaits holds when a human is owed, round by round.
func TestWaits(t *testing.T) {
	line := func(clock, rest string) string {
		if clock != "" {
			rest = `"ts":"2026-11-20T` + clock + `:00Z",` + rest
		}
		return `{"id":"a",` + rest + `}`
	}
	raise := func(clock string) string { return line(clock, `"type":"sign-off","title":"T"`) }
	reply := func(clock, rest string) string {
		return `{"id":"m` + clock + `","ask":"a","by":"ana","ts":"2026-11-20T` + clock + `:00Z",` + rest + `}`
	}
	verdict := func(clock, verdict string) string { return reply(clock, `"kind":"verdict","verdict":"`+verdict+`"`) }
	for name, c := range map[string]struct {
		asks, messages []string
		want           []string // from, to; "…" for what lasts
		replies        []int
	}{
		"raised":                          {[]string{raise("10:00")}, nil, []string{"10:00", "…"}, []int{-1}},
		"answered":                        {[]string{raise("10:00")}, []string{reply("11:00", `"kind":"answer","text":"x"`)}, []string{"10:00", "11:00"}, []int{0}},
		"a reply of an unknown kind":      {[]string{raise("10:00")}, []string{reply("11:00", `"kind":"wave","text":"x"`)}, []string{"10:00", "…"}, []int{-1}},
		"answered twice":                  {[]string{raise("10:00")}, []string{verdict("11:00", "approved"), verdict("12:00", "changes-requested")}, []string{"10:00", "11:00"}, []int{0}},
		"two rounds":                      {[]string{raise("10:00"), raise("12:00")}, []string{verdict("11:00", "changes-requested")}, []string{"10:00", "11:00", "12:00", "…"}, []int{0, -1}},
		"raised again before any reply":   {[]string{raise("10:00"), raise("12:00")}, nil, []string{"10:00", "…"}, []int{-1}},
		"raised a third time without one": {[]string{raise("10:00"), raise("12:00"), raise("13:00")}, []string{verdict("11:00", "changes-requested")}, []string{"10:00", "11:00", "12:00", "13:00", "13:00", "…"}, []int{0, -1, -1}},
		"withdrawn":                       {[]string{raise("10:00"), line("11:00", `"status":"withdrawn"`)}, nil, []string{"10:00", "11:00"}, []int{-1}},
		"closed with the time in its resolution": {[]string{raise("10:00"), line("", `"status":"resolved","resolution":{"note":"n","ts":"2026-11-20T11:30:00Z"}`)}, nil,
			[]string{"10:00", "11:30"}, []int{-1}},
		"closed twice with the time in its resolution": {[]string{raise("10:00"), line("", `"status":"resolved","resolution":{"ts":"2026-11-20T10:10:00Z"}`),
			line("12:00", `"status":"open"`), line("", `"status":"resolved","resolution":{"ts":"2026-11-20T12:20:00Z"}`)}, nil,
			[]string{"10:00", "10:10", "12:00", "12:20"}, []int{-1, -1}},
		"closed without a time":       {[]string{raise("10:00"), line("", `"status":"resolved"`)}, nil, []string{"10:00", "10:00"}, []int{-1}},
		"closed before the reply":     {[]string{raise("10:00"), line("11:00", `"status":"withdrawn"`)}, []string{verdict("12:00", "approved")}, []string{"10:00", "11:00"}, []int{-1}},
		"closed and opened again":     {[]string{raise("10:00"), line("11:00", `"status":"withdrawn"`), line("13:00", `"status":"open"`)}, nil, []string{"10:00", "11:00", "13:00", "…"}, []int{-1, -1}},
		"raised while it was closed":  {[]string{raise("10:00"), line("11:30", `"status":"resolved"`), raise("12:00")}, []string{verdict("11:00", "approved")}, []string{"10:00", "11:00", "12:00", "12:00"}, []int{0, -1}},
		"without a time":              {[]string{raise("")}, nil, []string{"", "…"}, []int{-1}},
		"a reply before the question": {[]string{raise("10:00")}, []string{reply("09:00", `"kind":"answer","text":"x"`)}, []string{"10:00", "10:00"}, []int{0}},
	} {
		t.Run(name, func(t *testing.T) {
			waits := read(nil, c.asks, c.messages).Waits(0)
			if len(waits) != len(c.want)/2 {
				t.Fatalf("%d waits, want %d: %+v", len(waits), len(c.want)/2, waits)
			}
			for i, w := range waits {
				lasts := c.want[2*i+1] == "…"
				to := c.want[2*i+1]
				if lasts {
					to = ""
				}
				if want := instants(t, c.want[2*i], to); w.From != want[0] || w.To != want[1] || w.Lasts != lasts || w.Reply != c.replies[i] || w.Round != i+1 {
					t.Errorf("wait %d = %+v, want from %q to %q and reply %d", i, w, c.want[2*i], c.want[2*i+1], c.replies[i])
				}
			}
		})
	}
}

// TestWaitsOfVectors holds, for every vector, that waits and states tell the same story.
func TestWaitsOfVectors(t *testing.T) {
	for v := range figstest.Vectors() {
		f, err := figstest.Read(v, figstest.Feeding{Keep: true})
		if err != nil {
			t.Fatal(err)
		}
		f.Finish()
		checkWaits(t, v.Name, f)
	}
}

// rounds is how often something made up is tried: an eighth of n where tests are to be short, as in a browser's engine, which is
// many times slower.
func rounds(n int) int {
	if testing.Short() {
		return n / 8
	}
	return n
}

func checkWaits(t *testing.T, name string, f *figs.Folder) {
	t.Helper()
	for ask := range f.Records(figs.Asks) {
		state, waits, thread := f.State(ask), f.Waits(ask), f.Thread(ask)
		if len(waits) != state.Round {
			t.Fatalf("%s: ask %d has %d waits in %d rounds", name, ask, len(waits), state.Round)
		}
		for i, w := range waits {
			last := i == len(waits)-1
			switch {
			case w.Round != i+1, w.Lasts != (last && state.Phase == figs.NeedsYou), last && w.From != state.Since,
				w.From == figs.NoTime && w.To != figs.NoTime, w.From != figs.NoTime && (w.To == figs.NoTime) != w.Lasts, !w.Lasts && w.To < w.From,
				w.Reply >= len(thread), w.Reply >= 0 && thread[w.Reply].Round != w.Round:
				t.Fatalf("%s: ask %d, %+v: wait %d is %+v", name, ask, state, i, w)
			}
		}
	}
}

// TestWaitsAreWhenItNeedsYou reads ever longer beginnings of random folders: a human is owed after a line if and
// only if the waits of the whole folder say so of its instant.
func TestWaitsAreWhenItNeedsYou(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	of := func(choices ...string) string { return choices[r.IntN(len(choices))] }
	for n := range rounds(1000) {
		f := figs.New(figs.Options{})
		var files [3]string
		lines := 1 + r.IntN(12)
		needs := make([]bool, lines)
		at := func(i int) string { return time.Unix(1_780_000_000+int64(i)*60, 0).UTC().Format(time.RFC3339) }
		for i := range lines {
			file, rest := 1, of(`"type":"question","title":"T"`, `"type":"sign-off","status":"open"`, `"found":"x"`, `"status":"open"`, `"status":"resolved"`, `"status":"withdrawn"`,
				`"status":"resolved","resolution":{"note":"n"}`, `"type":"question","status":"open"`)
			if i > 0 && r.IntN(12) == 0 {
				rest = `"status":"rejected"`
			}
			id := `"a"`
			if i > 0 && r.IntN(2) == 0 {
				file, id = 2, fmt.Sprintf(`"m%d","ask":"a","by":"b"`, i)
				rest = of(`"kind":"answer","text":"x"`, `"kind":"verdict","verdict":"approved"`, `"kind":"verdict","verdict":"changes-requested","text":"x"`, `"kind":"wave"`)
				if r.IntN(6) == 0 {
					rest = `"kind":"verdict","verdict":"rejected","text":"x"`
				}
			}
			files[file] += `{"id":` + id + `,"ts":"` + at(i) + `",` + rest + "}\n"
			check := figs.New(figs.Options{})
			check.Feed(figs.Asks, []byte(files[1]))
			check.Feed(figs.Messages, []byte(files[2]))
			check.Finish()
			needs[i] = check.State(0).Phase == figs.NeedsYou
		}
		f.Feed(figs.Asks, []byte(files[1]))
		f.Feed(figs.Messages, []byte(files[2]))
		f.Finish()
		checkWaits(t, files[1]+files[2], f)
		waits := f.Waits(0)
		for i := range lines {
			now, _ := figs.ParseTime(at(i))
			owed := false
			for _, w := range waits {
				owed = owed || w.From <= now && (w.Lasts || now < w.To)
			}
			if owed != needs[i] {
				t.Fatalf("folder %d, line %d: owed is %v, its state says %v, waits %+v\n%s%s", n, i, owed, needs[i], waits, files[1], files[2])
			}
		}
	}
}

func TestFlights(t *testing.T) {
	run := func(clock, rest string) string {
		if clock != "" {
			rest += `,"ts":"2026-11-20T` + clock + `:00Z"`
		}
		return `{"id":"r"` + rest + `}`
	}
	for name, c := range map[string]struct{ runs, want []string }{
		"settled at once":  {[]string{run("10:00", `,"status":"ok"`)}, nil},
		"flying":           {[]string{run("10:00", `,"state":"in-flight"`), run("11:00", `,"result":"x"`)}, []string{"10:00", ""}},
		"settled":          {[]string{run("10:00", `,"state":"in-flight"`), run("11:00", `,"result":"x"`), run("12:00", `,"state":"settled"`)}, []string{"10:00", "12:00"}},
		"taken up again":   {[]string{run("10:00", `,"state":"in-flight"`), run("11:00", `,"state":"settled"`), run("12:00", `,"state":"in-flight"`)}, []string{"10:00", "11:00", "12:00", ""}},
		"without times":    {[]string{run("", `,"state":"in-flight"`), run("", `,"state":"settled"`)}, []string{"", ""}},
		"a clock set back": {[]string{run("10:00", `,"state":"in-flight"`), run("09:00", `,"state":"settled"`)}, []string{"10:00", "10:00"}},
	} {
		t.Run(name, func(t *testing.T) {
			flights := read(c.runs, nil, nil).Flights(0)
			if len(flights) != len(c.want)/2 {
				t.Fatalf("%+v, want %v", flights, c.want)
			}
			for i, s := range flights {
				if want := instants(t, c.want[2*i], c.want[2*i+1]); s.From != want[0] || s.To != want[1] {
					t.Errorf("flight %d = %+v, want %v", i, s, c.want)
				}
			}
		})
	}
}

// TestIdling holds the sums to a plain version that counts second by second.
func TestIdling(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	first, _ := figs.ParseTime("2026-01-31T23:58:00Z") // around the end of a month, and of a year
	for n := range 600 {
		const length = 240
		begin := first
		if n%2 == 0 {
			begin, _ = figs.ParseTime("2025-12-31T23:58:00Z")
		}
		split := begin + 120*second
		now := begin + int64(r.IntN(length))*second
		if n%9 == 0 {
			now = figs.NoTime
		}
		x := figs.NewWaitCounter(now)
		var sum, union, held [2]int64 // by month
		var waited, flew [length]bool
		asks, lasting := 0, 0
		for range r.IntN(5) {
			var waits []figs.Wait
			var flights []figs.Span
			span := func(lasts bool) figs.Span {
				from := r.IntN(length - 1)
				s := figs.Span{From: begin + int64(from)*second, To: begin + int64(from+r.IntN(length-from))*second}
				if lasts {
					s.To = figs.NoTime
				}
				return s
			}
			lasts := false
			for range r.IntN(4) {
				lasts = r.IntN(4) == 0
				waits = append(waits, figs.Wait{Span: span(lasts), Lasts: lasts})
				if lasts {
					break
				}
			}
			for range r.IntN(3) {
				flights = append(flights, span(r.IntN(4) == 0))
			}
			if r.IntN(6) == 0 {
				waits = append(waits, figs.Wait{Span: figs.Span{From: figs.NoTime, To: figs.NoTime}, Lasts: true})
				lasts = true
			}
			one := x.Add(waits, flights)
			within := func(s figs.Span, at int64) bool {
				return s.From != figs.NoTime && s.From <= at && (now == figs.NoTime && s.To != figs.NoTime || at < now) && (s.To == figs.NoTime || at < s.To)
			}
			ownSum, ownHeld := int64(0), int64(0)
			for i := range length {
				at := begin + int64(i)*second
				waiting, flying := false, false
				for _, w := range waits {
					waiting = waiting || within(w.Span, at)
				}
				for _, s := range flights {
					flying = flying || within(s, at)
				}
				month := 0
				if at >= split {
					month = 1
				}
				if waiting {
					ownSum += second
					sum[month] += second
					waited[i] = true
				}
				if waiting && flying {
					ownHeld += second
					flew[i] = true
				}
			}
			if one.Sum != ownSum || one.Union != ownSum || one.Held != ownHeld || (one.Lasts == 1) != lasts {
				t.Fatalf("Add(%+v, %+v) at %d = %+v, want %d, of it %d held", waits, flights, now, one, ownSum, ownHeld)
			}
			asks, lasting = asks+one.Asks, lasting+one.Lasts
		}
		for i := range length {
			month := i / 120
			if waited[i] {
				union[month] += second
			}
			if flew[i] {
				held[month] += second
			}
		}
		total, months := x.Sum(24)
		if want := (figs.WaitSummary{Asks: asks, Lasts: lasting, Sum: sum[0] + sum[1], Union: union[0] + union[1], Held: held[0] + held[1]}); total != want {
			t.Fatalf("Sum() = %+v, want %+v", total, want)
		}
		for _, m := range months {
			i := 0
			if m.From >= split {
				i = 1
			}
			if m.From != split && m.From >= begin || m.Sum != sum[i] || m.Union != union[i] || m.Held != held[i] || (m.Asks > 0) != (m.Sum > 0) {
				t.Fatalf("month %d = %+v, want %d, %d, %d", i, m, sum[i], union[i], held[i])
			}
			sum[i] = 0
		}
		if sum[0]+sum[1] != 0 {
			t.Fatalf("the months %+v leave out %v", months, sum)
		}
	}
	x := figs.NewWaitCounter(first + 400*24*hour)
	x.Add([]figs.Wait{{Span: figs.Span{From: first, To: figs.NoTime}, Lasts: true}}, nil)
	if _, months := x.Sum(6); len(months) != 6 || months[5].From <= months[4].From {
		t.Errorf("of thirteen months, the newest six are %+v", months)
	}
}
