package sandbox

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/sandbox/report"
)

const bom = "\xef\xbb\xbf"

// decode reads the content as UTF-8 into text, with a notice for everything that it had to change,
// or finds that the content is binary.
func (p *page) decode() {
	content := p.content
	if p.binary = binary(content); p.binary {
		p.binaryNotice()
		return
	}
	if bytes.HasPrefix(content, []byte(bom)) {
		content = content[len(bom):]
		p.notice(report.BOMRemoved, "The file begins with a byte order mark, which is not shown.")
	}
	p.text = p.repaired(string(content), len(p.content)-len(content))
}

// repaired returns s without NUL and with U+FFFD for bytes that are no UTF-8.
func (p *page) repaired(s string, base int) string {
	if at := strings.IndexByte(s, 0); at >= 0 {
		p.result.Notices = append(p.result.Notices, report.Notice{Code: report.NULRemoved,
			Text: "The file contains NUL bytes, which are not shown.", At: int64(base + at)})
		s = strings.ReplaceAll(s, "\x00", "")
	}
	if !utf8.ValidString(s) {
		p.result.Notices = append(p.result.Notices, report.Notice{Code: report.InvalidUTF8,
			Text: "The file contains bytes that are not valid UTF-8. They are shown as \uFFFD.", At: int64(firstInvalid(p.content))})
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return s
}

// firstInvalid returns the offset of the first byte that is no UTF-8.
func firstInvalid(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return 0
}

// binaryNotice says that content is no text, and what it seems to be.
func (p *page) binaryNotice() {
	if is := looksLike(p.content); is != "" {
		p.notice(report.WrongType, "By its name this is a "+p.result.Ext+" file, but it begins like "+is+". Its bytes are shown instead.")
		return
	}
	text := "This file is not text: it contains many NUL and control bytes. Its bytes are shown instead."
	if bytes.HasPrefix(p.content, []byte("\xff\xfe")) || bytes.HasPrefix(p.content, []byte("\xfe\xff")) {
		text = "This file is UTF-16 text, which is not supported. Ask for it in UTF-8. Its bytes are shown instead."
	}
	p.notice(report.Binary, text)
}

// binary reports whether content is no text: it begins as a known image, or more than one byte in
// ten is a control byte that no text holds.
func binary(content []byte) bool {
	if looksLike(content) != "" {
		return true
	}
	odd := 0
	for _, c := range content {
		if c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b {
			odd++
		}
	}
	return odd*10 > len(content)
}
