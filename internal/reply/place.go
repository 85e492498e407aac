package reply

// Place turns the numbers of a form's attachments into those of a gate. An attachment whose bytes have changed since the
// form was shown loses its ticks.
func (f *Form) Place(g *Gate) {
	shown := map[File]int{} // by number in the gate
	for i := range g.Files {
		shown[g.Files[i].File] = i + 1
	}
	at := func(n int) int {
		if n > len(f.Files) {
			return 0
		}
		return shown[f.Files[n-1]]
	}
	f.Waived, f.Hidden = placed(f.Waived, at), placed(f.Hidden, at)
	measured := f.Measured[:0:0]
	for _, m := range f.Measured {
		if m.File = at(m.File); m.File > 0 {
			measured = append(measured, m)
		}
	}
	f.Measured = measured
}

func placed(numbers []int, at func(int) int) (all []int) {
	for _, n := range numbers {
		if n = at(n); n > 0 {
			all = append(all, n)
		}
	}
	return all
}

// Keep takes the ticks of a form that was not taken, and what was measured, into one that shows the gate.
func (f *Form) Keep(sent Form, g *Gate) {
	sent.Place(g)
	f.Waived, f.Ticked, f.Hidden, f.Measured = sent.Waived, sent.Ticked, sent.Hidden, sent.Measured
}
