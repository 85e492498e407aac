package sandbox

import (
	"bytes"
	"strings"

	"github.com/figs-web/figs-web/sandbox/report"
)

// kinds holds the extensions that are shown (§7). Every other one is download only.
var kinds = map[string]report.Kind{
	"html": report.HTML,
	"md":   report.Markdown,
	"txt":  report.Plain,
	"json": report.JSON,
	"png":  report.Image, "jpg": report.Image, "jpeg": report.Image, "gif": report.Image, "webp": report.Image,
	"svg": report.SVG,
}

// KindOf returns how an attachment is treated. Its extension decides, case ignored, but a file that
// begins as a download-only type (a pdf, an archive, an office file, a program) is download only
// whatever it is called: what is never shown is not shown under another name either.
func KindOf(name string, content []byte) report.Kind {
	kind, ok := kinds[extOf(name)]
	if !ok || neverShown(content) != "" {
		return report.Download
	}
	return kind
}

// extOf returns the extension in lower case without its dot, or "".
func extOf(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i < 0 || len(name)-i > 12 || strings.ContainsAny(name[i:], `/\`) {
		return ""
	}
	return strings.ToLower(name[i+1:])
}

// starts are the first bytes of what is never shown, with a name for it.
var starts = []struct{ magic, name string }{
	{"%PDF-", "a pdf"},
	{"PK\x03\x04", "a zip archive or an office file"},
	{"PK\x05\x06", "a zip archive"},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old office file"},
	{"\x7fELF", "a program"},
	{"MZ\x90\x00", "a program"},
	{"\x00asm", "a program"},
	{"\x1f\x8b\x08", "a compressed file"},
	{"7z\xbc\xaf\x27\x1c", "an archive"},
	{"Rar!\x1a\x07", "an archive"},
	{"SQLite format 3\x00", "a database"},
}

// neverShown names what content is when its first bytes say that it is never shown.
func neverShown(content []byte) string {
	for _, s := range starts {
		if bytes.HasPrefix(content, []byte(s.magic)) {
			return s.name
		}
	}
	return ""
}

// pictures are the first bytes of images, with a name for each.
var pictures = []struct{ magic, name string }{
	{"\x89PNG\r\n\x1a\n", "a png image"},
	{"\xff\xd8\xff", "a jpeg image"},
	{"GIF87a", "a gif image"},
	{"GIF89a", "a gif image"},
	{"RIFF", "a webp image"},
}

// looksLike names the image that content begins as, or "".
func looksLike(content []byte) string {
	for _, s := range pictures {
		if bytes.HasPrefix(content, []byte(s.magic)) && (s.magic != "RIFF" || len(content) > 12 && string(content[8:12]) == "WEBP") {
			return s.name
		}
	}
	return ""
}

// downloadOnly says why nothing is shown.
func (p *page) downloadOnly() {
	if is := neverShown(p.content); is != "" && kinds[p.result.Ext] != "" {
		p.result.Notices = append(p.result.Notices, report.Notice{Code: report.WrongType,
			Text: "By its name this is a " + p.result.Ext + " file, but it begins like " + is + ". It is not shown."})
	}
	p.notice(report.DownloadOnly, "Files of this type are not shown here. You can download them.")
}
