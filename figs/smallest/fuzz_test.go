//go:build !js

package smallest_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
	"github.com/figs-web/figs-web/figs/smallest"
)

// most is the largest folder that is tried, in bytes: an example takes more readings than a folder has bytes.
const most = 4 << 10

// TestMixed makes examples of folders that are put together from the vectors, so that findings stand beside
// each other and beside what is right.
func TestMixed(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	t.Parallel()
	small := smallVectors()
	for range 60 {
		promises(t, mixed(rng, small), rng.IntN(8))
	}
}

// FuzzOf holds the examples of any folder to what they promise.
func FuzzOf(f *testing.F) {
	small := smallVectors()
	rng := rand.New(rand.NewPCG(9, 2))
	for i := range 60 {
		v := small[i*len(small)/60]
		if i%2 == 1 {
			v = mixed(rng, small)
		}
		name := ""
		if len(v.Artifacts) > 0 {
			name = v.Artifacts[0].Name
		}
		f.Add(v.Files["runs.jsonl"], v.Files["asks.jsonl"], v.Files["messages.jsonl"], v.Files["agent.json"], v.Files["config.json"], name, uint8(i))
	}
	f.Fuzz(func(t *testing.T, runs, asks, messages, agent, config []byte, name string, which uint8) {
		if len(runs)+len(asks)+len(messages)+len(agent)+len(config)+len(name) > most {
			return
		}
		v := figstest.Vector{Now: "2026-11-20T12:00:00Z", Artifacts: []figstest.Artifact{{Name: name, Size: 7}}, Files: map[string][]byte{}}
		for name, b := range map[string][]byte{"runs.jsonl": runs, "asks.jsonl": asks, "messages.jsonl": messages, "agent.json": agent, "config.json": config} {
			if len(b) > 0 {
				v.Files[name] = b
			}
		}
		promises(t, v, int(which))
	})
}

// smallVectors are the vectors that are no larger than what is mixed of them may be.
func smallVectors() (small []figstest.Vector) {
	for v := range figstest.Vectors() {
		if size(v) < most/2 && len(v.Problems) == 0 {
			small = append(small, v)
		}
	}
	return small
}

func size(v figstest.Vector) (n int) {
	for _, b := range v.Files {
		n += len(b)
	}
	return n
}

// mixed is a folder of the lines of some vectors, in an order of its own.
func mixed(rng *rand.Rand, small []figstest.Vector) figstest.Vector {
	v := figstest.Vector{Now: "2026-11-20T12:00:00Z", Files: map[string][]byte{}}
	for range 2 + rng.IntN(3) {
		one := small[rng.IntN(len(small))]
		if size(v)+size(one) > most {
			break
		}
		for _, name := range slices.Sorted(maps.Keys(one.Files)) {
			if figs.FileNamed(name) >= figs.Ledgers {
				v.Files[name] = one.Files[name]
				continue
			}
			lines := bytes.SplitAfter(slices.Concat(v.Files[name], one.Files[name]), []byte("\n"))
			if rng.IntN(2) == 0 {
				rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
			}
			v.Files[name] = bytes.Join(lines, nil)
		}
		v.Artifacts = append(v.Artifacts, one.Artifacts...)
	}
	return v
}

// promises makes the example of one of a folder's findings and holds it to all that examples promise.
func promises(t *testing.T, v figstest.Vector, which int) {
	t.Helper()
	f, err := figstest.Read(v, figstest.Feeding{Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	report := f.Finish()
	before := string(figs.AppendFindings(nil, report))
	if len(report.Findings) == 0 {
		return
	}
	finding := &report.Findings[which%len(report.Findings)]
	if about[finding.Code.String()] {
		return
	}
	e := check(t, f, finding, v.Now)
	if e != nil {
		again := check(t, f, finding, v.Now)
		if a, b := told(e), told(again); a != b {
			t.Errorf("%s: made twice, it differs (-first +second):\n%s", finding.Code, cmp.Diff(a, b))
		}
		noLarger(t, v, e)
		noWords(t, v, e)
		zipped(t, e)
	}
	if after := string(figs.AppendFindings(nil, f.Finish())); after != before {
		t.Errorf("%s: the example changed the folder (-before +after):\n%s", finding.Code, cmp.Diff(before, after))
	}
	if t.Failed() {
		t.Fatalf("of %s:%d in\n%s", finding.File, finding.Line, folderText(v))
	}
}

func told(e *smallest.Example) string {
	return fmt.Sprintf("%s%q %d %d %d %+v", e.AppendReport(nil), e.Others, e.From, e.Lines, e.Tries, e.Finding)
}

func folderText(v figstest.Vector) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(v.Files)) {
		fmt.Fprintf(&b, "-- %s --\n%q\n", name, v.Files[name])
	}
	return fmt.Sprintf("%sartifacts %v", b.String(), v.Artifacts)
}

// tokens calls each with every text and number of a file, keys among them, as JSON and as what it says; a line
// that is no object is given whole.
func tokens(file []byte, each func(raw, text string)) {
	lines := [][]byte{file}
	if !json.Valid(file) {
		lines = bytes.Split(file, []byte("\n"))
	}
	for _, line := range lines {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if !json.Valid(line) || line[0] != '{' {
			each(string(line), string(line))
			continue
		}
		for _, raw := range inJSON.FindAllString(string(line), -1) {
			text := raw
			if raw[0] == '"' {
				json.Unmarshal([]byte(raw), &text)
			}
			each(raw, text)
		}
	}
}

