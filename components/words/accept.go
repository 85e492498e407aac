package words

import "strings"

// mostAsked is how many languages of a request are looked at. Browsers ask for a few.
const mostAsked = 32

// Choose is the language that somebody asks for with the values of the header Accept-Language: of
// those there are, the one that is wanted most, and of two that are wanted alike the first one.
// It is English for whoever asks for none that there is.
func Choose(accept []string) string {
	chosen, most, asked := English.Code, 0, 0
	for _, value := range accept {
		for part := range strings.SplitSeq(value, ",") {
			if asked++; asked > mostAsked {
				return chosen
			}
			tag, options, _ := strings.Cut(part, ";")
			code := primary(tag)
			if weight := weightOf(options); code != "" && weight > most {
				chosen, most = code, weight
			}
		}
	}
	return chosen
}

// primary is the code of the language that a tag as "de-AT" asks for; "" when there is none such.
// "*" is English. PseudoLanguage needs its exact tag.
func primary(tag string) string {
	tag = strings.TrimSpace(tag)
	if strings.EqualFold(tag, PseudoLanguage.Code) {
		return PseudoLanguage.Code
	}
	tag, _, _ = strings.Cut(strings.ToLower(tag), "-")
	switch {
	case tag == "*":
		return English.Code
	case Known(tag):
		return tag
	}
	return ""
}

// weightOf is how much a tag is wanted, in thousandths: what stands behind "q=", and all of it
// where nothing does. What cannot be read counts for nothing.
func weightOf(options string) int {
	for option := range strings.SplitSeq(options, ";") {
		name, value, ok := strings.Cut(strings.TrimSpace(option), "=")
		if ok && strings.EqualFold(strings.TrimSpace(name), "q") {
			return thousandths(strings.TrimSpace(value))
		}
	}
	return 1000
}

// thousandths reads "1", "0.5" or "0.123"; everything else is 0.
func thousandths(q string) int {
	whole, part, _ := strings.Cut(q, ".")
	if whole != "0" && whole != "1" || len(part) > 3 {
		return 0
	}
	n := int(whole[0]-'0') * 1000
	for i, unit := 0, 100; i < len(part); i, unit = i+1, unit/10 {
		if part[i] < '0' || part[i] > '9' {
			return 0
		}
		n += int(part[i]-'0') * unit
	}
	if n > 1000 {
		return 0
	}
	return n
}
