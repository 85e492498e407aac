package reply

import (
	"net/url"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

func ask(line string) figs.Object { return figs.Fold([][]byte{[]byte(line)}) }

const asked = `{"id":"it's; rm -rf /","type":"question","title":"T","ts":"2026-11-20T10:00:00Z","options":["a\nb","$(id) 'x'"]}`

// What a page carries comes back as it was, and what is no field of it is left out.
func TestRead(t *testing.T) {
	file := File{Name: "a b.md", SHA256: strings.Repeat("0f", 32)}
	gone := File{Name: "- later.md"}
	got := Read(url.Values{FieldKey: {"k"}, FieldRevision: {"1.1.0.x"}, FieldFile: {file.Value(), gone.Value(), "nonsense"}, FieldVerdict: {"answer"},
		FieldWaive: {"2", "-1", "x", "0"}, FieldStep: {"1"}, FieldBy: {" Ada "}, FieldText: {" kept "}})
	want := Form{Key: "k", Revision: "1.1.0.x", Files: []File{file, gone}, Text: " kept ", By: "Ada", Waived: []int{2}, Ticked: []int{1}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Read = %+v, want %+v", got, want)
	}
}

// A browser sends a line break as two characters; the option is quoted as the agent wrote it.
func TestLine(t *testing.T) {
	f := Form{Chosen: "a\r\nb"}
	line, wrong := f.Line(ask(asked), figs.ReplyInput{ID: "m", By: "Ada", TS: "2026-11-20T11:00:00Z", Chat: true})
	if want := `"source":"chat","chosen":"a\nb"}`; wrong != figs.ReplyOK || !strings.HasSuffix(string(line), want) {
		t.Errorf("Line = %s, %v, want …%s", line, wrong, want)
	}
	f.Verdict = "approved"
	if _, wrong := f.Line(ask(asked), figs.ReplyInput{ID: "m", By: "Ada", TS: "2026-11-20T11:00:00Z"}); wrong != figs.ProblemVerdict {
		t.Errorf("a verdict on a question: %v", wrong)
	}
}

func TestLacks(t *testing.T) {
	g := Gate{
		Files: []GatedFile{{File: File{"seen.md", "aa"}, Opened: true}, {File: File{"new.md", "bb"}}, {File: File{Name: "late.md"}}},
		Steps: Steps([]string{"Note it", "Email it — this CAN’T be undone"}, false),
	}
	f := Form{Verdict: "approved", Waived: []int{3}}
	if got, want := g.Missing(&f), []Missing{{File: "new.md"}, {Absent: true, File: "late.md"}, {Step: 2}}; !reflect.DeepEqual(got, want) {
		t.Errorf("Lacks = %+v, want %+v", got, want)
	}
	f.Waived, f.Ticked, g.Files = []int{2}, []int{2}, g.Files[:2]
	if got, want := g.Missing(&f), []Missing{{Reason: true}}; !reflect.DeepEqual(got, want) {
		t.Errorf("Lacks = %+v, want %+v", got, want)
	}
	f.Reason = "Ana has read it."
	if got := g.Missing(&f); got != nil {
		t.Errorf("Lacks = %+v, want none", got)
	}
	if steps := Steps([]string{"Note it"}, true); !steps[0].Tick || steps[0].Hard {
		t.Errorf("Steps = %+v: every step is to be ticked, and none is called more than it says", steps)
	}
	f.Verdict, g.Files[1].SHA256 = "rejected", ""
	if got := g.Missing(&f); got != nil {
		t.Errorf("declining waits for %+v", got)
	}
}

// A shell reads the command's words as they were typed.
func TestCommand(t *testing.T) {
	f := Form{Chosen: "$(id) 'x'", Text: "it's\r\n`done`; \\ \"q\" !x"}
	command := f.Command(ask(asked), "Ada O'Hara")
	out, err := exec.Command("sh", "-c", strings.Replace(command, "figs", `printf '%s\0'`, 1)).Output()
	if err != nil {
		t.Skip("no shell: ", err)
	}
	want := []string{"answer", "it's; rm -rf /", "--by=Ada O'Hara", "--chosen=$(id) 'x'", "--text=it's\n`done`; \\ \"q\" !x", ""}
	if got := strings.Split(string(out), "\x00"); !reflect.DeepEqual(got, want) {
		t.Errorf("a shell reads %q, want %q", got, want)
	}
	if got := f.Command(ask(`{"id":"-x"}`), "Ada"); got != "" {
		t.Errorf("an id that clients take for an option: %q, want none", got)
	}
}

// A form carries every name as it is, also where a browser writes line breaks its own way.
func TestFileValue(t *testing.T) {
	for _, name := range []string{"a.md", " a", "- a", `"a"`, `"`, "a\nb", "a\r\nb\"c", "a\rb", "\u00e9", "%0A", "\u202ea", ""} {
		for _, sum := range []string{"", "9f86d0"} {
			file := File{Name: name, SHA256: sum}
			value := file.Value()
			if strings.ContainsAny(value, "\r\n") {
				t.Errorf("%q has line breaks", value)
			}
			got := Read(url.Values{FieldFile: {value}}).Files
			if len(got) != 1 || got[0] != file {
				t.Errorf("%q came back as %+v from %q", name, got, value)
			}
		}
	}
	if got := Read(url.Values{FieldFile: {`- "a`, "nothing", ""}}).Files; len(got) != 0 {
		t.Errorf("read %+v", got)
	}
}
