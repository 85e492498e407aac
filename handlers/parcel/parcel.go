// Package parcel sends an attachment as a file to be kept: byte for byte what was hashed, under a
// name that no system takes for more than a name.
package parcel

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/figs-web/figs-web/handlers/httperr"
)

// Policy takes every right from a file that a browser shows all the same.
const Policy = "default-src 'none'; sandbox"

// Pass copies the bytes, and holds the last of them back until their SHA-256 is known to be the
// wanted one, in hex; else it returns httperr.ErrChanged.
func Pass(w io.Writer, r io.Reader, want string) error {
	sum := sha256.New()
	var held []byte
	buffer := make([]byte, 64<<10)
	for {
		n, err := r.Read(buffer)
		if n > 0 {
			if len(held) > 0 { // nothing at all is written of what is short and wrong
				if _, failed := w.Write(held); failed != nil {
					return failed
				}
			}
			sum.Write(buffer[:n])
			held = append(held[:0], buffer[:n]...)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if hex.EncodeToString(sum.Sum(nil)) != want {
		return httperr.ErrChanged
	}
	_, err := w.Write(held)
	return err
}

// Disposition says that the answer is a file to be kept under that name: once in ASCII for old
// clients, once in full (RFC 5987, RFC 6266).
func Disposition(name string) string {
	name = FileName(name)
	var plain, full strings.Builder
	for _, r := range name {
		if r >= ' ' && r < 0x7F && r != '"' && r != '\\' && r != '%' {
			plain.WriteRune(r)
		} else {
			plain.WriteByte('_')
		}
	}
	for i := range len(name) {
		if c := name[i]; isAttrChar(c) {
			full.WriteByte(c)
		} else {
			full.WriteString("%" + strings.ToUpper(hex.EncodeToString([]byte{c})))
		}
	}
	return `attachment; filename="` + plain.String() + `"; filename*=UTF-8''` + full.String()
}

// isAttrChar reports whether RFC 5987 lets a byte stand for itself.
func isAttrChar(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("!#$&+-.^_`|~", c) >= 0
}

// maxFileName is how many bytes a file's name has at most; file systems take 255.
const maxFileName = 200

// FileName is a name that an agent chose, made fit to be a file's: no folder, nothing that a
// system or a shell takes for more than a letter, nothing that hides or turns what a person
// reads, and its own extension at its end.
func FileName(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case r == utf8.RuneError, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Variation_Selector), strings.ContainsRune(`/\:*?"<>|`, r):
			b.WriteByte('_')
		default:
			b.WriteRune(r)
		}
	}
	name = shorten(usable(strings.Trim(b.String(), " ")))
	return usable(name) // what is left of a long name may be a device's
}

// usable is a name that is there, shows in every list of files, and is no device.
func usable(name string) string {
	name = strings.TrimRight(name, " .")
	if name == "" || name[0] == '.' || reserved(name) {
		return "_" + name
	}
	return name
}

// shorten cuts the stem of a long name, and leaves its extension.
func shorten(name string) string {
	if len(name) <= maxFileName {
		return name
	}
	ext := ""
	if at := strings.LastIndexByte(name, '.'); len(name)-at <= 17 {
		ext = name[at:]
	}
	stem := name[:maxFileName-len(ext)]
	for !utf8.ValidString(stem) {
		stem = stem[:len(stem)-1]
	}
	return strings.TrimRight(stem, " .") + ext
}

// reserved reports whether Windows takes a name for a device, whatever its extension.
func reserved(name string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(name), ".")
	switch stem = strings.TrimRight(stem, " "); stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	device, ok := strings.CutPrefix(stem, "COM")
	if !ok {
		device, ok = strings.CutPrefix(stem, "LPT")
	}
	return ok && utf8.RuneCountInString(device) == 1 && strings.ContainsAny(device, "0123456789¹²³")
}
