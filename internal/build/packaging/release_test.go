package packaging

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/figs-web/figs-web/internal/testenv"
)

// release is as much of .goreleaser.yaml as is held to facts here. Whether GoReleaser knows every name in it, its own
// types tell: go -C tools/release run . ../../.goreleaser.yaml
type release struct {
	Version int
	Before  struct{ Hooks []string }
	Builds  []struct {
		Main                              string
		Env, Flags, LDFlags, GOOS, GOArch []string
	}
	Archives []struct{ Files []source }
	NFPMs    []struct {
		Formats  []string
		Contents []source
		Scripts  map[string]string
	} `yaml:"nfpms"`
	Checksum struct {
		ExtraFiles []struct{ Glob string } `yaml:"extra_files"`
	}
	Release struct {
		ExtraFiles []struct{ Glob string } `yaml:"extra_files"`
	}
}

type source struct{ Src, Dst string }

func TestRelease(t *testing.T) {
	var r release
	if err := yaml.Unmarshal([]byte(read(t, ".goreleaser.yaml")), &r); err != nil {
		t.Fatal(err)
	}
	if r.Version != 2 || len(r.Builds) != 1 || len(r.NFPMs) != 1 || len(r.Archives) != 1 {
		t.Fatalf("it is %+v", r)
	}
	b := r.Builds[0]
	// The command with which make builds is the one with which releases are built.
	built := strings.Join(b.Env, " ") + " go build " + strings.Join(b.Flags, " ") + " -ldflags='" + strings.Join(b.LDFlags, " ") + "'"
	if makefile := read(t, "Makefile"); !strings.Contains(makefile, ":= "+built+"\n") {
		t.Errorf("releases are built by %q, and make builds otherwise", built)
	}
	if got := strings.Join(b.GOOS, " ") + " × " + strings.Join(b.GOArch, " "); got != "linux darwin windows × amd64 arm64" {
		t.Errorf("released for %s", got)
	}
	if !slices.Contains(r.Before.Hooks, "make release-files") {
		t.Error("make release-files doesn't run before a release")
	}
	made := map[string]bool{".cache/man/*.1.gz": true, ".cache/licenses/THIRD_PARTY_LICENSES.txt": true} // by make release-files
	files := append(append([]source{}, r.Archives[0].Files...), r.NFPMs[0].Contents...)
	for _, script := range r.NFPMs[0].Scripts {
		files = append(files, source{Src: script})
	}
	for _, f := range files {
		found, err := filepath.Glob(filepath.Join(testenv.Root(t), f.Src))
		if (err != nil || len(found) == 0) && !made[f.Src] {
			t.Errorf("a release needs %s, which is not there", f.Src)
		}
	}
	for _, globs := range [][]struct{ Glob string }{r.Checksum.ExtraFiles, r.Release.ExtraFiles} {
		if len(globs) != 1 || globs[0].Glob != ".cache/release/*" {
			t.Errorf("beside the archives there is %v, want what make release-files writes", globs)
		}
	}
}

// Packages put everything where the units look for it.
func TestPackagesFitTheUnits(t *testing.T) {
	var r release
	if err := yaml.Unmarshal([]byte(read(t, ".goreleaser.yaml")), &r); err != nil {
		t.Fatal(err)
	}
	installed := map[string]bool{program: true}
	for _, c := range r.NFPMs[0].Contents {
		installed[c.Dst] = true
	}
	u := unit(t, read(t, "packaging/figs-web.service"))
	for _, word := range strings.Fields(u["Service.ExecStart"][0]) {
		if (strings.HasPrefix(word, "/etc/") || strings.HasPrefix(word, "/usr/")) && !installed[word] {
			t.Errorf("the service needs %s, which no package installs", word)
		}
	}
	for _, name := range []string{"after-install.sh", "before-remove.sh"} {
		info, err := os.Stat(filepath.Join(testenv.Root(t), "packaging", name))
		if err != nil || info.Mode()&0o100 == 0 {
			t.Errorf("%s cannot be run (%v)", name, err)
		}
	}
}

// TestManifests checks that no other package manager's manifest is published unless a variable says where.
func TestManifests(t *testing.T) {
	type manifest struct {
		IDs        []string
		Homepage   string
		SkipUpload string `yaml:"skip_upload"`
		GitURL     string `yaml:"git_url"`
		Repository struct{ Owner, Name string }
	}
	var all map[string]any
	text := read(t, ".goreleaser.yaml")
	if err := yaml.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	for _, section := range []string{"homebrew_casks", "scoops", "winget", "nix", "aurs"} {
		b, err := yaml.Marshal(all[section])
		var list []manifest
		if err == nil {
			err = yaml.Unmarshal(b, &list)
		}
		if err != nil || len(list) != 1 {
			t.Fatalf("%s has %d manifests, want one (%v)", section, len(list), err)
		}
		m := list[0]
		variable := "FIGS_WEB_PACKAGES_OWNER"
		if section == "aurs" {
			variable = "FIGS_WEB_AUR_GIT_URL"
		}
		from := `{{ envOrDefault "` + variable + `" "" }}`
		if m.Repository.Owner+m.GitURL != from || m.SkipUpload != `{{ eq (envOrDefault "`+variable+`" "") "" }}` || !slices.Equal(m.IDs, []string{"figs-web"}) {
			t.Errorf("%s: %+v, want it unpublished without %s", section, m, variable)
		}
		if m.Homepage == "" {
			t.Errorf("%s has no homepage", section)
		}
		if !strings.Contains(read(t, "docs/releasing.md"), variable) {
			t.Errorf("docs/releasing.md doesn't explain %s", variable)
		}
	}
	if n := strings.Count(text, "://"); n != 1 || !strings.Contains(text, "homepage: &home https://github.com/figs-web/figs-web\n") {
		t.Errorf("the configuration names %d URLs, want the homepage alone", n)
	}
}
