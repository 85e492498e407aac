package artifact

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
)

// ErrForeign says that a file is not an inspector at all.
var ErrForeign = errors.New("this is not a figs inspector file")

// Report is what reading a file back gives.
type Report struct {
	SHA256   string   // of the whole file
	Manifest Manifest // what the file says about itself
	Policy   string   // the policy in the file
	Shared   bool     // the share slot is filled
	Problems []string // sentences; none: the file is whole
}

// Check reads a file that Build wrote and proves what can be proved from the file alone:
// that nothing in it changed since it was built, that the policy forbids every connection
// and admits no script but its own, and that the modules are the ones it names. Someone who
// changes a file on purpose can also renew its seal; only comparing SHA256 with a published
// one, or with another copy, shows that.
func Check(file []byte) (*Report, error) {
	slots, page, err := parse(string(file))
	if err != nil {
		return nil, err
	}
	r := &Report{SHA256: hexSum(file), Policy: slots["policy"], Shared: slots["share"] != ""}
	if err := json.Unmarshal([]byte(slots["manifest"]), &r.Manifest); err != nil {
		r.problem("The file's manifest can't be read.")
	}
	if page != shell {
		r.problem("The page differs from the one that this version writes. Check the file with the figs-web version that wrote it.")
	}
	if slots["policy"] != Policy(slots["script"]) {
		r.problem("The policy isn't the expected one, which blocks every connection and allows only the page's own script.")
	}
	unsealed := strings.Replace(string(file), sealLead+slots["seal"]+`"`, sealLead+`"`, 1)
	if slots["seal"] != sealOf([]byte(unsealed)) {
		r.problem("The file was changed after it was built: its seal doesn't match.")
	}
	r.module("engine", slots["engine"], r.Manifest.Engine)
	r.module("reader", slots["reader"], r.Manifest.Reader)
	return r, nil
}

// module compares one carried module with what the manifest says of it.
func (r *Report) module(name, text string, want Module) {
	module, err := unpack(text)
	if err != nil {
		r.problem("The module " + name + ".wasm cannot be unpacked.")
		return
	}
	if moduleOf(module) != want {
		r.problem("The module " + name + ".wasm is not the one that the file names.")
	}
}

func (r *Report) problem(sentence string) { r.Problems = append(r.Problems, sentence) }

// Slots returns the parts of a file as they stand in it, by the names of the shell.
func Slots(file []byte) (map[string]string, error) {
	slots, _, err := parse(string(file))
	return slots, err
}

const (
	shellLead = `<script type="text/plain" data-slot="shell">`
	sealLead  = `<meta name="figs-seal" content="`
)

// parse finds the parts of a file with the help of the shell that it carries.
func parse(file string) (slots map[string]string, page string, err error) {
	_, rest, ok := strings.Cut(file, shellLead)
	if !ok {
		return nil, "", ErrForeign
	}
	text, _, _ := strings.Cut(rest, "<")
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, "", ErrForeign
	}
	page = string(raw)
	slots, ok = match(file, page)
	if !ok {
		return nil, "", ErrForeign
	}
	return slots, page, nil
}

// match takes a file apart along a shell: what stands between two fixed pieces is a part.
func match(file, page string) (map[string]string, bool) {
	slots := map[string]string{}
	name, at := "", 0
	marks := append(slotMark.FindAllStringSubmatchIndex(page, -1), []int{len(page), len(page), 0, 0})
	for _, m := range marks {
		piece := page[at:m[0]]
		skip := strings.Index(file, piece)
		if skip < 0 || name == "" && skip > 0 {
			return nil, false
		}
		if name != "" {
			slots[name] = file[:skip]
		}
		file = file[skip+len(piece):]
		name, at = page[m[2]:m[3]], m[1]
	}
	return slots, file == ""
}
