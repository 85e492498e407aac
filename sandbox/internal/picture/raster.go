// Package picture judges images without decoding them: raster images by a walk over their
// structure, svg images by an allow-list and by what drawing them would cost.
package picture

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/sandbox/report"
)

// Info is what the structure of a raster image says about it.
type Info struct {
	Format        string // png, jpeg, gif or webp
	Type          string // media type
	Width, Height int    // pixels
	Frames        int    // pictures shown one after the other; 1 for a still image
	Trailing      int    // bytes after the end of the image
}

// walker reads the structure of one format.
type walker struct {
	format string
	magic  func(b []byte) bool
	walk   func(b []byte) (*shape, error)
}

// shape is what a walk found.
type shape struct {
	width, height int
	wide, high    int // the largest of any frame
	frames        int
	end           int  // where the image ends
	whole         bool // its end was found
}

// flaw is a sentence on why an image cannot be read.
type flaw string

func (f flaw) Error() string { return string(f) }

var walkers = []walker{
	{"png", func(b []byte) bool { return bytes.HasPrefix(b, []byte(pngMagic)) }, walkPNG},
	{"jpeg", func(b []byte) bool { return bytes.HasPrefix(b, []byte("\xff\xd8\xff")) }, walkJPEG},
	{"gif", func(b []byte) bool {
		return bytes.HasPrefix(b, []byte("GIF87a")) || bytes.HasPrefix(b, []byte("GIF89a"))
	}, walkGIF},
	{"webp", func(b []byte) bool {
		return len(b) >= 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP"
	}, walkWebP},
}

// Format returns the raster format that the first bytes announce, or "".
func Format(b []byte) string {
	for _, w := range walkers {
		if w.magic(b) {
			return w.format
		}
	}
	return ""
}

// formatOf returns the format that an extension promises; "" promises none.
func formatOf(ext string) string {
	ext = strings.ToLower(strings.TrimPrefix(ext, "."))
	if ext == "jpg" || ext == "jpe" || ext == "jfif" {
		return "jpeg"
	}
	return ext
}

// Raster judges a raster image by its structure. The extension may be empty: then any of the four
// formats will do. A notice that is not nil says why the image should not be shown; for a
// truncated one Info is filled in all the same.
func Raster(ext string, b []byte, l report.Limits) (Info, *report.Notice) {
	if len(b) == 0 {
		return Info{}, &report.Notice{Code: report.Empty, Text: "The image is empty."}
	}
	promised, found := formatOf(ext), Format(b)
	switch {
	case found == "" && promised == "":
		return Info{}, &report.Notice{Code: report.NotParsed, Text: "The file doesn't begin like a PNG, JPEG, GIF or WebP image."}
	case found == "":
		return Info{}, &report.Notice{Code: report.WrongType, Text: fmt.Sprintf("The file is named as %s, but it doesn't begin like one.", label(promised))}
	case promised != "" && found != promised:
		return Info{}, &report.Notice{Code: report.WrongType, Text: fmt.Sprintf("The file is named as %s, but it begins like a %s image.", label(promised), label(found))}
	}
	return judge(found, b, l)
}

func label(format string) string {
	if format == "webp" {
		return "WebP"
	}
	if !known(format) {
		return "something else"
	}
	return strings.ToUpper(format)
}

func known(format string) bool {
	for _, w := range walkers {
		if w.format == format {
			return true
		}
	}
	return false
}

func walk(format string, b []byte) (*shape, error) {
	for _, w := range walkers {
		if w.format == format {
			return w.walk(b)
		}
	}
	return nil, flaw("an unknown format")
}

func judge(format string, b []byte, l report.Limits) (Info, *report.Notice) {
	s, err := walk(format, b)
	if err != nil {
		return Info{}, &report.Notice{Code: report.NotParsed, Text: fmt.Sprintf("The %s image is broken: %s.", label(format), err)}
	}
	info := Info{Format: format, Type: "image/" + format, Width: s.width, Height: s.height, Frames: s.frames, Trailing: len(b) - s.end}
	w, h := max(s.width, s.wide), max(s.height, s.high)
	switch {
	case s.width == 0 || s.height == 0:
		if !s.whole {
			return info, truncated(len(b))
		}
		return info, &report.Notice{Code: report.NotParsed, Text: fmt.Sprintf("The %s image is broken: it has no size.", label(format))}
	case w > l.Side || h > l.Side || w*h > l.Pixels:
		return info, &report.Notice{Code: report.TooLarge, Text: fmt.Sprintf(
			"The image has %d × %d pixels; the limit is %d per side and %d in total. Download it to view it.", w, h, l.Side, l.Pixels)}
	case !s.whole:
		return info, truncated(len(b))
	}
	return info, nil
}

func truncated(n int) *report.Notice {
	return &report.Notice{Code: report.Truncated, Text: "The image is cut off: its last part is missing. It may have been cut while it was written or sent.", At: int64(n)}
}

func be16(b []byte) int { return int(b[0])<<8 | int(b[1]) }
func be32(b []byte) int { return int(b[0])<<24 | int(b[1])<<16 | int(b[2])<<8 | int(b[3]) }
func le16(b []byte) int { return int(b[1])<<8 | int(b[0]) }
func le24(b []byte) int { return int(b[2])<<16 | int(b[1])<<8 | int(b[0]) }
func le32(b []byte) int { return int(b[3])<<24 | int(b[2])<<16 | int(b[1])<<8 | int(b[0]) }
