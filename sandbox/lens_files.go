package sandbox

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/sandbox/report"
)

// download looks into a file that is never shown.
func (f *finds) download(ext string, b []byte) {
	switch {
	case ext == "csv" || ext == "tsv":
		f.text = strings.ToValidUTF8(string(bytes.TrimPrefix(b, []byte(bom))), "\uFFFD")
		f.base = int64(len(b) - len(bytes.TrimPrefix(b, []byte(bom))))
		f.characters(report.Plain)
		f.lookAlikes(f.text)
		f.formulas()
	case bytes.HasPrefix(b, []byte("%PDF-")):
		f.pdf(b)
	case looksLike(b) != "":
		f.picture("", b)
	case neverShown(b) == "" && utf8.Valid(b) && bytes.IndexByte(b, 0) < 0:
		f.text = string(b)
		f.characters(report.Plain)
		f.lookAlikes(f.text)
		f.farAway()
	default:
		f.unread = "Files of this type are not looked into here."
	}
}

// formulas notes the cells of a table that a spreadsheet calculates: it shows the result instead.
func (f *finds) formulas() {
	s := f.text
	comma := delimiterOf(s)
	row, column := 1, 0
	for at := 0; at < len(s); {
		end, next := cellEnd(s, at, comma)
		cell := s[at:end]
		inside := strings.TrimSuffix(strings.TrimPrefix(cell, `"`), `"`)
		if calculated(inside) {
			f.add(report.Passage{Way: report.Formula, Sight: report.Likely, Why: "formula", Text: strings.ReplaceAll(inside, `""`, `"`),
				Path: columnName(column) + strconv.Itoa(row), At: int64(at), End: int64(end)})
		}
		if next <= len(s) && next > end && s[end] == comma {
			column++
		} else {
			row, column = row+1, 0
		}
		at = next
	}
}

// delimiterOf guesses what separates cells: what the first line has most of.
func delimiterOf(s string) byte {
	first, _, _ := strings.Cut(s[:min(len(s), 64<<10)], "\n")
	best, most := byte(','), 0
	for _, c := range []byte(",;\t|") {
		if n := strings.Count(first, string(c)); n > most {
			best, most = c, n
		}
	}
	return best
}

// cellEnd returns where the cell at at ends, and where the next one begins.
func cellEnd(s string, at int, comma byte) (end, next int) {
	i := at
	if s[at] == '"' {
		for i++; i < len(s); i++ {
			if s[i] == '"' {
				if i+1 < len(s) && s[i+1] == '"' {
					i++
					continue
				}
				i++
				break
			}
		}
	}
	for ; i < len(s); i++ {
		switch s[i] {
		case comma, '\n':
			return i, i + 1
		case '\r':
			if i+1 < len(s) && s[i+1] == '\n' {
				return i, i + 2
			}
		}
	}
	return len(s), len(s)
}

// calculated reports whether a spreadsheet calculates a cell. A signed number, a name after a dash or a
// mention of somebody is none.
func calculated(cell string) bool {
	if len(cell) < 3 {
		return false
	}
	switch cell[0] {
	case '=':
		return true
	case '+', '-', '@':
		return strings.ContainsAny(cell[1:], "(!|")
	}
	return false
}

func columnName(i int) string {
	name := ""
	for i++; i > 0; i = (i - 1) / 26 {
		name = string(rune('A'+(i-1)%26)) + name
	}
	return name
}

// printable returns what of b is text that a person could read, or "".
func printable(b []byte) string {
	s := strings.ToValidUTF8(string(b[:min(len(b), 8<<10)]), "")
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return ' '
		}
		return r
	}, s))
	letters := 0
	for _, r := range s {
		if 'a' <= r|0x20 && r|0x20 <= 'z' || r > 0x7f {
			letters++
		}
	}
	if letters < 3 {
		return ""
	}
	return s
}

func (f *finds) metadata(why string, text []byte, at, end int) {
	f.add(report.Passage{Way: report.Metadata, Sight: report.Never, Why: why, Text: printable(text), At: int64(at), End: int64(end)})
}

