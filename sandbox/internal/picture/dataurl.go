package picture

import (
	"encoding/base64"
	"strings"

	"github.com/figs-web/figs-web/sandbox/internal/style"
	"github.com/figs-web/figs-web/sandbox/report"
)

// Still returns an image that Raster accepted as one that does not move: its first frame, without
// what follows the end of the image. A picture that changes while it is looked at is not the one
// that was approved.
func Still(info Info, b []byte) []byte {
	b = b[:len(b)-info.Trailing]
	if info.Frames <= 1 {
		return b
	}
	switch info.Format {
	case "png":
		return stillPNG(b)
	case "gif":
		return stillGIF(b)
	case "webp":
		return stillWebP(b)
	}
	return b
}

// DataURL returns a data: address of a raster image written afresh, or false when it is none that
// may be shown.
func DataURL(address string, l report.Limits) (clean string, ok bool) {
	clean, _, ok = Data(address, l)
	return clean, ok
}

// Data is DataURL, and says what the image is, so that the caller can bound many of them.
func Data(address string, l report.Limits) (clean string, info Info, ok bool) {
	mime, b, ok := Payload(address, l.Input)
	format, image := strings.CutPrefix(mime, "image/")
	if !ok || !image || !known(formatOf(format)) {
		return "", Info{}, false
	}
	info, notice := Raster(format, b, l)
	if notice != nil {
		return "", info, false
	}
	return Address(info.Type, Still(info, b)), info, true
}

// Address writes bytes as a data: address.
func Address(mime string, b []byte) string {
	return "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(b)
}

// Payload reads a data: address of at most max bytes: its media type in lower case, without
// parameters, and its bytes.
func Payload(address string, max int) (mime string, b []byte, ok bool) {
	address = strings.TrimFunc(address, func(r rune) bool { return r <= ' ' })
	if len(address) > max || len(address) < 5 || !strings.EqualFold(address[:5], "data:") {
		return "", nil, false
	}
	head, body, found := strings.Cut(address[5:], ",")
	if !found || len(head) > 200 {
		return "", nil, false
	}
	if i := strings.IndexByte(body, '#'); i >= 0 {
		body = body[:i]
	}
	mime, rest, _ := strings.Cut(strings.ToLower(head), ";")
	b = style.PercentDecode(body)
	if fields := strings.Split(rest, ";"); strings.TrimSpace(fields[len(fields)-1]) == "base64" {
		b, ok = fromBase64(b)
		return strings.TrimSpace(mime), b, ok
	}
	return strings.TrimSpace(mime), b, true
}

// fromBase64 decodes as browsers do: white space does not matter, nor does missing padding.
func fromBase64(b []byte) ([]byte, bool) {
	kept := b[:0]
	for _, c := range b {
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' {
			kept = append(kept, c)
		}
	}
	for len(kept) > 0 && kept[len(kept)-1] == '=' {
		kept = kept[:len(kept)-1]
	}
	out := make([]byte, base64.RawStdEncoding.DecodedLen(len(kept)))
	n, err := base64.RawStdEncoding.Decode(out, kept)
	return out[:n], err == nil
}
