package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWithout(t *testing.T) {
	files := map[string][]byte{
		"a.go": []byte(`package a

import (
	"fmt"
	web "net/http"
	"strings"
)

// Handler serves.
type Handler struct{ next web.Handler }

func (h *Handler) Serve(x int) { fmt.Println(x) }

func New() *Handler { return nil }

var (
	kept = strings.ToUpper("kept")
	gone = New()
)

type text struct{ Handler string }

func (t text) String() string { return t.Handler }
`),
		"b.go": []byte("package a\n\nfunc useless() { _ = gone }\n\nfunc useful() string { return kept }\n"),
		"c.go": []byte("package a\n\nimport \"net/url\"\n\nvar _ url.URL\n"),
	}
	got, err := without(files, []string{"net/http"})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got["a.go"] == nil || got["b.go"] == nil {
		t.Fatalf("%d files change, want a.go and b.go", len(got))
	}
	for _, word := range []string{"net/http", "Serve", "New", "gone", "fmt", "serves", "useless"} {
		if strings.Contains(string(got["a.go"])+string(got["b.go"]), word) {
			t.Errorf("%q is still there:\n%s", word, got["a.go"])
		}
	}
	for _, word := range []string{"kept = strings.ToUpper", "type text struct", "return t.Handler", "func useful"} {
		if !strings.Contains(string(got["a.go"])+string(got["b.go"]), word) {
			t.Errorf("%q is gone:\n%s", word, got["a.go"])
		}
	}
	if strings.Count(string(got["a.go"]), "\n") != strings.Count(string(files["a.go"]), "\n") {
		t.Error("lines have moved")
	}
}

// The reader builds with what run writes, and links neither a web server nor Go's templates.
func TestReaderIsLean(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "lean")
	if err := run(folder); err != nil {
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-modfile="+filepath.Join(folder, "go.mod"), "-overlay="+filepath.Join(folder, "overlay.json"), "-deps", "github.com/figs-web/figs-web/wasm/reader")
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	linked := strings.Fields(string(out))
	for _, path := range append(slices.Clone(libraries[0].lost), "crypto/tls", "text/template", "crypto/internal/fips140/drbg", "crypto/internal/fips140/aes") {
		if slices.Contains(linked, path) {
			t.Errorf("the reader still links %s", path)
		}
	}
	for _, l := range libraries {
		if !slices.Contains(linked, l.path) {
			t.Errorf("the reader does not link %s: the list is of something else", l.path)
		}
	}
}

// TestStandIns holds the stand-ins of the standard library to what they stand for: a program that is built with them
// judges hashes and signatures, sound and damaged.
func TestStandIns(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "lean")
	if err := run(folder); err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(source, []byte(judge), 0o600); err != nil {
		t.Fatal(err)
	}
	var in, want strings.Builder
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		message := make([]byte, random.IntN(300))
		seed := make([]byte, ed25519.SeedSize)
		for _, b := range [][]byte{message, seed} {
			for k := range b {
				b[k] = byte(random.Uint32())
			}
		}
		private := ed25519.NewKeyFromSeed(seed)
		key, signature := private.Public().(ed25519.PublicKey), ed25519.Sign(private, message)
		if i%2 == 1 {
			signature[random.IntN(len(signature))] ^= 1 << random.IntN(8)
		}
		if i%5 == 4 {
			key[random.IntN(len(key))] ^= 1 << random.IntN(8)
		}
		fmt.Fprintf(&in, "%x. %x %x\n", message, key, signature)
		fmt.Fprintf(&want, "%x %v\n", sha256.Sum256(message), ed25519.Verify(key, message, signature))
	}
	program := exec.Command("go", "run", "-overlay="+filepath.Join(folder, "overlay.json"), source)
	program.Stdin, program.Stderr = strings.NewReader(in.String()), os.Stderr
	got, err := program.Output()
	if err != nil || string(got) != want.String() {
		t.Errorf("the stand-ins judge otherwise (%v):\n%s\nwant\n%s", err, got, &want)
	}
}

const judge = `package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

func main() {
	for {
		var texts [3]string
		if n, _ := fmt.Scanln(&texts[0], &texts[1], &texts[2]); n != 3 {
			return
		}
		var parts [3][]byte
		for i := range parts {
			parts[i], _ = hex.DecodeString(strings.TrimSuffix(texts[i], "."))
		}
		fmt.Printf("%x %v\n", sha256.Sum256(parts[0]), ed25519.Verify(parts[1], parts[0], parts[2]))
	}
}
`
