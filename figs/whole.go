package figs

// checkWhole judges what needs every line: required fields of folds (§3), references and the
// way asks were closed (§5, §6).
func (f *Folder) checkWhole() {
	runs, asks := &f.ledgers[Runs], &f.ledgers[Asks]
	for i := range runs.recs.n {
		f.checkRun(runs, runs.recs.at(i), uint32(i))
	}
	from := 0
	for i := range asks.recs.n {
		to := from
		for to < len(f.threads) && f.askOf(f.threads[to]) == i {
			to++
		}
		f.checkAsk(asks, asks.recs.at(i), i, f.threads[from:to])
		from = to
	}
	f.judgeFiles()
	for _, file := range [...]File{Contract, Guide} {
		if f.smallCut[file] > 0 {
			f.note(FileUnreadable, file).value = "only its first 4 MiB were read"
		}
	}
}

// atLine begins a finding about a record as a whole, at one of its lines.
func (f *Folder) atLine(code Code, l *ledger, i, rec uint32) *pending {
	ln := l.lines.at(int(i))
	p := f.note(code, l.file)
	p.line, p.off, p.rec = ln.no, ln.off(), rec+1
	return p
}

// atSpot begins a finding at a value that was noted while its line was read.
func (f *Folder) atSpot(code Code, l *ledger, s spot, rec uint32, pointer string) *pending {
	p := f.atLine(code, l, s.line, rec)
	p.col, p.end, p.pointer = s.col, s.end, pointer
	p.off = l.place(s)
	return p
}

func (f *Folder) checkRun(l *ledger, r *record, rec uint32) {
	if r.truth>>keyTS&1 == 0 {
		f.atLine(RunTSMissing, l, r.first, rec)
	}
	if f.then == NoTime || r.kind != stateInFlight {
		return
	}
	if at := l.lines.at(int(r.last)).ts; at != NoTime && f.then-at > silence {
		f.atLine(JobSilent, l, r.last, rec).value = itoa(int((f.then - at) / (24 * 3600 * second)))
	}
}

func (f *Folder) checkAsk(l *ledger, r *record, i int, thread []int) {
	rec := uint32(i)
	facts := f.asks.at(int(r.ext))
	if r.truth>>keyType&1 == 0 {
		f.atLine(AskTypeMissing, l, r.first, rec)
	}
	if r.truth>>keyTitle&1 == 0 {
		f.atLine(AskTitleMissing, l, r.first, rec)
	}
	if facts.approve.col > 0 && r.kind == typeQuestion {
		f.atSpot(OnApproveOnQuestion, l, facts.approve, rec, "/onApprove")
	}
	if r.kind == typeSignOff {
		if !facts.hasFiles {
			f.atLine(SignOffWithoutAttachment, l, r.first, rec)
		}
		if !facts.steps {
			f.atLine(SignOffWithoutOnApprove, l, r.first, rec)
		}
	}
	for _, m := range thread {
		f.checkReply(r, facts, m)
	}
	if facts.changed > 0 && r.status <= statusOpen {
		f.checkChange(l, facts, rec)
	}
	if r.status >= statusResolved && r.status <= statusRejected {
		f.checkClose(l, r, facts, rec, thread)
	} else if f.past == nil {
		f.heal(r, 1<<keyResolution, 0) // of an open ask: stale, judged by nothing (§6)
	}
}

// checkChange says what changed after a reply though nobody raised the ask again.
func (f *Folder) checkChange(l *ledger, facts *askFacts, rec uint32) {
	messages, m := &f.ledgers[Messages], f.messages.at(int(facts.before))
	s := f.changes.at(int(facts.newest - 1))
	for n := facts.changes; n > facts.changed; n-- {
		s = f.changes.at(int(s.prev - 1))
	}
	p := f.atSpot(AskChangedAfterReply, l, s.at, rec, "/"+keyNames[s.key])
	p.value, p.extra = keyNames[s.key], messages.ids.text(f.messageID(int(facts.before)))
	p.related = append(p.related, Position{messages.file.String(), int(messages.lines.at(int(m.line)).no), 0})
}

