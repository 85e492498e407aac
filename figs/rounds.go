package figs

// Rounds returns, for each line of an ask's trail, the round that the line began or belongs
// to, from 1 (§6).
func (f *Folder) Rounds(ask int) []int {
	l := &f.ledgers[Asks]
	var thread []int
	for _, m := range f.threads {
		if f.askOf(m) == ask {
			thread = append(thread, m)
		}
	}
	chain := l.chain(ask)
	rounds := make([]int, len(chain))
	replies := f.replies(thread)
	round, start, raised := 1, 0, false
	for i, n := range chain {
		if t, ok := l.lines.at(int(n)).turn(&raised); ok {
			start = max(start, replies.before(t))
			if t.reopen || start > 0 {
				round++
			}
		}
		rounds[i] = round
	}
	return rounds
}

// Raises reports, for each line of an ask's trail, whether it puts the ask to a human, and
// whether it closes it (§6).
func (f *Folder) Raises(ask int) (raises, closes []bool) {
	l := &f.ledgers[Asks]
	for _, n := range l.chain(ask) {
		flags := l.lines.at(int(n)).flags
		raises = append(raises, flags&(lineRaises|lineReopens) != 0)
		closes = append(closes, flags&lineCloses != 0)
	}
	return raises, closes
}
