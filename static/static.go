// Package static embeds what browsers are given as files: scripts, styles, the sample
// folders and, once `make wasm` has run, the WebAssembly modules and the inspector.
package static

import "embed"

// Files holds the icon, css, js, samples and wasm. The folder wasm holds only a placeholder in a
// fresh clone, so that everything compiles before the modules exist; `all:` keeps that
// placeholder and the samples' .figs folders, which a plain pattern would drop.
//
//go:embed icon.svg css js all:samples all:wasm
var Files embed.FS
