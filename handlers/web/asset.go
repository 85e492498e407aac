package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"regexp"
	"slices"
	"sync"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/static"
)

// Stylesheet is the one style sheet of the pages, icon the picture on their tab, script what they
// run.
const (
	Stylesheet = "figs.css"
	icon       = "icon.svg"
	Script     = "hosted/hosted.js"
)

// modules are script and what it imports, by their paths in static/js; the last ones come
// when a page has use for them.
var modules = []string{Script, "shared/dom.js", "hosted/keys.js", "hosted/live.js", "hosted/live-changes.js", "hosted/navigation.js", "hosted/patch.js", "hosted/panes.js", "shared/theme.js", "shared/time.js", "hosted/decide.js", "hosted/key-settings.js", "shared/reply-draft.js", "shared/view-tracker.js", "shared/chart-keyboard.js", "measure/measure.js", "measure/pixels.js", "measure/show-measurement.js", "shared/translate.js", "shared/reading.js", "hosted/app.js", "hosted/suggest.js", "hosted/palette.js", "hosted/unsent.js", "remarks/form.js", "remarks/panel.js", "remarks/replace.js", "remarks/passage-mode.js", "remarks/passages.js", "remarks/image-area.js", "hosted/push.js", "hosted/typed-filter.js", "hosted/passkey.js", "shared/time-slider.js"}

// assets are the files that pages refer to, under an address that changes with their bytes.
type assets struct {
	hash  string
	Files map[string]asset
}

type asset struct {
	contentType string
	plain, gzip []byte
}

// LoadAssets is readAssets, once in a run: what is compiled in stays as it is.
var LoadAssets = sync.OnceValues(readAssets)

// readAssets reads the files, joins the style sheets in the order of their names, and compresses
// everything.
func readAssets() (*assets, error) {
	a := &assets{Files: map[string]asset{}}
	styles, err := fs.Glob(static.Files, "css/*.css")
	if err != nil {
		return nil, err
	}
	css, err := join(styles)
	if err != nil {
		return nil, err
	}
	a.Files[Stylesheet] = asset{contentType: "text/css; charset=utf-8", plain: css}
	mark, err := static.Files.ReadFile(icon)
	if err != nil {
		return nil, err
	}
	a.Files[icon] = asset{contentType: "image/svg+xml", plain: mark}
	pictures, err := fs.Glob(static.Files, "icons/*.png")
	if err != nil {
		return nil, err
	}
	for _, name := range pictures {
		png, err := static.Files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		a.Files[path.Base(name)] = asset{contentType: "image/png", plain: png}
	}
	for _, name := range modules {
		js, err := static.Files.ReadFile("js/" + name)
		if err != nil {
			return nil, err
		}
		a.Files[name] = asset{contentType: "text/javascript; charset=utf-8", plain: Minify(js)}
	}
	return a, a.seal()
}

func join(names []string) (all []byte, err error) {
	for _, name := range names {
		part, err := static.Files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all = append(append(all, part...), '\n')
	}
	return all, nil
}

// remark is a comment that has its lines for itself, cast a type within a line, aside a comment at the end of a line (with a
// quotation mark in it, it could be within a text, and stays), margin what a line begins with, empty
// lines before it included.
var (
	remark = regexp.MustCompile(`(?m)^[ \t]*(//.*|/\*\*(?s:.*?)\*/)\n`)
	cast   = regexp.MustCompile(`/\*\* @type [^\n]*?\*/ `)
	aside  = regexp.MustCompile("(?m)[ \\t]+//[^'\"`\\n]*$")
	margin = regexp.MustCompile(`(?m)^[ \t\n]+`)
)

// Minify is a module without what only its authors read. It holds no text over several lines.
func Minify(js []byte) []byte {
	for _, comment := range []*regexp.Regexp{remark, cast, aside, margin} {
		js = comment.ReplaceAll(js, nil)
	}
	return js
}

// seal compresses the files and names them all by what they hold.
func (a *assets) seal() error {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(a.Files)) {
		f := a.Files[name]
		packed, err := compress(f.plain)
		if err != nil {
			return err
		}
		f.gzip = packed
		a.Files[name] = f
		sum.Write(f.plain)
	}
	a.hash = hex.EncodeToString(sum.Sum(nil)[:8])
	return nil
}

func compress(b []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(b); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// assetHash is what a version's hash looks like.
var assetHash = regexp.MustCompile(`^[0-9a-f]{16}$`)

// Address is where a page finds an asset.
func (a *assets) Address(name string) string { return "/static/" + a.hash + "/" + name }

// SendAsset sends an asset that never changes under its address. While several servers are upgraded one by one,
// a page of one version may ask another: it gets what is there under the name, which nobody keeps.
func (s *Server) SendAsset(c echo.Context) error {
	file, ok := s.Assets.Files[c.Param("*")]
	if !ok || !assetHash.MatchString(c.Param("hash")) {
		return echo.ErrNotFound
	}
	h := c.Response().Header()
	h.Set("Cache-Control", "no-store")
	if c.Param("hash") == s.Assets.hash {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	h.Add("Vary", "Accept-Encoding")
	body := file.plain
	if accepts(c.Request(), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = file.gzip
	}
	return c.Blob(http.StatusOK, file.contentType, body)
}
