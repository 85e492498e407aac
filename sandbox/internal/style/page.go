package style

import "strings"

// page is what a sheet says about the whole page: its custom properties, its colours and its font.
type page struct {
	custom               map[string]string
	colour, ground, font string
}

// note takes what a rule for the whole page says.
func (p *page) note(selector string, decls []decl) {
	if selector != ":root" && selector != "html" && selector != "body" {
		return
	}
	for _, d := range decls {
		switch {
		case strings.HasPrefix(d.name, "--"):
			if p.custom == nil {
				p.custom = map[string]string{}
			}
			p.custom[d.name] = d.value
		case d.name == "color":
			p.colour = d.value
		case d.name == "background" || d.name == "background-color":
			p.ground = d.value
		case d.name == "font-family":
			p.font = d.value
		}
	}
}

// resolved follows a value that is one custom property to what that one holds.
func (p *page) resolved(value string) string {
	for range 8 {
		inside, ok := strings.CutPrefix(value, "var(")
		if !ok || !strings.HasSuffix(inside, ")") {
			break
		}
		name, fallback, _ := strings.Cut(strings.TrimSuffix(inside, ")"), ",")
		if held, found := p.custom[name]; found {
			value = held
		} else {
			value = fallback
		}
	}
	return value
}
