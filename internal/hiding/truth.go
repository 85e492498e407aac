package hiding

import (
	_ "embed"
	"encoding/json"
	"strings"
)

// Sight says how much of a secret a browser draws.
type Sight string

// The sights.
const (
	Drawn  Sight = "drawn"
	Low    Sight = "low"    // with too little contrast to be noticed
	Partly Sight = "partly" // a trace that nobody can read
	Far    Sight = "far"    // more than two screens down, or beyond the right edge
	Never  Sight = "never"  // not one pixel
)

// Engines are the browsers that were asked, and Widths of what frames, in pixels: on a phone, beside a sign-off, and on a
// page of its own.
var (
	Engines = []string{"chromium", "firefox", "webkit"}
	Widths  = []int{360, 552, 1280}
)

// Truth says what browsers draw of the secrets, as they draw the document that the viewer makes: by document, by engine,
// one sight for each width. Documents without a secret are not in it.
type Truth map[string]map[string][]Sight

//go:embed truth.json
var truth []byte

// Measured returns what was last measured. To measure again:
//
//	go run ./internal/hiding/prove -write
func Measured() (Truth, error) {
	t := Truth{}
	return t, t.UnmarshalJSON(truth)
}

// UnmarshalJSON adds what truth.json says.
func (t Truth) UnmarshalJSON(data []byte) error {
	var lines map[string]map[string]string
	if err := json.Unmarshal(data, &lines); err != nil {
		return err
	}
	for name, engines := range lines {
		for engine, sights := range engines {
			t.Set(name, engine, strings.Fields(sights))
		}
	}
	return nil
}

// Set notes what an engine draws: one sight for all widths, or one for each.
func (t Truth) Set(name, engine string, sights []string) {
	if t[name] == nil {
		t[name] = map[string][]Sight{}
	}
	list := make([]Sight, len(Widths))
	for i := range list {
		list[i] = Sight(sights[min(i, len(sights)-1)])
	}
	t[name][engine] = list
}

// MarshalJSON writes sights as words, and only one where all widths agree.
func (t Truth) MarshalJSON() ([]byte, error) {
	lines := map[string]map[string]string{}
	for name, engines := range t {
		lines[name] = map[string]string{}
		for engine, sights := range engines {
			lines[name][engine] = Words(sights)
		}
	}
	return json.Marshal(lines)
}

// Words writes sights, and only one where all are the same.
func Words(sights []Sight) string {
	same := true
	var list []string
	for _, s := range sights {
		same = same && s == sights[0]
		list = append(list, string(s))
	}
	if same && len(list) > 0 {
		list = list[:1]
	}
	return strings.Join(list, " ")
}

// Undrawn reports whether an engine draws no pixel of the secret at one of the widths.
func (t Truth) Undrawn(name string) bool {
	for _, sights := range t[name] {
		for _, s := range sights {
			if s == Never {
				return true
			}
		}
	}
	return false
}

// Worst returns the sight that is furthest from a person's eyes, over all engines and widths; "" when nothing is known.
func (t Truth) Worst(name string) Sight {
	order := []Sight{Never, Partly, Low, Far, Drawn}
	worst := len(order)
	for _, sights := range t[name] {
		for _, s := range sights {
			for i, x := range order {
				if s == x {
					worst = min(worst, i)
				}
			}
		}
	}
	if worst == len(order) {
		return ""
	}
	return order[worst]
}
