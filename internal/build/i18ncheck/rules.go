package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs/lessons"
)

// rules adds what ui.RuleText shows: the sentences of packages that know no language. Their values
// become places; a value that is one of our phrases is a sentence, too.
func (s *said) rules(x *index, shown types.Object) {
	f := newFollower(x)
	f.parts, f.filled = newFollower(x), newFollower(x)
	f.parts.found, f.filled.found = f.found, f.found
	f.parts.parts, f.parts.filled, f.filled.parts = f.parts, f.filled, f.parts
	f.parts.keep, f.filled.keep = phrase, places.Replace
	f.want(shown, nil)
	for english, at := range f.found {
		s.at[english] = append(s.at[english], f.places(at)...)
		slices.Sort(s.at[english])
	}
	for _, l := range lessons.All() {
		for _, english := range [...]string{l.Title, l.Why} {
			s.at[english] = append(s.at[english], "figs/lessons: rule "+l.Code.String())
		}
	}
}

// phrase tells what we say from names of fields and values of protocols, which are one word.
func phrase(english string) string {
	if strings.Contains(strings.TrimSpace(english), " ") && !strings.Contains(english, "\n") {
		return english
	}
	return ""
}

// places are what a sentence of the rules has where a value goes.
var places = strings.NewReplacer("%", "{0}", "&", "{1}")

// isBytes reports whether something holds bytes, which come from files.
func isBytes(o types.Object) bool {
	s, ok := o.Type().Underlying().(*types.Slice)
	return ok && types.Identical(s.Elem().Underlying(), types.Typ[types.Byte])
}

// fill follows the sentence that is filled in, and the values.
func (f *follower) fill(fn *types.Func, e *ast.CallExpr) {
	f.filled.value(e.Args[0], nil, 0)
	if last := fn.Signature().Params().At(1); fn.Signature().Variadic() {
		for _, arg := range e.Args[1:] {
			if e.Ellipsis.IsValid() {
				f.parts.value(arg, []int{anyElement}, 0)
			} else {
				f.parts.value(arg, nil, 0)
			}
		}
	} else if p, ok := last.Type().Underlying().(*types.Pointer); ok {
		for field := range p.Elem().Underlying().(*types.Struct).Fields() {
			if field.Name() == "value" || field.Name() == "extra" {
				f.parts.want(field, nil)
			}
		}
	}
}

// joined is a sentence that is put together with +.
func (f *follower) joined(e *ast.BinaryExpr) {
	if e.Op != token.ADD || !f.once(e, nil) {
		return
	}
	text, n := "", 0
	var add func(x ast.Expr)
	add = func(x ast.Expr) {
		if tv := f.info.Types[x]; tv.Value != nil && tv.Value.Kind() == constant.String {
			text += constant.StringVal(tv.Value)
		} else if b, ok := ast.Unparen(x).(*ast.BinaryExpr); ok && b.Op == token.ADD {
			add(b.X)
			add(b.Y)
		} else {
			text += fmt.Sprintf("{%d}", n)
			n++
			f.parts.value(x, nil, 0)
		}
	}
	add(e)
	f.parts.add(text, e.Pos())
}

var verb = regexp.MustCompile(`%[+#]?[a-z]`)

// formatted is a sentence that fmt.Sprintf makes.
func (f *follower) formatted(e *ast.CallExpr) {
	format := f.info.Types[e.Args[0]].Value
	if format == nil {
		return
	}
	n := -1
	f.parts.add(verb.ReplaceAllStringFunc(constant.StringVal(format), func(string) string {
		n++
		return fmt.Sprintf("{%d}", n)
	}), e.Pos())
	for _, arg := range e.Args[1:] {
		f.parts.value(arg, nil, 0)
	}
}
