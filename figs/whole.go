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
			f.add(FileUnreadable, pending{file: file, value: "only its first 4 MiB were read"})
		}
	}
}

// atLine is a finding about a record as a whole, at one of its lines.
func (l *ledger) atLine(i, rec uint32) pending {
	ln := l.lines.at(int(i))
	return pending{file: l.file, line: ln.no, off: ln.off, rec: rec, key: keyUnknown}
}

// atSpot is a finding at a value that was noted while its line was read.
func (l *ledger) atSpot(s spot, rec uint32, pointer string) pending {
	p := l.atLine(s.line, rec)
	p.col, p.end, p.pointer = s.col, s.end, pointer
	p.off += int64(s.col) - 1 - int64(l.lines.at(int(s.line)).indent)
	return p
}

func (f *Folder) checkRun(l *ledger, r *record, rec uint32) {
	if r.truth>>keyTS&1 == 0 {
		f.add(RunTSMissing, l.atLine(r.first, rec))
	}
	if f.now == NoTime || r.kind != stateInFlight {
		return
	}
	if at := l.lines.at(int(r.last)).ts; at != NoTime && f.now-at > silence {
		p := l.atLine(r.last, rec)
		p.value = itoa(int((f.now - at) / (24 * 3600 * second)))
		f.add(JobSilent, p)
	}
}

func (f *Folder) checkAsk(l *ledger, r *record, i int, thread []uint32) {
	rec := uint32(i)
	facts := f.asks.at(int(r.ext))
	if r.truth>>keyType&1 == 0 {
		f.add(AskTypeMissing, l.atLine(r.first, rec))
	}
	if r.truth>>keyTitle&1 == 0 {
		f.add(AskTitleMissing, l.atLine(r.first, rec))
	}
	if facts.approve.col > 0 && r.kind != typeSignOff {
		f.add(OnApproveOnQuestion, l.atSpot(facts.approve, rec, "/onApprove"))
	}
	if r.kind == typeSignOff {
		if !facts.hasFiles {
			f.add(SignOffWithoutAttachment, l.atLine(r.first, rec))
		}
		if !facts.steps {
			f.add(SignOffWithoutOnApprove, l.atLine(r.first, rec))
		}
	}
	for _, m := range thread {
		f.checkReply(r, facts, m)
	}
	if r.status >= statusResolved && r.status <= statusRejected {
		f.checkClose(l, r, facts, rec, thread)
	}
}

// checkReply holds a reply against the ask that it answers.
func (f *Folder) checkReply(r *record, facts *askFacts, message uint32) {
	l := &f.ledgers[Messages]
	m := f.messages.at(int(message))
	rec := l.lines.at(int(m.line)).rec
	switch {
	case m.kind == kindVerdict && r.kind == typeQuestion:
		f.add(VerdictOnQuestion, l.atSpot(m.kinded, rec, "/kind"))
	case m.kind == kindAnswer && r.kind == typeSignOff:
		f.add(AnswerOnSignOff, l.atSpot(m.kinded, rec, "/kind"))
	}
	if m.chose != 0 && !f.earlier[message] && !f.isOption(facts, m.chose) {
		p := l.atSpot(m.chosen, rec, "/chosen")
		p.value = m.text
		f.add(MessageChosenUnknown, p)
	}
}

func (f *Folder) isOption(facts *askFacts, hash uint64) bool {
	for _, h := range f.optHash[facts.options : facts.options+facts.optionsN] {
		if h == hash {
			return true
		}
	}
	return false
}

// checkClose judges how an ask was closed. A resolution beside an open status is stale and
// judged by nothing (§6).
func (f *Folder) checkClose(l *ledger, r *record, facts *askFacts, rec uint32, thread []uint32) {
	if facts.chose != 0 && !f.isOption(facts, facts.chose) {
		p := l.atSpot(facts.chosen, rec, "/resolution/chosen")
		p.value = facts.text
		f.add(ResolutionChosenUnknown, p)
	}
	if facts.via == viaFigs && facts.answered.col == 0 {
		f.add(ResolutionAnswerMissing, l.atSpot(facts.resolved, rec, "/resolution"))
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
	message := messages.recs.at(cited).ext
	switch {
	case f.messages.at(int(message)).ask != r.id:
		p := l.atSpot(facts.answered, rec, "/resolution/answer")
		p.value = messages.ids.text(facts.answer)
		p.extra = f.ledgers[Asks].ids.text(f.messages.at(int(message)).ask)
		f.add(ResolutionAnswerOtherAsk, p)
	case f.earlier[message]:
		p := l.atSpot(facts.answered, rec, "/resolution/answer")
		p.value = messages.ids.text(facts.answer)
		p.related = append(p.related, Place{messages.file.String(), int(messages.lines.at(int(f.messages.at(int(message)).line)).no), 0})
		f.add(CloseCitesEarlierRound, p)
		return true
	}
	return false
}

// checkVerdict judges whether a resolved sign-off was approved.
func (f *Folder) checkVerdict(l *ledger, facts *askFacts, rec uint32, thread []uint32, earlier bool) {
	newest := -1
	for i, m := range thread {
		if f.messages.at(int(m)).kind == kindVerdict && !f.earlier[m] {
			newest = i
		}
	}
	if newest < 0 {
		if !earlier {
			f.add(CloseWithoutVerdict, l.atSpot(facts.closed, rec, "/status"))
		}
		return
	}
	m := f.messages.at(int(thread[newest]))
	if m.verdict == verdictApproved {
		return
	}
	p := l.atSpot(facts.closed, rec, "/status")
	if m.verdict != badValue && m.verdict != 0 {
		p.value = verdicts[m.verdict-1]
	}
	messages := &f.ledgers[Messages]
	p.related = append(p.related, Place{messages.file.String(), int(messages.lines.at(int(m.line)).no), 0})
	f.add(CloseAgainstVerdict, p)
}
