package packaging

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/cli"
)

// instruction is one of a Dockerfile.
type instruction struct{ name, rest string }

// stages are the instructions of each stage; a line that ends in a backslash goes on.
func stages(text string) (all [][]instruction) {
	text = strings.ReplaceAll(text, "\\\n", " ")
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, rest, _ := strings.Cut(line, " ")
		if name = strings.ToUpper(name); name == "FROM" {
			all = append(all, nil)
		}
		if len(all) > 0 {
			all[len(all)-1] = append(all[len(all)-1], instruction{name, strings.TrimSpace(rest)})
		}
	}
	return all
}

func all(stage []instruction, name string) (found []string) {
	for _, i := range stage {
		if i.name == name {
			found = append(found, i.rest)
		}
	}
	return found
}

func TestDockerfile(t *testing.T) {
	s := stages(read(t, "Dockerfile"))
	if len(s) != 2 || !strings.Contains(s[0][0].rest, "golang:1.26") || !strings.Contains(s[1][0].rest, "distroless/static") {
		t.Fatalf("the stages are %+v, want one that builds and one without a system", s)
	}
	last := s[1]
	for _, i := range slices.Concat(s...) {
		if i.name == "ADD" || strings.Contains(i.rest, "://") && i.name != "HEALTHCHECK" {
			t.Errorf("%s %s: nothing is fetched but the two images", i.name, i.rest)
		}
	}
	if users := all(last, "USER"); len(users) != 1 || strings.HasPrefix(users[0], "0") || strings.HasPrefix(users[0], "root") || !strings.ContainsAny(users[0], "123456789") {
		t.Errorf("it runs as %q, want a number that is not root's, which Kubernetes can check", users)
	}
	if len(all(last, "RUN")) > 0 {
		t.Error("the last stage runs something, and has no shell")
	}
	if build := all(s[0], "RUN"); len(build) != 1 || !strings.Contains(build[0], "make bin/figs-web") {
		t.Errorf("it is built by %q, want make, as everywhere", build)
	}
	entry := list(t, last, "ENTRYPOINT", "")
	if len(entry) != 1 || path.Base(entry[0]) != "figs-web" {
		t.Errorf("ENTRYPOINT is %q", entry)
	}
	command := list(t, last, "CMD", "")
	health := list(t, last, "HEALTHCHECK", "CMD ")
	for _, args := range [][]string{command, health[1:]} {
		if err := cli.Understands(args); err != nil {
			t.Errorf("figs-web %s: %v", strings.Join(args, " "), err)
		}
	}
	data := command[slices.Index(command, "--data")+1]
	if got := all(last, "VOLUME"); !slices.Equal(got, []string{data}) {
		t.Errorf("the volume is %q and the data are in %q", got, data)
	}
	if health[0] != entry[0] {
		t.Errorf("the health check starts %q", health[0])
	}
}

// list is the JSON list of an instruction that is there once, behind a word.
func list(t *testing.T, stage []instruction, name, behind string) (words []string) {
	t.Helper()
	found := all(stage, name)
	if len(found) != 1 {
		t.Fatalf("%s is there %d times", name, len(found))
	}
	text := found[0]
	if behind != "" {
		_, text, _ = strings.Cut(text, behind)
	}
	if err := json.Unmarshal([]byte(text), &words); err != nil || len(words) == 0 {
		t.Fatalf("%s %s is no list, and without a shell it must be one", name, found[0])
	}
	return words
}

// What was built or is kept in a checkout stays out of the image's sources.
func TestDockerIgnore(t *testing.T) {
	lines := strings.Split(read(t, ".dockerignore"), "\n")
	for _, name := range []string{".git", ".cache", ".data", "bin", "static/wasm/*"} {
		if !slices.Contains(lines, name) {
			t.Errorf(".dockerignore lets %s in", name)
		}
	}
}
