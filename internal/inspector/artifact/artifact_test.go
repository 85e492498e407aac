package artifact

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// parts are small stand-ins; what is tested is the file around them.
func parts() Parts {
	return Parts{
		Version: "v9.9.9", CSS: "body{color:red}", Script: "console.log('page')", Worker: "console.log('worker')",
		Samples: `{"one":{".figs/runs.jsonl":"e30K"}}`,
		Engine:  bytes.Repeat([]byte("engine "), 100), Reader: bytes.Repeat([]byte("reader "), 100),
	}
}

func build(t *testing.T, p Parts) []byte {
	t.Helper()
	file, err := Build(p)
	if err != nil {
		t.Fatalf("Build = %v", err)
	}
	return file
}

func TestBuildTwiceGivesTheSameBytes(t *testing.T) {
	if !bytes.Equal(build(t, parts()), build(t, parts())) {
		t.Error("Build gave two different files for the same parts")
	}
}

func TestCheckPassesWhatBuildWrote(t *testing.T) {
	r, err := Check(build(t, parts()))
	if err != nil || len(r.Problems) > 0 {
		t.Fatalf("Check = %+v, %v, want no problem", r, err)
	}
	if r.Manifest.Version != "v9.9.9" || r.Manifest.Engine != moduleOf(parts().Engine) || r.Manifest.Reader != moduleOf(parts().Reader) {
		t.Errorf("Manifest = %+v, want the parts' own", r.Manifest)
	}
}

func TestCheckSeesEveryFlippedByte(t *testing.T) {
	file := build(t, parts())
	for at := range file {
		changed := bytes.Clone(file)
		changed[at] ^= 1
		if r, err := Check(changed); err == nil && len(r.Problems) == 0 {
			t.Fatalf("byte %d flipped (%q): Check found nothing", at, file[max(0, at-20):min(len(file), at+20)])
		}
	}
}

func TestCheckSeesAChangeThatRenewsTheSeal(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"a policy that lets connections through": {"connect-src 'none'", "connect-src https:", "policy"},
		"a second script":                        {"</body>", "<script>1</script></body>", "not a figs inspector"},
		"another module":                         {slotOf(t, "engine"), slotOf(t, "reader"), "engine.wasm"},
	} {
		t.Run(name, func(t *testing.T) {
			file := strings.Replace(string(build(t, parts())), c.old, c.new, 1)
			said := ""
			r, err := Check(reseal([]byte(file)))
			if err != nil {
				said = err.Error()
			} else {
				said = strings.Join(r.Problems, " ")
			}
			if !strings.Contains(said, c.want) || strings.Contains(said, "seal") {
				t.Errorf("Check said %q, want %q and nothing of the seal", said, c.want)
			}
		})
	}
}

func slotOf(t *testing.T, name string) string {
	slots, err := Slots(build(t, parts()))
	if err != nil {
		t.Fatal(err)
	}
	return slots[name]
}

// reseal does what somebody would do who changes a file on purpose.
func reseal(file []byte) []byte {
	_, rest, _ := strings.Cut(string(file), sealLead)
	old, _, _ := strings.Cut(rest, `"`)
	unsealed := strings.Replace(string(file), sealLead+old, sealLead, 1)
	return []byte(strings.Replace(unsealed, sealLead, sealLead+sealOf([]byte(unsealed)), 1))
}

func TestCheckOfAnotherFile(t *testing.T) {
	for _, file := range []string{"", "<!doctype html>", shellLead + "!!!", shellLead + "aGk=</script>"} {
		if _, err := Check([]byte(file)); !errors.Is(err, ErrForeign) {
			t.Errorf("Check(%q) = %v, want ErrForeign", file, err)
		}
	}
}

func TestBuildRefusesWhatHTMLWouldChange(t *testing.T) {
	for _, text := range []string{"a\rb", "x</SCRIPT>", "<!-- x", "<script", "a\x00b"} {
		p := parts()
		p.Worker = text
		if _, err := Build(p); err == nil {
			t.Errorf("Build with a worker of %q passed, want an error", text)
		}
	}
}

// TestPolicyAdmitsOnlyThePagesScript reads the file as a browser does: one script that runs,
// whose hash is in the policy; everything else is data.
func TestPolicyAdmitsOnlyThePagesScript(t *testing.T) {
	doc, err := html.Parse(bytes.NewReader(build(t, parts())))
	if err != nil {
		t.Fatal(err)
	}
	var policies, running []string
	for n := range doc.Descendants() {
		attr := map[string]string{}
		for _, a := range n.Attr {
			attr[a.Key] = a.Val
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
				t.Errorf("<%s> has the attribute %s", n.Data, a.Key)
			}
		}
		switch {
		case attr["http-equiv"] != "":
			policies = append(policies, attr["content"])
		case n.Data == "script" && attr["type"] == "":
			running = append(running, n.FirstChild.Data)
		case n.Data == "script" && attr["data-slot"] == "":
			t.Errorf("a data block without a name: %v", attr)
		case attr["src"] != "" || n.Data == "link" && !strings.HasPrefix(attr["href"], "data:"):
			t.Errorf("<%s> loads something: %v", n.Data, attr)
		}
	}
	if len(policies) != 1 || len(running) != 1 {
		t.Fatalf("%d policies and %d scripts that run, want one of each", len(policies), len(running))
	}
	sum := sha256.Sum256([]byte(running[0]))
	want := "default-src 'none'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "' 'wasm-unsafe-eval'; worker-src blob:; " +
		"style-src 'unsafe-inline'; img-src data: blob:; frame-src 'none'; connect-src 'none'; base-uri 'none'; form-action 'none'; " +
		"require-trusted-types-for 'script'; trusted-types figs"
	if policies[0] != want {
		t.Errorf("policy\n got %s\nwant %s", policies[0], want)
	}
}
