package handlers

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/static"
)

// stylesheet is the one style sheet of the pages, icon the picture on their tab, script what the
// pages of a folder run.
const (
	stylesheet = "figs.css"
	icon       = "icon.svg"
	script     = "hosted.js"
)

// assets are the files that pages refer to, under an address that changes with their bytes.
type assets struct {
	hash  string
	files map[string]asset
}

type asset struct {
	contentType string
	plain, gzip []byte
}

// loadAssets joins the style sheets in the order of their names and compresses the result.
func loadAssets() (*assets, error) {
	names, err := fs.Glob(static.Files, "css/*.css")
	if err != nil {
		return nil, err
	}
	var css []byte
	for _, name := range names {
		part, err := static.Files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		css = append(append(css, part...), '\n')
	}
	mark, err := static.Files.ReadFile(icon)
	if err != nil {
		return nil, err
	}
	js, err := static.Files.ReadFile("js/" + script)
	if err != nil {
		return nil, err
	}
	a := &assets{files: map[string]asset{}}
	for name, f := range map[string]asset{
		stylesheet: {contentType: "text/css; charset=utf-8", plain: css}, icon: {contentType: "image/svg+xml", plain: mark},
		script: {contentType: "text/javascript; charset=utf-8", plain: js},
	} {
		if f.gzip, err = compress(f.plain); err != nil {
			return nil, err
		}
		a.files[name] = f
	}
	sum := sha256.Sum256(slices.Concat(css, mark, js))
	a.hash = hex.EncodeToString(sum[:8])
	return a, nil
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

// address is where a page finds an asset.
func (a *assets) address(name string) string { return "/static/" + a.hash + "/" + name }

// sendAsset sends an asset that never changes under its address.
func (s *server) sendAsset(c echo.Context) error {
	file, ok := s.assets.files[c.Param("name")]
	if !ok || c.Param("hash") != s.assets.hash {
		return echo.ErrNotFound
	}
	h := c.Response().Header()
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Add("Vary", "Accept-Encoding")
	body := file.plain
	if accepts(c.Request(), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = file.gzip
	}
	return c.Blob(http.StatusOK, file.contentType, body)
}
