package figs

import "unsafe"

// AppendFindings writes the report as one JSON object and a newline: what `doctor --json`,
// the engine and the page all give, byte for byte.
func AppendFindings(dst []byte, r *Report) []byte {
	const usual = 900 // bytes of a finding: growing a large report step by step would leave as much again behind
	if need := usual * len(r.Findings); cap(dst)-len(dst) < need {
		dst = append(make([]byte, 0, len(dst)+need), dst...)
	}
	dst = append(dst, `{"valid":`...)
	dst = appendBool(dst, r.Valid())
	if r.Now != "" {
		dst = AppendString(append(dst, `,"now":`...), r.Now)
	}
	dst = AppendCount(dst, "errors", r.Errors)
	dst = AppendCount(dst, "warnings", r.Warnings)
	dst = AppendCount(dst, "infos", r.Infos)
	dst = append(dst, `,"findings":[`...)
	for i := range r.Findings {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendFinding(dst, &r.Findings[i])
	}
	dst = append(dst, ']')
	if len(r.More) > 0 {
		dst = append(dst, `,"more":[`...)
		for i, m := range r.More {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendString(append(dst, `{"code":`...), m.Code.String())
			dst = append(AppendCount(dst, "count", m.Count), '}')
		}
		dst = append(dst, ']')
	}
	return append(dst, "}\n"...)
}

// AppendFinding writes one finding as a JSON object. Empty fields are left out; line and
// column are always there, 0 when unknown.
func AppendFinding(dst []byte, f *Finding) []byte {
	dst = AppendString(append(dst, `{"code":`...), f.Code.String())
	dst = AppendString(append(dst, `,"severity":`...), f.Severity.String())
	dst = AppendString(append(dst, `,"file":`...), f.File)
	dst = AppendCount(dst, "line", f.Line)
	dst = AppendCount(dst, "column", f.Column)
	dst = AppendCount(dst, "endColumn", f.EndColumn)
	dst = AppendCount(dst, "offset", int(f.Offset))
	dst = appendText(dst, "pointer", f.Pointer)
	dst = appendText(dst, "record", f.Record)
	dst = appendText(dst, "message", f.Message)
	dst = appendText(dst, "hint", f.Hint)
	dst = appendText(dst, "expected", f.Expected)
	dst = appendText(dst, "suggestion", f.Suggestion)
	if len(f.Related) > 0 {
		dst = append(dst, `,"related":[`...)
		for i, p := range f.Related {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendString(append(dst, `{"file":`...), p.File)
			dst = AppendCount(dst, "line", p.Line)
			dst = append(AppendCount(dst, "column", p.Column), '}')
		}
		dst = append(dst, ']')
	}
	dst = append(dst, `,"forAgent":`...)
	return append(quote(f.appendForAgent(dst), len(dst)), '}')
}

func appendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}

// AppendCount writes a comma, a member's name and a number.
//
//go:noinline
func AppendCount(dst []byte, name string, n int) []byte {
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return AppendInt(dst, n)
}

//go:noinline
func appendText(dst []byte, name, s string) []byte {
	if s == "" {
		return dst
	}
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return AppendString(dst, s)
}

// quote makes the text at the end of dst, from begin on, a JSON string.
func quote(dst []byte, begin int) []byte {
	text := dst[begin:]
	dst = AppendString(dst, unsafe.String(unsafe.SliceData(text), len(text))) // read at once, never kept
	return dst[:begin+copy(dst[begin:], dst[begin+len(text):])]
}

// AppendString writes a JSON string. Invalid UTF-8 becomes U+FFFD, but a lone surrogate in its
// three bytes is written as the escape that it came from.
func AppendString(dst []byte, s string) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0 // of what needs no escape and is not written yet
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7F || c == '"' || c == '\\' {
			break
		}
		start = i + 1
	}
	dst = append(dst, s[:start]...)
	for i, r := range s[start:] {
		i += start
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\r':
			dst = append(dst, '\\', 'r')
		case r == '\t':
			dst = append(dst, '\\', 't')
		case r < 0x20 || r == 0x7F || r == 0x2028 || r == 0x2029:
			dst = append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
		case r < 0x7F:
			dst = append(dst, byte(r))
		case r != 0xFFFD || i+2 < len(s) && s[i:i+3] == "\uFFFD":
			dst = append(dst, string(r)...)
		case i+2 < len(s) && s[i] == 0xED && s[i+1] >= 0xA0:
			u := uint32(s[i]&15)<<12 | uint32(s[i+1]&63)<<6 | uint32(s[i+2]&63)
			dst = append(dst, '\\', 'u', digits[u>>12&15], digits[u>>8&15], digits[u>>4&15], digits[u&15])
		case i > 0 && s[i-1] == 0xED && s[i] >= 0xA0, i > 1 && s[i-2] == 0xED && s[i-1] >= 0xA0:
			// the rest of a surrogate
		default:
			dst = append(dst, "\uFFFD"...)
		}
	}
	return append(dst, '"')
}
