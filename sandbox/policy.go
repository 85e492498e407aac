package sandbox

import "github.com/figs-web/figs-web/sandbox/report"

// fate is what happens to an element.
type fate uint8

const (
	keep   fate = iota // stays, with the attributes that are allowed on it
	unwrap             // goes; what it holds stays
	drop               // goes with everything in it
)

// element is the rule for one element of HTML.
type element struct {
	name string
	fate fate
	what report.RemovalKind // as what it is counted when it goes; empty is not worth counting
	why  string             // why it goes, or stays when that needs a reason
}

// elements decides about every element of the HTML standard, the obsolete ones too; a test compares
// the names. An element without a row is unwrapped: what it holds stays, itself means nothing.
var elements = []element{
	// Text and its structure: no address, no script, no state.
	{"abbr", keep, "", ""}, {"acronym", keep, "", ""}, {"address", keep, "", ""}, {"article", keep, "", ""}, {"aside", keep, "", ""},
	{"b", keep, "", ""}, {"bdi", keep, "", ""}, {"big", keep, "", ""}, {"blockquote", keep, "", ""}, {"body", keep, "", ""},
	{"br", keep, "", ""}, {"caption", keep, "", ""}, {"center", keep, "", ""}, {"cite", keep, "", ""}, {"code", keep, "", ""},
	{"col", keep, "", ""}, {"colgroup", keep, "", ""}, {"data", keep, "", ""}, {"dd", keep, "", ""}, {"del", keep, "", ""},
	{"dfn", keep, "", ""}, {"dir", keep, "", ""}, {"div", keep, "", ""}, {"dl", keep, "", ""}, {"dt", keep, "", ""},
	{"em", keep, "", ""}, {"figcaption", keep, "", ""}, {"figure", keep, "", ""}, {"font", keep, "", ""}, {"footer", keep, "", ""},
	{"h1", keep, "", ""}, {"h2", keep, "", ""}, {"h3", keep, "", ""}, {"h4", keep, "", ""}, {"h5", keep, "", ""}, {"h6", keep, "", ""},
	{"header", keep, "", ""}, {"hgroup", keep, "", ""}, {"hr", keep, "", ""}, {"html", keep, "", ""}, {"i", keep, "", ""},
	{"ins", keep, "", ""}, {"kbd", keep, "", ""}, {"li", keep, "", ""}, {"main", keep, "", ""}, {"mark", keep, "", ""},
	{"menu", keep, "", ""}, {"nav", keep, "", ""}, {"ol", keep, "", ""}, {"p", keep, "", ""}, {"pre", keep, "", ""}, {"q", keep, "", ""},
	{"rp", keep, "", ""}, {"rt", keep, "", ""}, {"ruby", keep, "", ""}, {"s", keep, "", ""}, {"samp", keep, "", ""},
	{"section", keep, "", ""}, {"small", keep, "", ""}, {"span", keep, "", ""}, {"strike", keep, "", ""}, {"strong", keep, "", ""},
	{"sub", keep, "", ""}, {"sup", keep, "", ""}, {"table", keep, "", ""}, {"tbody", keep, "", ""}, {"td", keep, "", ""},
	{"tfoot", keep, "", ""}, {"th", keep, "", ""}, {"thead", keep, "", ""}, {"time", keep, "", ""}, {"tr", keep, "", ""},
	{"tt", keep, "", ""}, {"u", keep, "", ""}, {"ul", keep, "", ""}, {"var", keep, "", ""}, {"wbr", keep, "", ""},
	{"a", keep, "", "only to a place in the same document; every other target is listed beside it"},
	{"img", keep, "", "only a picture that the document carries, checked byte by byte"},
	{"details", keep, "", "opens and closes without scripts"}, {"summary", keep, "", "belongs to details"},
	{"meter", keep, "", "a gauge that a report may draw; no one can set it"},
	{"progress", keep, "", "the same; without a value it would move for ever, so it must have one"},

	// Only the shell: what is in it is what counts.
	{"bdo", unwrap, report.Elements, "turns the order of letters: a person and a machine would read different words"},
	{"blink", unwrap, "", "was only a look"},
	{"fieldset", unwrap, report.Forms, "groups controls, and there are none"},
	{"label", unwrap, report.Forms, "names a control, and there is none; its words stay"},
	{"legend", unwrap, report.Forms, "belongs to fieldset"},
	{"head", unwrap, "", "the document has a head of our own"},
	{"multicol", unwrap, "", "was only a look"}, {"nobr", unwrap, "", "closes itself in ways that parsers disagree about"},
	{"picture", unwrap, "", "chooses among sources; the img in it is what is left"},
	{"rb", unwrap, "", "parsers disagree about where it ends"}, {"rtc", unwrap, "", "parsers disagree about where it ends"},
	{"search", unwrap, "", "marks a place for controls, and there are none"},
	{"spacer", unwrap, "", "was only a look"},
	{"selectedcontent", unwrap, "", "copies parts of a select, and there is none"},

	// Code, and what holds it.
	{"script", drop, report.Scripts, "runs"},
	{"noscript", drop, report.Elements, "is parsed in two ways, with scripts and without: a classic trick for markup that changes its meaning"},
	{"template", drop, report.Elements, "holds a second document that only scripts use, and parsers treat apart"},
	{"slot", drop, report.Elements, "is filled by scripts"},
	{"canvas", drop, report.Elements, "is drawn by scripts; without them it is a blank area"},

	// Other documents, and whatever loads.
	{"applet", drop, report.Frames, "loads and runs a program"}, {"bgsound", drop, report.Loads, "loads and plays"},
	{"embed", drop, report.Frames, "loads and runs whatever its type says"}, {"fencedframe", unwrap, report.Frames, "shows another document"},
	{"frame", drop, report.Frames, "shows another document"}, {"frameset", drop, report.Frames, "is a body made of other documents"},
	{"iframe", drop, report.Frames, "shows another document; srcdoc would carry one"}, {"object", drop, report.Frames, "loads and runs whatever its type says"},
	{"portal", unwrap, report.Frames, "shows another document"}, {"noembed", drop, report.Elements, "holds raw text whose end parsers disagree about"},
	{"noframes", drop, report.Elements, "holds raw text whose end parsers disagree about"}, {"param", drop, "", "belongs to object"},
	{"audio", drop, report.Loads, "loads and plays; a sound leaves no mark that could be judged"},
	{"video", drop, report.Loads, "loads and moves; a film is not the same picture a minute later"},
	{"source", drop, report.Loads, "an address that loads"}, {"track", drop, report.Loads, "an address that loads"},
	{"image", drop, report.Loads, "an old name of img; parsers change it before we see it"},
	{"link", drop, report.Loads, "loads, or opens a connection ahead of time"},

	// The document's own machinery.
	{"base", drop, report.Redirects, "turns every address elsewhere, fragments too"},
	{"meta", drop, report.Redirects, "can move the reader elsewhere or change the policy"},
	{"title", drop, "", "names the window; the page around the frame does that"},
	{"style", drop, "", "is read apart: its rules are filtered and come back in the head"},
	{"basefont", drop, "", "was only a look"}, {"isindex", unwrap, report.Forms, "was a form"}, {"nextid", unwrap, "", "meant something to one program"},

	// Forms and controls: nothing here asks a person for anything.
	{"form", drop, report.Forms, "sends what a person typed; in here it could only be a trap"},
	{"button", drop, report.Forms, "acts, or pretends to be one of ours"}, {"input", drop, report.Forms, "asks for input that people may not want to give"},
	{"select", drop, report.Forms, "asks, and draws outside the frame; parsers read its content in two ways"}, {"datalist", drop, report.Forms, "belongs to input"},
	{"optgroup", drop, report.Forms, "belongs to select"}, {"option", drop, report.Forms, "belongs to select"}, {"output", drop, report.Forms, "is filled by scripts"},
	{"textarea", drop, report.Forms, "asks; holds raw text whose end attackers like to move"}, {"keygen", drop, report.Forms, "made keys"},

	// What floats, moves, or ends parsing.
	{"dialog", drop, report.Elements, "imitates a window of the page around it"}, {"area", drop, report.Addresses, "a link on an invisible part of a picture"},
	{"map", drop, report.Elements, "holds areas"}, {"marquee", drop, report.Elements, "moves: not the same picture a minute later"},
	{"listing", drop, report.Elements, "an old pre with special rules"}, {"xmp", drop, report.Elements, "holds raw text whose end parsers disagree about"},
	{"plaintext", drop, report.Elements, "never ends"}, {"rbc", unwrap, "", "was never implemented alike"},
	{"menuitem", unwrap, report.Elements, "was a command"}, {"command", unwrap, report.Elements, "was a command"}, {"content", unwrap, report.Elements, "was filled by scripts"},
	{"shadow", unwrap, report.Elements, "was filled by scripts"}, {"element", unwrap, report.Elements, "made new elements by scripts"},

	// Foreign languages: an svg becomes an image after its own check; what cannot is a visible box.
	{"svg", drop, "", "holds scripts and loads, and has a separate parser; shown as an image instead"},
	{"math", drop, report.Foreign, "changes how everything in it is parsed"},
}

var elementRules = func() map[string]*element {
	m := make(map[string]*element, len(elements))
	for i := range elements {
		m[elements[i].name] = &elements[i]
	}
	return m
}()

// fateOf returns the rule of an element by its name in lower case.
func fateOf(name string) *element {
	if e := elementRules[name]; e != nil {
		return e
	}
	return &element{name: name, fate: unwrap, what: report.Elements, why: "unknown to the standard: it means nothing without scripts"}
}
