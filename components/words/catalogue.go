package words

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/leonelquinteros/gotext/plurals"
)

// Pair is a sentence about a number of things: "%d job" and "%d jobs".
type Pair struct{ One, Many string }

// Catalogue is the sentences of a language. Entries that can't be used are not in it, but in Wrong.
type Catalogue struct {
	Single map[string]string
	Plural map[Pair][]string // the forms, in the order of the language's rule
	Wrong  []string          // what can't be used, and why; sorted

	rule  plurals.Expression
	forms int   // how many the rule chooses from
	used  []int // for how many of the first numbers it chooses each

	templates func() []template // of Single, made when they are first needed
}

// Parse reads a catalogue in gettext's PO format. It never fails: of what is broken, it keeps what
// can be used.
func Parse(text []byte) *Catalogue {
	entries := read(string(text))
	c := &Catalogue{Single: map[string]string{}, Plural: map[Pair][]string{}}
	c.setRule(headers(entries)["Plural-Forms"])
	for _, e := range entries {
		c.add(e)
	}
	slices.Sort(c.Wrong)
	c.templates = sync.OnceValue(func() []template { return newTemplates(c.Single) })
	return c
}

const (
	mostForms   = 6    // no language has more
	mostCounted = 1000 // up to which number a rule is tried
)

// setRule reads "nplurals=2; plural=(n != 1);". Without a rule there is no plural form.
func (c *Catalogue) setRule(text string) {
	for part := range strings.SplitSeq(text, ";") {
		switch name, value, _ := strings.Cut(part, "="); strings.TrimSpace(name) {
		case "nplurals":
			c.forms, _ = strconv.Atoi(strings.TrimSpace(value))
		case "plural":
			c.rule, _ = plurals.Compile(strings.TrimSpace(value))
		}
	}
	if c.forms < 1 || c.forms > mostForms {
		c.forms = 0
	}
	c.used = make([]int, c.forms)
	for n := range mostCounted {
		form := c.form(n)
		if form < 0 {
			c.rule = nil
			c.refuse("forms: the rule %q can't be used", text)
			return
		}
		c.used[form]++
	}
}

// form is which form of a sentence goes with a number; -1 when the rule names none that there is.
func (c *Catalogue) form(n int) (form int) {
	defer func() {
		if recover() != nil { // as n % 0
			form = -1
		}
	}()
	if c.rule == nil {
		return -1
	}
	if form = c.rule.Eval(uint32(max(n, -n))); form < 0 || form >= c.forms {
		return -1
	}
	return form
}

func (c *Catalogue) add(e entry) {
	switch text := e.forms[0]; {
	case e.broken != "":
		c.refuse("%s", e.broken)
	case e.id == "" || e.fuzzy: // the header, or a translation to be checked
	case e.plural != "":
		c.addPlural(Pair{e.id, e.plural}, e.forms)
	case text == "": // not translated yet
	case c.Single[e.id] != "":
		c.refuse("twice: %q", e.id)
	case !slices.Equal(Placeholders(e.id), Placeholders(text)):
		c.refuse("placeholders: %q takes %v, %q takes %v", e.id, Placeholders(e.id), text, Placeholders(text))
	default:
		c.Single[e.id] = text
	}
}

// plainNumber writes the number of a plural form as Count expects it.
var plainNumber = strings.NewReplacer("%[1]d", "%d", "%[1]s", "%s")

// addPlural adds a sentence if all of its forms are there. A form takes the number if the English
// does; a form that is used for a single number, as in "one job", may leave it out.
func (c *Catalogue) addPlural(p Pair, forms map[int]string) {
	texts := make([]string, c.forms)
	for i, text := range forms {
		if i < 0 || i >= c.forms {
			c.refuse("forms: %q has a form %d, the language has %d forms", p.One, i, c.forms)
			return
		}
		if texts[i] = text; len(Placeholders(text)) == 1 {
			texts[i] = plainNumber.Replace(text)
		}
	}
	if strings.Join(texts, "") == "" { // not translated yet
		return
	}
	if c.Plural[p] != nil {
		c.refuse("twice: %q, %q", p.One, p.Many)
		return
	}
	for i, text := range texts {
		takes := Placeholders(text)
		switch {
		case text == "":
			c.refuse("forms: %q has no form %d of %d", p.One, i, c.forms)
			return
		case slices.Equal(takes, Placeholders(p.Many)):
		case c.used[i] == 1 && (len(takes) == 0 || slices.Equal(takes, Placeholders(p.One))):
		default:
			c.refuse("placeholders: %q takes %v, form %d, %q, takes %v", p.Many, Placeholders(p.Many), i, text, takes)
			return
		}
	}
	c.Plural[p] = texts
}

func (c *Catalogue) refuse(format string, args ...any) {
	c.Wrong = append(c.Wrong, fmt.Sprintf(format, args...))
}

// Say is the translation of a sentence, and false when there is none.
func (c *Catalogue) Say(english string) (string, bool) {
	text, ok := c.Single[english]
	return text, ok
}

// Count is the form of a sentence that goes with a number, and false when there is none.
func (c *Catalogue) Count(n int, one, many string) (string, bool) {
	texts, form := c.Plural[Pair{one, many}], c.form(n)
	if form < 0 || form >= len(texts) {
		return "", false
	}
	return texts[form], true
}

// Translations maps each English sentence to its translation. Of a pair, the singular has the first
// form and the plural the last.
func (c *Catalogue) Translations() map[string]string {
	all := make(map[string]string, len(c.Single)+2*len(c.Plural))
	for p, texts := range c.Plural {
		all[p.One], all[p.Many] = texts[0], texts[len(texts)-1]
	}
	maps.Copy(all, c.Single)
	return all
}
