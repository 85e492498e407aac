package redact

// match is something that a rule found in a text.
type match struct {
	rule, start, end int
	proven           bool     // a checksum or its structure says so
	forms            []string // in which the same value may stand elsewhere: the lines of a key, a value without the mark behind it
	apart            bool     // it is replaced by its forms alone
	inside           string   // a secret of its own that it holds, encoded
}

// detector is a way to find something, tried at each byte of at. It has one of the two functions.
type detector struct {
	at    *set
	start bool // only where no letter or digit stands before
	match func(b []byte, i int) match

	// span is where the value begins and ends, which rule finds; end is 0 for nothing. Nothing before floor belongs to it.
	span   func(b []byte, i, floor int) (start, end int)
	rule   int
	proven bool
}

// detectors are tried in this order, and the first that finds something decides.
var detectors = []detector{
	{at: setOf("hd"), match: tokenAt},
	{at: tokenStart, start: true, match: tokenAt},
	{at: setOf("Q"), span: ignoringFloor(azureAt), rule: serviceToken, proven: true},
	{at: setOf("@"), span: ignoringFloor(dsnAt), rule: urlPassword},
	{at: setOf("@"), span: emailAt, rule: email},
	{at: setOf("-"), match: pemAt},
	{at: setOf("+("), span: startingAt(phoneAt), rule: phone},
	{at: setOf(":"), span: ignoringFloor(passwordAt), rule: urlPassword},
	{at: &keywordStart, match: keyedAt},
	{at: setOf("bB"), match: basicAt},
	{at: phoneStart, span: ignoringFloor(dialedAt), rule: phone},
	{at: setOf("A-Z"), start: true, span: startingAt(ibanAt), rule: iban, proven: true},
	{at: digits, start: true, span: startingAt(cardAt), rule: card, proven: true},
	{at: digits, start: true, span: startingAt(phoneAt), rule: phone},
	{at: setOf("0-9a-fA-F:"), start: true, span: startingAt(ipAt), rule: address},
}

// ignoringFloor adapts a function that reads around a byte, and needs no floor.
func ignoringFloor(read func(b []byte, i int) (start, end int)) func(b []byte, i, floor int) (start, end int) {
	return func(b []byte, i, _ int) (start, end int) { return read(b, i) }
}

// startingAt adapts a function that reads a value that begins at a byte.
func startingAt(read func(b []byte, i int) (end int)) func(b []byte, i, floor int) (start, end int) {
	return func(b []byte, i, _ int) (start, end int) { return i, read(b, i) }
}

// detectorsAt are the detectors of each byte.
var detectorsAt = func() (by [256][]*detector) {
	for i := range detectors {
		for c := range 256 {
			if detectors[i].at.has(byte(c)) {
				by[c] = append(by[c], &detectors[i])
			}
		}
	}
	return by
}()

// find calls found for what the rules know of in a text, from its beginning to its end; nothing overlaps but what
// an element holds.
func find(b []byte, found func(m match)) {
	floor := 0
	for i := 0; i < len(b); i++ {
		if b[i] == '<' {
			elementAt(b, i, found)
			continue
		}
		if len(detectorsAt[b[i]]) == 0 {
			continue
		}
		m := lookAt(b, i, floor)
		if m.end == 0 {
			continue
		}
		found(m)
		floor = m.end
		i = max(i, m.end-1)
	}
}

// lookAt is what stands at i. A secret behind a keyword may begin later; what begins before floor was found already.
func lookAt(b []byte, i, floor int) match {
	fresh := !isAlnum(at(b, i-1))
	for _, d := range detectorsAt[b[i]] {
		if d.start && !fresh {
			continue
		}
		if d.match != nil {
			if m := d.match(b, i); m.end > 0 && m.start >= floor {
				return m
			}
		} else if start, end := d.span(b, i, floor); end > 0 && start >= floor {
			return match{rule: d.rule, start: start, end: end, proven: d.proven}
		}
	}
	return match{}
}
