package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"unicode/utf8"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

// File is an attachment in a request: its name, and how many bytes of the payload are its own.
type File struct {
	Name string
	Size int
}

// sanitize makes one view of an attachment. It may be slow and may not come back: it runs in a
// worker that nothing else needs.
func sanitize(r *Request, content []byte) []byte {
	result := sandbox.Render(r.Name, content, r.View, report.Offline())
	return answer(head{Status: statusOK, Report: result}, sandbox.Srcdoc(result.Document))
}

// compare says what changed between two attachments; the payload is both, one after the other.
func compare(r *Request, content []byte) []byte {
	if r.Before.Size < 0 || r.Before.Size > len(content) {
		return answer(head{Error: "the two files do not fill the payload"}, nil)
	}
	before := sandbox.Attachment{Name: r.Before.Name, Content: content[:r.Before.Size]}
	after := sandbox.Attachment{Name: r.After.Name, Content: content[r.Before.Size:]}
	c := sandbox.Compare(before, after, report.Offline())
	return answer(head{Status: statusOK, Comparison: c}, sandbox.Srcdoc(c.Document))
}

// viewerArea writes what surrounds the documents: the strip, the frames, the facts.
func viewerArea(r *Request) []byte {
	ctx := r.spoken()
	var html []byte
	var err error
	switch {
	case r.Comparison != nil:
		c := &ui.ComparedAttachments{Comparison: r.Comparison, Frame: frame(r.Document)}
		if len(r.Beside) == 2 {
			c.Before, c.After = viewed(&r.Beside[0]), viewed(&r.Beside[1])
		}
		html, err = components.RenderCompareStage(ctx, r.Agent, c)
	case r.Shown != nil:
		v := viewed(r.Shown)
		v.Reading = r.Reading
		html, err = components.RenderStage(ctx, r.Agent, v)
	default:
		return answer(head{Error: "there is nothing to write a viewer for"}, nil)
	}
	if err != nil {
		return answer(head{Error: err.Error()}, nil)
	}
	return answer(head{Status: statusOK}, html)
}

// RenderedReport is a report of the sandbox, and whether it came with a document.
type RenderedReport struct {
	Report   report.Result
	Document bool
}

func viewed(s *RenderedReport) *ui.ViewedAttachment {
	return &ui.ViewedAttachment{Result: &s.Report, Frame: frame(s.Document)}
}

func frame(document bool) string {
	if document {
		return ui.InPage
	}
	return ""
}

// stoppedBytes is how much text of an attachment is shown when the sandbox had to be stopped.
const stoppedBytes = 256 << 10

// stopped is the viewer of an attachment whose rendering was ended by its time or its memory.
// Nothing of it is parsed: it is the text, or nothing.
func stopped(r *Request, content []byte) []byte {
	result := unread(r, int64(len(content)))
	sum := sha256.Sum256(content)
	result.SHA256 = hex.EncodeToString(sum[:])
	v := &ui.ViewedAttachment{Result: result}
	part := content[:min(len(content), stoppedBytes)]
	why := "Making this file safe took more than 10 seconds or too much memory, so it was stopped. There is no text in it to show instead."
	if text(part) {
		v.Plain = string(part)
		why = "Making this file safe took more than 10 seconds or too much memory, so it was stopped. Its plain text is shown instead."
	}
	result.Notices = append(result.Notices, report.Notice{Code: report.TookTooLong, Text: why})
	if v.Plain != "" && len(part) < len(content) {
		result.Notices = append(result.Notices, report.Notice{Code: report.Cut, Text: "Only the first 256 KiB are shown. The download is complete."})
	}
	return stage(r, v)
}

// large is the viewer of a file that was not read, because it is larger than an attachment may be (§7).
func large(r *Request) []byte {
	result := unread(r, r.Size)
	result.Notices = []report.Notice{{Code: report.TooLarge, Text: "Attachments can have at most 10 MiB. This file is larger, so it wasn't read and has no hash here. You can download it."}}
	return stage(r, &ui.ViewedAttachment{Result: result})
}

func stage(r *Request, v *ui.ViewedAttachment) []byte {
	html, err := components.RenderStage(r.spoken(), r.Agent, v)
	if err != nil {
		return answer(head{Error: err.Error()}, nil)
	}
	return answer(head{Status: statusOK}, html)
}

// unread is what is known of a file that the sandbox said nothing about.
func unread(r *Request, size int64) *report.Result {
	return &report.Result{
		Sanitizer: sandbox.Version, Limits: report.Offline(), Name: r.Name, Size: size,
		Kind: sandbox.KindOf(r.Name, nil), Asked: r.View, View: report.Source,
	}
}

// text reports whether bytes are the beginning of a text: UTF-8, a cut last character aside,
// without NUL.
func text(part []byte) bool {
	for len(part) > 0 {
		r, n := utf8.DecodeRune(part)
		if r == 0 || r == utf8.RuneError && n == 1 && (len(part) >= utf8.UTFMax || utf8.FullRune(part)) {
			return false
		}
		part = part[n:]
	}
	return true
}
