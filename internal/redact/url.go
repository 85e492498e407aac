package redact

import "bytes"

// passwordAt reads the password of a URL, at the colon of ://. The user and the password end at the last @ of the
// authority, and the authority at the first of /, ? and #, as the URL standard splits them. A password in which one of
// those was not encoded makes what stands before it no host; it then ends at the last @ of the whole.
func passwordAt(b []byte, i int) (start, end int) {
	if at(b, i+1) != '/' || at(b, i+2) != '/' || !letters.has(at(b, i-1)) && !digits.has(at(b, i-1)) {
		return 0, 0
	}
	from := i + 3
	scheme := i
	for scheme > 0 && i-scheme < 24 && (word.has(b[scheme-1]) || b[scheme-1] == '+' || b[scheme-1] == '.') {
		scheme--
	}
	quote := at(b, scheme-1)
	stop, authority := from, 0
	for ; stop < len(b) && stop < from+512; stop++ {
		c := b[stop]
		if c <= ' ' || c == '"' || c == '<' || c == '>' || c == '\\' || (c == '\'' || c == '`' || c == ')') && (c == quote || c == ')' && quote == '(') {
			break
		}
		if authority == 0 && (c == '/' || c == '?' || c == '#') {
			authority = stop
		}
		if c == ':' && at(b, stop+1) == '/' && at(b, stop+2) == '/' { // of the next URL
			break
		}
	}
	if authority == 0 {
		authority = stop
	}
	last := bytes.LastIndexByte(b[from:authority], '@')
	colon := bytes.IndexByte(b[from:authority], ':')
	if colon < 0 {
		return 0, 0
	}
	if last < 0 && authority < stop {
		port := b[from+colon+1 : authority]
		if colon > 0 && digits.run(port, 0, 6) == len(port) { // a host, a port and a path
			return 0, 0
		}
		last = bytes.LastIndexByte(b[from:stop], '@')
	}
	if last <= colon {
		return 0, 0
	}
	start, end = from+colon+1, from+last
	if end-start < 3 || end-start > 256 || template(b[start:end]) || !isAlnum(at(b, end+1)) && at(b, end+1) != '[' {
		return 0, 0
	}
	return start, end
}

// dsnAt reads the password of user:password@tcp(host:3306)/name, at its @.
func dsnAt(b []byte, i int) (start, end int) {
	if !bytes.HasPrefix(b[i:], []byte("@tcp(")) && !bytes.HasPrefix(b[i:], []byte("@unix(")) {
		return 0, 0
	}
	for start = i; start > 0 && i-start < 256 && b[start-1] > ' ' && b[start-1] != '"' && b[start-1] != '\'' && b[start-1] != '`'; start-- {
	}
	colon := bytes.IndexByte(b[start:i], ':')
	if colon < 0 || i-start-colon < 4 || template(b[start+colon+1:i]) {
		return 0, 0
	}
	return start + colon + 1, i
}