// picture notes the text that a picture's file carries beside the picture.
func (f *finds) picture(ext string, b []byte) {
	f.text, f.base = "", 0
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG")):
		f.png(b)
	case bytes.HasPrefix(b, []byte("\xff\xd8")):
		f.jpeg(b)
	case bytes.HasPrefix(b, []byte("GIF8")):
		f.gif(b)
	case bytes.HasPrefix(b, []byte("RIFF")):
		f.webp(b)
	default:
		f.unread = "Its bytes are not those of a picture that is known here."
	}
	for i := range f.list {
		f.list[i].Line = 0
	}
	if f.unread == "" {
		f.unread = "What is drawn in a picture is not read, though some models do: only its metadata was looked at."
	}
}

func (f *finds) png(b []byte) {
	for at := 8; at+12 <= len(b); {
		n := bigEndian(b[at : at+4])
		if n > len(b)-at-12 {
			return
		}
		name, data := string(b[at+4:at+8]), b[at+8:at+8+n]
		switch name {
		case "tEXt", "iTXt":
			key, text, _ := bytes.Cut(data, []byte{0})
			if name == "iTXt" && len(text) > 2 {
				if text[0] != 0 {
					f.unread = "It carries compressed text, which was not read."
				}
				parts := bytes.SplitN(text[2:], []byte{0}, 3)
				text = parts[len(parts)-1]
			}
			f.metadata("png "+printable(key), text, at, at+12+n)
		case "zTXt":
			f.unread = "It carries compressed text, which was not read."
		case "eXIf":
			f.exif(data, at, at+12+n)
		}
		at += 12 + n
		if name == "IEND" {
			f.metadata("after the end of the picture", b[at:], at, len(b))
			return
		}
	}
}

func (f *finds) jpeg(b []byte) {
	for at := 2; at+4 <= len(b) && b[at] == 0xff; {
		mark, n := b[at+1], bigEndian(b[at+2:at+4])
		if mark == 0xff {
			at++
			continue
		}
		if mark == 0xda || n < 2 || at+2+n > len(b) {
			break
		}
		data := b[at+4 : at+2+n]
		switch {
		case mark == 0xfe:
			f.metadata("jpeg comment", data, at, at+2+n)
		case bytes.HasPrefix(data, []byte("Exif\x00")):
			f.exif(data[6:], at, at+2+n)
		case bytes.HasPrefix(data, []byte("http://ns.adobe.com/xap/")):
			f.xmp(data, at)
		}
		at += 2 + n
	}
	if end := bytes.LastIndex(b, []byte{0xff, 0xd9}); end >= 0 {
		f.metadata("after the end of the picture", b[end+2:], end+2, len(b))
	}
}

// exif notes the texts of Exif by the runs of letters in it: its structure says nothing that these do not.
func (f *finds) exif(b []byte, at, end int) {
	for _, run := range bytes.FieldsFunc(b, func(r rune) bool { return r < ' ' || r > '~' && r < 0xa0 || r == utf8.RuneError }) {
		if len(run) >= 8 && (bytes.IndexByte(run, ' ') > 0 || len(run) >= 16) {
			f.metadata("exif", run, at, end)
		}
	}
}

// xmp notes the words between the tags of an XMP packet.
func (f *finds) xmp(b []byte, at int) {
	for len(b) > 0 {
		open := bytes.IndexByte(b, '>')
		if open < 0 {
			return
		}
		b, at = b[open+1:], at+open+1
		end := bytes.IndexByte(b, '<')
		if end < 0 {
			return
		}
		if text := bytes.TrimSpace(b[:end]); bytes.IndexByte(text, ' ') > 0 {
			f.metadata("xmp", text, at, at+end)
		}
	}
}

func (f *finds) gif(b []byte) {
	for at := 0; ; {
		i := bytes.Index(b[at:], []byte{0x21, 0xfe})
		if i < 0 {
			return
		}
		at += i + 2
		start := at
		var text []byte
		for at < len(b) && b[at] != 0 && at+1+int(b[at]) <= len(b) {
			text = append(text, b[at+1:at+1+int(b[at])]...)
			at += 1 + int(b[at])
		}
		if s := printable(text); len(s) >= 8 && len(s)*2 > len(text) {
			f.metadata("gif comment", text, start-2, at)
		}
	}
}