// checkReply holds a reply against the ask that it answers.
func (f *Folder) checkReply(r *record, facts *askFacts, message int) {
	l := &f.ledgers[Messages]
	m := f.messages.at(message)
	rec := l.lines.at(int(m.line)).rec
	switch {
	case m.kind == kindVerdict && r.kind == typeQuestion:
		f.atSpot(VerdictOnQuestion, l, m.kinded, rec, "/kind")
	case m.kind == kindAnswer && r.kind == typeSignOff:
		f.atSpot(AnswerOnSignOff, l, m.kinded, rec, "/kind")
	}
	if m.chose != 0 && !f.earlier[message] && !f.isOption(facts, m.chose) {
		f.atSpot(MessageChosenUnknown, l, m.chosen, rec, "/chosen").value = f.phrases.text(m.text)
	}
}

//go:noinline
func (f *Folder) isOption(facts *askFacts, hash uint64) bool {
	from, to := int(facts.options), int(facts.options+facts.optionsN)
	if facts.optionsN > fewOptions && !facts.sorted {
		f.sortOptions(from, to)
		facts.sorted = true
	}
	for to-from > fewOptions {
		if mid := (from + to) / 2; *f.optHash.at(mid) <= hash {
			from = mid
		} else {
			to = mid
		}
	}
	for ; from < to; from++ {
		if *f.optHash.at(from) == hash {
			return true
		}
	}
	return false
}

// sortOptions sorts a range of optHash.
func (f *Folder) sortOptions(from, to int) {
	hashes := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		hashes = append(hashes, int(*f.optHash.at(i)))
	}
	Sort(hashes, func(x, y int) bool { return uint64(x) < uint64(y) })
	for i, h := range hashes {
		*f.optHash.at(from + i) = uint64(h)
	}
}

// fewOptions are looked through one by one.
const fewOptions = 32

// checkClose judges how an ask was closed. A resolution beside an open status is stale and
// judged by nothing (§6).
func (f *Folder) checkClose(l *ledger, r *record, facts *askFacts, rec uint32, thread []int) {
	if facts.chose != 0 && !f.isOption(facts, facts.chose) {
		f.atSpot(ResolutionChosenUnknown, l, facts.ofResolution(facts.chosen), rec, "/resolution/chosen").value = f.phrases.text(facts.text)
	}
	if facts.via == viaFigs && facts.answered.col == 0 {
		f.atSpot(ResolutionAnswerMissing, l, facts.resolved, rec, "/resolution")
	}
	earlier := f.checkCited(l, r, facts, rec)
	if r.kind == typeSignOff && r.status == statusResolved {
		f.checkVerdict(l, facts, rec, thread, earlier)
	}
}

// checkCited judges the reply that a close cites; it reports whether the reply is of an
// earlier round.
func (f *Folder) checkCited(l *ledger, r *record, facts *askFacts, rec uint32) bool {
	messages := &f.ledgers[Messages]
	cited := messages.ids.record(facts.answer)
	if cited < 0 {
		return false
	}
	message := int(messages.recs.at(cited).ext)
	switch {
	case f.messages.at(message).ask != r.id:
		p := f.atSpot(ResolutionAnswerOtherAsk, l, facts.ofResolution(facts.answered), rec, "/resolution/answer")
		p.value = messages.ids.text(facts.answer)
		p.extra = f.ledgers[Asks].ids.text(f.messages.at(message).ask)
	case f.earlier[message]:
		p := f.atSpot(CloseCitesEarlierRound, l, facts.ofResolution(facts.answered), rec, "/resolution/answer")
		p.value = messages.ids.text(facts.answer)
		p.related = append(p.related, Position{messages.file.String(), int(messages.lines.at(int(f.messages.at(message).line)).no), 0})
		return true
	}
	return false
}

// checkVerdict judges whether a resolved sign-off was approved.
func (f *Folder) checkVerdict(l *ledger, facts *askFacts, rec uint32, thread []int, earlier bool) {
	newest := -1
	for i, m := range thread {
		if f.messages.at(m).kind == kindVerdict && !f.earlier[m] {
			newest = i
		}
	}
	if newest < 0 {
		if !earlier && !(f.opt.Loose && !f.fed[Messages]) && !f.Unread(Messages) {
			f.atSpot(CloseWithoutVerdict, l, facts.closed, rec, "/status")
		}
		return
	}
	m := f.messages.at(thread[newest])
	if m.verdict == verdictApproved {
		return
	}
	p := f.atSpot(CloseAgainstVerdict, l, facts.closed, rec, "/status")
	if m.verdict != badValue && m.verdict != 0 {
		p.value = verdicts[m.verdict-1]
	}
	messages := &f.ledgers[Messages]
	p.related = append(p.related, Position{messages.file.String(), int(messages.lines.at(int(m.line)).no), 0})
}
