package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// What templ writes for a template checks an error after every piece of a page, and begins with a dozen steps that are
// the same for all. Each is a line here and a hundred bytes in the module, so the reader's pages are built from shorter
// files: errors of the buffer stay with the buffer, which gives them back when it is released, and the steps stand once,
// in prelude. What a template calls may still fail, and its error is handed on as before.

// prelude is added to templ's runtime.
const prelude = `package runtime

import (
	"context"
	"io"

	"github.com/a-h/templ"
)

type Context = context.Context

// Template renders f, with the children that it was given.
func Template(f func(Context, *Buffer, templ.Component) error) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return buffered(ctx, w, func(ctx context.Context, b *Buffer) error {
			children := templ.GetChildren(ctx)
			if children == nil {
				children = templ.NopComponent
			}
			return f(templ.ClearChildren(ctx), b, children)
		})
	})
}

// Children renders what stands between the braces of a call.
func Children(f func(Context, *Buffer) error) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error { return buffered(ctx, w, f) })
}

func buffered(ctx context.Context, w io.Writer, f func(Context, *Buffer) error) (err error) {
	b, existing := GetBuffer(w)
	if !existing {
		defer func() {
			if released := ReleaseBuffer(b); err == nil {
				err = released
			}
		}()
	}
	return f(templ.InitializeContext(ctx), b)
}

// Text writes words of a page.
func Text(b *Buffer, s string) { b.WriteString(templ.EscapeString(s)) }
`

// shorter are the steps of generated templates and what takes their place, in this order. A step that templ writes
// otherwise one day stays as it is: the module is larger then, and still right.
var shorter = []struct {
	step *regexp.Regexp
	take string
}{
	{pattern(`return templruntime.GeneratedTemplate\(func\(_Input templruntime.GeneratedComponentInput\) \(_Err error\) \{
_W, ctx := _Input.Writer, _Input.Context
if _CtxErr := ctx.Err\(\); _CtxErr != nil \{
return _CtxErr
\}
` + buffering + `(_Var\d+) := templ.GetChildren\(ctx\)
if (_Var\d+) == nil \{
(_Var\d+) = templ.NopComponent
\}
ctx = templ.ClearChildren\(ctx\)
`), "return templruntime.Template(func(ctx templruntime.Context, templ_7745c5c3_Buffer *templruntime.Buffer, $1 templ.Component) (templ_7745c5c3_Err error) {\n"},
	{pattern(`templruntime.GeneratedTemplate\(func\(_Input templruntime.GeneratedComponentInput\) \(_Err error\) \{
_W, ctx := _Input.Writer, _Input.Context
` + buffering), "templruntime.Children(func(ctx templruntime.Context, templ_7745c5c3_Buffer *templruntime.Buffer) (templ_7745c5c3_Err error) {\n"},
	{pattern(`_Err = templruntime.WriteString\(_Buffer, \d+, ("(?:[^"\\]|\\.)*")\)
if _Err != nil \{
return _Err
\}
`), "templ_7745c5c3_Buffer.WriteString($1)\n"},
	{pattern(`var (_Var\d+) (?:string|templ.SafeURL)
_Var\d+, _Err = templ.Join(?:String|URL)Errs\((.*)\)
if _Err != nil \{
return templ.Error\{.*\}
\}
_, _Err = _Buffer.WriteString\(templ.EscapeString\(_Var\d+\)\)
if _Err != nil \{
return _Err
\}
`), "templruntime.Text(templ_7745c5c3_Buffer, string($2))\n"},
}

// buffering is how a template takes its buffer.
const buffering = `_Buffer, _IsBuffer := templruntime.GetBuffer\(_W\)
if !_IsBuffer \{
defer func\(\) \{
_BufErr := templruntime.ReleaseBuffer\(_Buffer\)
if _Err == nil \{
_Err = _BufErr
\}
\}\(\)
\}
ctx = templ.InitializeContext\(ctx\)
`

// pattern is a step: names of templ's own stand with a dash before them, lines without what they are set in by.
func pattern(step string) *regexp.Regexp {
	step = regexp.MustCompile(`\b_([A-Z])|(^|\W)_([A-Z])`).ReplaceAllString(step, "${2}templ_7745c5c3_$1$3")
	return regexp.MustCompile(strings.ReplaceAll(step, "\n", `\n\t*`))
}

// short is a generated file with its steps shortened, and how many were.
func short(text string) (shortened string, steps int) {
	for _, s := range shorter {
		steps += len(s.step.FindAllStringIndex(text, -1))
		text = s.step.ReplaceAllString(text, s.take)
	}
	return text, steps
}

// shortTemplates writes the templates of the pages to folder, shortened, and puts them in the place of ours.
func shortTemplates(folder string, replace map[string]string) error {
	root, err := module()
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(root, "components", "*_templ.go"))
	if err != nil {
		return err
	}
	to := filepath.Join(folder, "templates")
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	all := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		shortened, steps := short(string(text))
		all += steps
		replace[file] = filepath.Join(to, filepath.Base(file))
		if err := os.WriteFile(replace[file], []byte(shortened), 0o644); err != nil {
			return err
		}
	}
	if all < 10*len(files) {
		return fmt.Errorf("of %d files with templates only %d steps can be shortened: templ writes them otherwise", len(files), all)
	}
	return nil
}
