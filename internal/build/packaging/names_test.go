package packaging

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv"
)

var deviceName = regexp.MustCompile(`(?i)^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$`)

// unportable says why a path can't be checked out on Windows or macOS; "" if it can.
func unportable(name string) string {
	if len(name) > 180 { // of 260 on Windows, with room for the folder
		return "is too long"
	}
	for _, part := range strings.Split(name, "/") {
		stem, _, _ := strings.Cut(part, ".")
		switch {
		case strings.ContainsAny(part, `<>:"\|?*`):
			return "has a character that Windows doesn't allow"
		case strings.TrimRight(part, " .") != part:
			return "ends in a dot or a space, which Windows removes"
		case deviceName.MatchString(strings.TrimRight(stem, " ")):
			return "names a device of Windows"
		}
	}
	return ""
}

// TestCheckoutOnEverySystem checks that Windows and macOS, which ignore case, can have every file of the repository.
func TestCheckoutOnEverySystem(t *testing.T) {
	for name, want := range map[string]bool{"a/b.go": true, "docs/con.md": false, "a/COM1": false, "a/com10": true, "nul.tar.gz": false, "a./b": false, "a/b?": false, "LPT²": false, "aux /x": false, "console": true} {
		if got := unportable(name) == ""; got != want {
			t.Errorf("%q can be checked out: %v", name, got)
		}
	}
	seen, n := map[string]string{}, 0
	skipped := []string{".git", ".cache", ".data", "bin", "static/wasm"}
	err := fs.WalkDir(os.DirFS(testenv.Root(t)), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || name == ".":
			return err
		case slices.Contains(skipped, name) && d.IsDir():
			return fs.SkipDir
		}
		n++
		if why := unportable(name); why != "" {
			t.Errorf("%s %s", name, why)
		}
		if other := seen[strings.ToLower(name)]; other != "" {
			t.Errorf("%s and %s are one file on macOS and Windows", name, other)
		}
		seen[strings.ToLower(path.Clean(name))] = name
		return nil
	})
	if err != nil || n < 1000 {
		t.Errorf("%d files, %v", n, err)
	}
}