var (
	inJSON      = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?[0-9][-+.0-9eE]*`)
	placeholder = regexp.MustCompile(`^([A-Za-z]+-[0-9]+(\.[a-zA-Z]+)?|https://example\.org/[0-9]+|00000000-0000-4000-8000-[0-9]{12}|Agent|0)$`)
	hidden      = regexp.MustCompile(`^[^\pL\pN\x80-\x{10FFFF}]*$`)
	date        = regexp.MustCompile(`^([0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4})([ T][-0-9:.+Z ]*)?$`)
	letters     = regexp.MustCompile(`\pL{4,}`)
)

// noLarger holds an example to no more than its folder has: the placeholders may be longer than what stood
// there, and a neutral field may keep another finding away.
func noLarger(t *testing.T, v figstest.Vector, e *smallest.Example) {
	t.Helper()
	if e.Lines > e.From || len(e.Attached) > len(v.Artifacts)+1 {
		t.Errorf("%s: %d lines and %d files, of %d and %d\n%s", e.Finding.Code, e.Lines, len(e.Attached), e.From, len(v.Artifacts), text(e))
	}
	theirs := map[string]bool{}
	for _, b := range v.Files {
		tokens(b, func(raw, _ string) { theirs[raw] = true })
	}
	const neutral = 200 // bytes of fields that are put in for a line
	bytes := 0
	for _, f := range e.Files {
		bytes += len(f.Text)
		tokens(f.Text, func(raw, _ string) {
			if !theirs[raw] {
				bytes -= len(raw)
			}
		})
	}
	if most := size(v) + neutral*(e.Lines+2); bytes > most {
		t.Errorf("%s: %d bytes, at most %d\n%s", e.Finding.Code, bytes, most, text(e))
	}
}

// ours are words of the protocol and of placeholders.
var ours = func() map[string]bool {
	all := map[string]bool{}
	for _, s := range strings.Fields(`ok warn fail in-flight settled question sign-off open resolved withdrawn rejected manager builder answer verdict
		approved changes-requested figs human self app chat note via label name agentId workspaceId endpoint units step text file key https example
		Agent html json jpeg webp xlsx docx id ts type status state title result unit period to run found need options onApprove details attachments
		artifact artifacts refs resolution session eventId kind ask by source chosen l v k org`) {
		all[s] = true
		for _, part := range strings.Split(s, "-") {
			all[part] = true
		}
	}
	return all
}()

// noWords holds an example to what it says of the agent's words: whatever stands as it was written is told.
func noWords(t *testing.T, v figstest.Vector, e *smallest.Example) {
	t.Helper()
	kept, keptWords := map[string]bool{}, map[string]bool{}
	for _, raw := range e.Kept {
		tokens([]byte(raw), func(raw, text string) { kept[raw], kept[text] = true, true })
		text := raw
		json.Unmarshal([]byte(raw), &text)
		kept[raw], kept[text] = true, true
		for _, w := range letters.FindAllString(raw+" "+text, -1) {
			keptWords[w] = true
		}
	}
	theirs, words := map[string]bool{}, map[string]bool{}
	their := func(_, text string) {
		theirs[text] = true
		for _, w := range letters.FindAllString(text, -1) {
			words[w] = !ours[w]
		}
	}
	for _, b := range v.Files {
		tokens(b, their)
	}
	for _, a := range v.Artifacts {
		their("", a.Name)
	}
	look := func(_, said string) {
		if date.MatchString(said) {
			return // the time of a line, faulty or not
		}
		if _, time := figs.ParseTime(said); time || said == "" || ours[said] || kept[said] || placeholder.MatchString(said) {
			return
		}
		if theirs[said] && !hidden.MatchString(strings.NewReplacer("x", "", "X", "", "0", "").Replace(said)) {
			t.Errorf("%s: %q stands as the agent wrote it, and kept are %q\n%s", e.Finding.Code, said, e.Kept, text(e))
		}
		for _, w := range letters.FindAllString(said, -1) {
			if words[w] && !keptWords[w] && strings.Trim(w, "xX") != "" {
				t.Errorf("%s: the word %q of %q is the agent's, and kept are %q\n%s", e.Finding.Code, w, said, e.Kept, text(e))
			}
		}
	}
	for _, f := range e.Files {
		tokens(f.Text, look)
	}
	for _, a := range e.Attached {
		look("", a.Name)
	}
}

// zipped holds the zip to the example's files.
func zipped(t *testing.T, e *smallest.Example) {
	t.Helper()
	b := e.Zip()
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Errorf("%s: the zip cannot be read: %v", e.Finding.Code, err)
		return
	}
	for i, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			return
		}
		content, err := io.ReadAll(r)
		if err != nil || i < len(e.Files) && (f.Name != ".figs/"+e.Files[i].File.String() || !bytes.Equal(content, e.Files[i].Text)) {
			t.Errorf("%s in the zip holds %q, %v", f.Name, content, err)
		}
	}
	if len(z.File) != len(e.Files)+len(e.Attached)+1 {
		t.Errorf("the zip holds %d files, the example %d and %d", len(z.File), len(e.Files), len(e.Attached))
	}
}
