package ui

import (
	"github.com/a-h/templ"
)

// FieldValue is what a person typed, in the field where it was typed. A field drops a line break that
// it begins with.
func FieldValue(text string) string {
	if len(text) > 0 && (text[0] == '\n' || text[0] == '\r') {
		return "\n" + text
	}
	return text
}

// Page is a page on people, outside of any journal: what stands on its tab, and what on it.
type Page struct {
	Title string
	Body  templ.Component
}

// Field is one line of a form with what was typed into it.
type Field struct {
	Key     string // its name in the form
	Caption string
	Sort    string // "text", "email", "password"
	Typed   string
	Help    string
	Fault   Fault
	Fill    string // what browsers may fill in: the autocomplete attribute
	Most    string // characters that it takes at most; "" is not said
	May     bool   // it may stay empty
	Fixed   bool   // it cannot be changed
	List    string // id of the datalist with suggestions
}

// attributes are those of the field's <input>. What was wrong or helps is read out with it.
func (f Field) attributes() templ.Attributes {
	a := templ.Attributes{"id": "f-" + f.Key, "name": f.Key, "type": f.Sort, "autocomplete": f.Fill, "required": !f.May}
	if f.Most != "" {
		a["maxlength"] = f.Most
	}
	if f.List != "" {
		a["list"] = f.List
	}
	if f.Sort != "password" {
		a["value"] = f.Typed
	}
	if f.Fixed {
		a["readonly"] = true
	}
	if f.Sort == "email" {
		a["autocapitalize"], a["spellcheck"] = "none", "false"
	}
	described := ""
	if f.Fault.Sentence != "" {
		a["aria-invalid"], described = "true", "w-"+f.Key
	}
	if f.Help != "" {
		described += " h-" + f.Key
	}
	if described != "" {
		a["aria-describedby"] = described
	}
	return a
}
