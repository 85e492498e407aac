package main

import (
	"regexp"
	"strings"
)

// Sentences by which a licence is known, with letters small, blanks single and marks left out. Every one of them has to
// be there.
var known = []struct {
	name      string
	sentences []string
}{
	{"Apache-2.0 (new parts) and MIT", []string{"transition from the mit license to the apache license", "grant of patent license", "permission is hereby granted free of charge"}},
	{"MIT and Apache-2.0", []string{"covered by two different licenses mit and apache", "permission is hereby granted free of charge"}},
	{"Apache-2.0", []string{"apache license version 2 0", "grant of patent license"}},
	{"MPL-2.0", []string{"mozilla public license version 2 0", "covered software"}},
	{"MIT, with parts under BSD-3-Clause", []string{"the software is provided as is", "permission is hereby granted free of charge to any person obtaining a copy", "redistributions in binary form must reproduce the above copyright notice", "endorse or promote products derived from this software"}},
	{"MIT", []string{"permission is hereby granted free of charge to any person obtaining a copy", "the above copyright notice and this permission notice shall be included in all copies or substantial portions of the software", "the software is provided as is"}},
	{"ISC", []string{"permission to use copy modify and or distribute this software for any purpose with or without fee is hereby granted", "provided that the above copyright notice and this permission notice appear in all copies"}},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "redistributions of source code must retain the above copyright notice", "redistributions in binary form must reproduce the above copyright notice", "endorse or promote products derived from this software"}},
	{"BSD-2-Clause", []string{"redistribution and use in source and binary forms", "redistributions of source code must retain the above copyright notice", "redistributions in binary form must reproduce the above copyright notice"}},
}

// strongs are licences that ask for the source of what they are linked into.
var strongs = []string{"gnu affero general public license", "gnu lesser general public license", "gnu general public license", "server side public license"}

var between = regexp.MustCompile(`[^\p{L}\p{N}]+`)

// plain is a text without whatever editors change.
func plain(text []byte) string { return between.ReplaceAllString(strings.ToLower(string(text)), " ") }

// recognise names a licence; "" is one that is not known, or that is no permissive one.
func recognise(text []byte) string {
	if copyleft(text) != "" {
		return ""
	}
	said := plain(text)
	for _, l := range known {
		all := true
		for _, sentence := range l.sentences {
			all = all && strings.Contains(said, sentence)
		}
		if all {
			return l.name
		}
	}
	return ""
}

// copyleft is the licence of strong copyleft that a text grants under; "" when it grants under none. The MPL names some
// of them as secondary ones.
func copyleft(text []byte) string {
	said := plain(text)
	if strings.Contains(said, "mozilla public license version 2 0") {
		return ""
	}
	for _, name := range strongs {
		if strings.Contains(said, name) {
			return name
		}
	}
	return ""
}
