package sandbox

import (
	"regexp"
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"
)

// shape is what the value of an attribute must look like.
type shape uint8

const (
	none      shape = iota // the attribute is not allowed
	anything               // any text
	boolean                // nothing, or its own name
	classes                // our prefix before every name
	colour                 // a name or #hex
	decimal                // a number with a fraction
	direction              // ltr, rtl, auto
	fonts                  // names of fonts
	fragment               // # and a prefixed id
	ident                  // a prefixed id
	idents                 // prefixed ids
	integer                // may be negative
	language               // a language tag
	moment                 // a date or time
	number                 // at most five digits, perhaps with %
	imageData              // a data: address of an image
	span                   // columns or rows: few enough that no table becomes a bomb
	styles                 // declarations that the style filter wrote
	word                   // letters
)

// patterns are the shapes as the last gate sees them.
var patterns = [...]string{
	anything:  `^`,
	boolean:   `^$`,
	classes:   `^(u-[^\s<>"'&]+ ?)+$`,
	colour:    `^(#[0-9A-Fa-f]{3,8}|[A-Za-z]{3,24})$`,
	decimal:   `^-?[0-9]{0,12}(\.[0-9]{0,12})?$`,
	direction: `^(ltr|rtl|auto)$`,
	fonts:     `^[A-Za-z0-9 ,_'-]{1,200}$`,
	fragment:  `^#(u-[^\s<>"'&]+)?$`,
	ident:     `^u-[^\s<>"'&]+$`,
	idents:    `^(u-[^\s<>"'&]+ ?)+$`,
	integer:   `^-?[0-9]{1,9}$`,
	language:  `^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8}){0,4}$`,
	moment:    `^[0-9A-Za-z:.+ -]{1,60}$`,
	number:    `^[0-9]{1,5}%?$`,
	imageData: `^data:image/(png|jpeg|gif|webp|svg\+xml);base64,[0-9A-Za-z+/]*={0,2}$`,
	span:      `^[0-9]{1,3}$`,
	styles:    `^[^<>&{}@]*$`,
	word:      `^[A-Za-z0-9]{1,20}$`,
}

var shapes = sync.OnceValue(func() []*regexp.Regexp {
	all := make([]*regexp.Regexp, len(patterns))
	for i, p := range patterns {
		if p != "" {
			all[i] = regexp.MustCompile(p)
		}
	}
	return all
})

// fits reports whether a value has a shape.
func (s shape) fits(value string) bool {
	return s == anything || s != none && shapes()[s].MatchString(value)
}

// allowed are the rules of the attributes that may stay, by name.
var allowed = func() map[string]*attribute {
	m := map[string]*attribute{}
	for i := range attributes {
		if a := &attributes[i]; a.shape != none {
			m[a.name] = a
		}
	}
	return m
}()

// removedAs holds the rules of all attributes, by name.
var removedAs = func() map[string]*attribute {
	m := map[string]*attribute{}
	for i := range attributes {
		m[attributes[i].name] = &attributes[i]
	}
	return m
}()

// stands reports whether the attribute may stand on an element.
func (a *attribute) stands(element string) bool {
	return a.on == "*" || strings.Contains(" "+a.on+" ", " "+element+" ")
}

// gate is the last filter: another program than ours, with the same lists, reads the finished markup
// again and lets through only what the tables allow.
var gate = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	for i := range elements {
		if e := &elements[i]; e.fate == keep {
			p.AllowElements(e.name)
			p.AllowNoAttrs().OnElements(e.name)
		} else if e.fate == drop {
			p.SkipElementsContent(e.name)
		}
	}
	for i := range attributes {
		switch a := &attributes[i]; {
		case a.shape == none:
		case a.on == "*":
			p.AllowAttrs(a.name).Matching(shapes()[a.shape]).Globally()
		default:
			p.AllowAttrs(a.name).Matching(shapes()[a.shape]).OnElements(strings.Fields(a.on)...)
		}
	}
	return p
})
