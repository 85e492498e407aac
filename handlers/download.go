package handlers

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/fault"
	"github.com/figs-web/figs-web/internal/journal"
)

// sendDownload sends an attachment, byte for byte what was hashed, never to be shown.
func (s *server) sendDownload(c echo.Context) error {
	h := c.Response().Header()
	privately(h)
	h.Set("Content-Security-Policy", downloadPolicy)
	name, ok := named(c.Param("name"))
	if !ok {
		return echo.ErrNotFound
	}
	a, err := s.viewer.files.Attachment(c.Request().Context(), c.Param("workspace"), c.Param("sha256"))
	if err != nil {
		return err
	}
	if !slices.Contains(a.Names, name) {
		return journal.ErrNotFound
	}
	body, err := a.Open(c.Request().Context())
	if err != nil {
		return err
	}
	defer body.Close()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", disposition(name))
	h.Set("Content-Length", strconv.FormatInt(a.Size, 10))
	h.Set("Accept-Ranges", "none")
	c.Response().WriteHeader(http.StatusOK)
	if err := pass(c.Response(), body, c.Param("sha256")); err != nil {
		if c.Request().Context().Err() == nil {
			c.Set(faultKey, fmt.Errorf("the download of %q was cut off: %w", name, err))
		}
		panic(http.ErrAbortHandler) // the browser must not take a part, or other bytes, for the file
	}
	s.saw(c, c.Param("sha256"), extension(name), download)
	return nil
}

// pass copies the bytes, and holds the last of them back until the hash is known to be right.
func pass(w io.Writer, r io.Reader, want string) error {
	sum := sha256.New()
	var held []byte
	buffer := make([]byte, 64<<10)
	for {
		n, err := r.Read(buffer)
		if n > 0 {
			if _, failed := w.Write(held); failed != nil {
				return failed
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
		return fault.ErrChanged
	}
	_, err := w.Write(held)
	return err
}

// disposition says that the answer is a file to be kept under that name: once in ASCII for old
// clients, once in full (RFC 5987, RFC 6266).
func disposition(name string) string {
	name = fileName(name)
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

// fileName is a name that an agent chose, made fit to be a file's: no folder, nothing that a
// system or a shell takes for more than a letter, nothing that hides or turns what a person
// reads, and its own extension at its end.
func fileName(name string) string {
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
