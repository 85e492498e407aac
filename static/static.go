// Package static embeds what browsers are given as files: scripts, styles, the sample
// folders and, once `make wasm` has run, the inspector.
package static

import "embed"

// Files holds the icon, the icons of the installed app, css, js, samples and, in wasm, the inspector. The modules beside it stay out: it carries them, and
// they would be a fourth of the program. In a fresh clone a placeholder has the inspector's name, so that everything compiles
// before there is one; `all:` keeps the samples' .figs folders, which a plain pattern would drop.
//
//go:embed icon.svg icons css js all:samples wasm/inspector.*
var Files embed.FS
