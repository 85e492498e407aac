package redact

import "bytes"

// A key is replaced line by line, so that whatever stands before or between its lines stays: the marks of a quoted mail
// or a diff, the name of a container, the commas of an array. Where nothing does, it is replaced as one.

const (
	longestKey  = 64 << 10 // bytes from BEGIN to END
	shortestRun = 16       // characters of base64 that may be a line of a key
)

// pemChars are the characters of base64 in a PEM block.
var pemChars = setOf("A-Za-z0-9+/=")

// pemAt reads a private key or a certificate whose BEGIN line is at i. end is the end of what is replaced as one; it is
// that of the BEGIN line when its lines are replaced one by one. forms are those lines.
func pemAt(b []byte, i int) (m match) {
	rule, body := pemHeader(b, i)
	if body == 0 {
		return m
	}
	last, lines, plain := keyLines(b, i, body)
	if len(lines) == 0 {
		return m
	}
	m = match{rule: rule, start: i, end: last, proven: true, forms: lines}
	if !plain {
		m.end, m.apart = body, true
	}
	return m
}

// pemHeader reads the BEGIN line at i: which rule it is for, and where it ends; 0 when it is none.
func pemHeader(b []byte, i int) (rule, end int) {
	if !bytes.HasPrefix(b[i:], []byte("-----BEGIN ")) {
		return 0, 0
	}
	head := bytes.Index(b[i+5:min(len(b), i+80)], []byte("-----"))
	if head < 0 {
		return 0, 0
	}
	switch name := b[i : i+5+head]; {
	case bytes.Contains(name, []byte("PRIVATE KEY")):
		return privateKey, i + 5 + head + 5
	case bytes.Contains(name, []byte("CERTIFICATE")):
		return certificate, i + 5 + head + 5
	}
	return 0, 0
}

// keyLines are the lines of base64 behind the BEGIN line at i, which ends at from, and where the last thing ends that
// belongs to it. plain says that nothing but the key stands between.
func keyLines(b []byte, i, from int) (end int, lines []string, plain bool) {
	stop := min(len(b), from+longestKey)
	if next := bytes.Index(b[from:stop], []byte("-----BEGIN ")); next >= 0 {
		stop = from + next
	}
	closed := false
	if last := bytes.Index(b[from:stop], []byte("-----END ")); last >= 0 {
		stop, closed = from+last, true
	}
	type run struct{ start, end int }
	var runs []run
	longest := 0
	for at := from; at < stop; at++ {
		if b[at] == '\\' && (at+1 == stop || alnum.has(b[at+1])) { // \n between the lines
			at++
			continue
		}
		if !pemChars.has(b[at]) {
			continue
		}
		e := pemChars.run(b[:stop], at, longestKey)
		if e-at >= shortestRun && blended(b[at:e]) {
			runs = append(runs, run{at, e})
			longest = max(longest, e-at)
		}
		if !closed && len(runs) > 0 && at-runs[len(runs)-1].end > 256 { // prose follows what was cut off
			break
		}
		at = e - 1
	}
	if longest == 0 {
		return 0, nil, false
	}
	full := 0 // the last line that is as long as most
	for k, r := range runs {
		if r.end-r.start >= longest-2 {
			full = k
		}
	}
	marked := at(b, i-1) == '+' // an added line of a diff
	for k, r := range runs {
		if r.end-r.start >= longest-2 || k == full+1 {
			line := b[r.start:r.end]
			if marked && line[0] == '+' {
				line = line[1:]
			}
			lines, end = append(lines, string(line)), r.end
		}
	}
	if !closed {
		return end, lines, pem.run(b[:end], from, longestKey) == end
	}
	if pem.run(b[:stop], from, longestKey) == stop {
		if close := bytes.Index(b[stop+9:min(len(b), stop+80)], []byte("-----")); close >= 0 {
			return stop + 9 + close + 5, lines, true
		}
	}
	if tail := shortLine(b, end, stop); tail != "" {
		lines = append(lines, tail)
	}
	return end, lines, false
}

// shortLine is the last line of a key when it is a short one that can be told from other words.
func shortLine(b []byte, from, stop int) (line string) {
	for at := from; at < stop; at++ {
		if b[at] == '\\' {
			at++
			continue
		}
		e := pemChars.run(b[:stop], at, shortestRun)
		if m := mixOf(b[at:e]); e-at >= 8 && e-at < shortestRun && (m.upper > 0 && m.lower > 0 && !camel(b[at:e]) || b[e-1] == '=') {
			line = string(b[at:e])
		}
		at = max(at, e-1)
	}
	return line
}

// blended reports whether base64 is no word and no path.
func blended(v []byte) bool {
	m := mixOf(v)
	return m.upper > 0 && m.lower > 0 && (m.digit > 0 || m.classes() >= 3 || m.upper*5 > len(v)) && m.distinct >= 6
}

// keys notes the keys whose lines stand in several strings, or rows, of a document: each of those is a text of its own.
func (r *Redaction) keys(content []byte) {
	begin := []byte("-----BEGIN ")
	for at := 0; ; {
		next := bytes.Index(content[at:], begin)
		if next < 0 {
			return
		}
		at += next
		if rule, body := pemHeader(content, at); body > 0 {
			stop := min(len(content), at+2*longestKey)
			if next := bytes.Index(content[body:stop], begin); next >= 0 {
				stop = body + next
			}
			v := &view{text: content[at:stop]}
			if w := v.through(backslash, escape); w != nil {
				v = w
			}
			if _, lines, _ := keyLines(v.text, 0, body-at); len(lines) > 0 {
				r.book.noteKey(rule, "", lines)
			}
		}
		at += len(begin)
	}
}