func (f *finds) webp(b []byte) {
	for at := 12; at+8 <= len(b); {
		n := int(b[at+4]) | int(b[at+5])<<8 | int(b[at+6])<<16 | int(b[at+7])<<24
		if n > len(b)-at-8 {
			return
		}
		data := b[at+8 : at+8+n]
		switch string(b[at : at+4]) {
		case "EXIF":
			f.exif(data, at, at+8+n)
		case "XMP ":
			f.xmp(data, at)
		}
		at += 8 + n + n&1
	}
}

// pdfNames are the entries of a pdf that hold words for readers of its properties, or instead of what is drawn.
var pdfNames = []string{"Title", "Author", "Subject", "Keywords", "Creator", "Producer", "Contents", "Alt", "ActualText"}

// longestString is how much of a text in a pdf is looked through for its end, in bytes.
const longestString = 8 << 10

// pdf notes the texts that stand in a pdf as they are: of its properties, its notes, its descriptions.
func (f *finds) pdf(b []byte) {
	f.text, f.base = "", 0
	left := 64 << 20 // bytes that are looked through for the ends of texts
	for _, name := range pdfNames {
		for at := 0; ; {
			i := bytes.Index(b[at:], []byte("/"+name))
			if i < 0 {
				break
			}
			at += i + 1 + len(name)
			rest := bytes.TrimLeft(b[at:min(len(b), at+longestString)], " \r\n\t")
			if left -= len(rest); left < 0 {
				f.unread = "It has more texts than are read in good time, so some may be missing here."
				return
			}
			if text := pdfString(rest); text != "" {
				f.metadata("pdf "+name, []byte(text), at, min(len(b), at+len(text)))
			}
		}
	}
	if i := bytes.Index(b, []byte("<x:xmpmeta")); i >= 0 {
		if end := bytes.Index(b[i:], []byte("</x:xmpmeta>")); end >= 0 {
			f.xmp(b[i:i+end], i)
		}
	}
	for i := range f.list {
		f.list[i].Line = 0
	}
	f.unread = "Only the properties of a pdf that stand in it uncompressed were read, not its pages."
}

// pdfString reads a string of a pdf: (words) or <hex>.
func pdfString(b []byte) string {
	if len(b) < 2 {
		return ""
	}
	var out []byte
	switch {
	case b[0] == '(':
		depth := 0
		for i := 0; i < len(b); i++ {
			switch c := b[i]; {
			case c == '\\' && i+1 < len(b):
				i++
				if b[i] == '(' || b[i] == ')' || b[i] == '\\' {
					out = append(out, b[i])
				} else {
					out = append(out, ' ')
				}
			case c == '(':
				if depth++; depth > 1 {
					out = append(out, c)
				}
			case c == ')':
				if depth--; depth == 0 {
					return wide(out)
				}
				out = append(out, c)
			default:
				out = append(out, c)
			}
		}
	case b[0] == '<' && b[1] != '<':
		end := bytes.IndexByte(b, '>')
		for i := 1; i+1 < end; i += 2 {
			n, err := strconv.ParseUint(string(b[i:i+2]), 16, 8)
			if err != nil {
				return ""
			}
			out = append(out, byte(n))
		}
		return wide(out)
	}
	return ""
}

// wide reads a text of two bytes a letter, where its beginning says that it is one.
func wide(b []byte) string {
	if !bytes.HasPrefix(b, []byte("\xfe\xff")) {
		return string(b)
	}
	var s strings.Builder
	for i := 2; i+1 < len(b); i += 2 {
		s.WriteRune(rune(b[i])<<8 | rune(b[i+1]))
	}
	return s.String()
}

func bigEndian(b []byte) int {
	n := 0
	for _, c := range b {
		n = n<<8 | int(c)
	}
	return n
}
