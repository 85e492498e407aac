package smallest

import "github.com/figs-web/figs-web/figs"

// AppendReport writes the example as text for a bug report: what it shows, every file of it, and what was
// replaced and kept.
func (e *Example) AppendReport(b []byte) []byte {
	say := func(parts ...string) {
		for _, s := range parts {
			b = append(b, s...)
		}
	}
	f := &e.Finding
	say("Rule ", f.Code.String(), " (", f.Severity.String(), ") in this .figs folder: ", f.File)
	if f.Line > 0 {
		b = figs.AppendInt(append(b, " line "...), f.Line)
	}
	if f.Column > 0 {
		b = figs.AppendInt(append(b, " column "...), f.Column)
	}
	say("\n", string(oneLine(f.Message)), "\n")
	if e.Now != "" {
		say("Judged as of ", e.Now, ".\n")
	}
	for _, c := range e.Others {
		say("It also shows ", c.String(), ".\n")
	}
	for _, file := range e.Files {
		say("\n.figs/", file.File.String(), "\n")
		b = append(b, file.Text...)
		if n := len(file.Text); n > 0 && file.Text[n-1] != '\n' {
			say("\n")
		}
	}
	for _, a := range e.Attached {
		say("\n.figs/artifacts/", a.Name, " (")
		b = figs.AppendInt(b, int(a.Size))
		say(" bytes)\n")
	}
	say("\nTexts and numbers replaced by placeholders: ")
	b = append(figs.AppendInt(b, e.Replaced), '\n')
	for _, k := range e.Kept {
		say("Kept as the agent wrote it: ", k, "\n")
	}
	return b
}

// oneLine writes a sentence without the line breaks that it may quote.
func oneLine(s string) []byte {
	b := []byte(s)
	for i := range b {
		if b[i] < ' ' {
			b[i] = ' '
		}
	}
	return b
}

// mostZipped is the largest attachment that a zip of an example holds, in bytes.
const mostZipped = 16 << 20

// Zip writes the example as a zip with the folder .figs in it, without compression. Attachments are zeros of
// their size. Times are those of 1980: nothing tells when it was made.
func (e *Example) Zip() []byte {
	z := zip{}
	for _, f := range e.Files {
		z.add(".figs/"+f.File.String(), f.Text)
	}
	for _, a := range e.Attached {
		z.add(".figs/artifacts/"+a.Name, make([]byte, min(a.Size, mostZipped)))
	}
	z.add("README.txt", e.AppendReport(nil))
	return z.end()
}

// zip is a zip while it is written.
type zip struct {
	b, directory []byte
	n            int
}

const (
	utf8Names = 1 << 11
	firstDay  = 1<<5 | 1 // of 1980, as zips write it
)

func (z *zip) add(name string, content []byte) {
	at := len(z.b)
	var facts []byte
	facts = little(facts, 2, 20, utf8Names, 0, 0, firstDay)
	facts = little(facts, 4, int(crc32(content)), len(content), len(content))
	facts = little(facts, 2, len(name), 0)
	z.b = append(append(append(append(z.b, "PK\x03\x04"...), facts...), name...), content...)
	z.directory = append(append(z.directory, "PK\x01\x02\x14\x00"...), facts...)
	z.directory = little(little(z.directory, 2, 0, 0, 0), 4, 0, at)
	z.directory = append(z.directory, name...)
	z.n++
}

func (z *zip) end() []byte {
	at := len(z.b)
	b := append(append(z.b, z.directory...), "PK\x05\x06"...)
	b = little(little(b, 2, 0, 0, z.n, z.n), 4, len(z.directory), at)
	return little(b, 2, 0)
}

// little appends numbers of so many bytes, the lowest first.
func little(b []byte, size int, numbers ...int) []byte {
	for _, n := range numbers {
		for i := range size {
			b = append(b, byte(n>>(8*i)))
		}
	}
	return b
}

// crc32 is the checksum that zips use.
func crc32(content []byte) uint32 {
	sum := ^uint32(0)
	for _, c := range content {
		sum ^= uint32(c)
		for range 8 {
			sum = sum>>1 ^ 0xEDB88320&-(sum&1)
		}
	}
	return ^sum
}
