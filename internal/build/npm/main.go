// Command npm assembles the npm package from its sources in packages/engine, the module that `make wasm` builds, and Go's
// wasm_exec.js, and packs it with `npm pack`.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/figs-web/figs-web/internal/testenv"
	"github.com/figs-web/figs-web/internal/version"
)

func main() {
	out := flag.String("o", "bin", "the folder for the package")
	unpacked := flag.Bool("unpacked", false, "lay the package out in that folder, and don't pack it")
	flag.Parse()
	name, err := pack(*out, *unpacked)
	if err != nil {
		fmt.Fprintln(os.Stderr, "npm:", err)
		os.Exit(1)
	}
	fmt.Println(name)
}

// pack writes the package into a folder and returns its path.
func pack(out string, unpacked bool) (string, error) {
	root, err := testenv.FindRoot()
	if err != nil {
		return "", err
	}
	if unpacked {
		return out, assemble(root, out)
	}
	dir, err := os.MkdirTemp("", "figs-npm-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if err := assemble(root, dir); err != nil {
		return "", err
	}
	if out, err = filepath.Abs(out); err != nil {
		return "", err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return "", err
	}
	cmd := exec.Command("npm", "pack", "--json", "--ignore-scripts", "--pack-destination", out)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	list, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("npm pack: %w", err)
	}
	var packed []struct{ Filename string }
	if err := json.Unmarshal(list, &packed); err != nil || len(packed) != 1 {
		return "", fmt.Errorf("npm pack printed %q", list)
	}
	return filepath.Join(out, packed[0].Filename), nil
}

// assemble lays the package out in dir.
func assemble(root, dir string) error {
	module := filepath.Join(root, ".cache", "modules", "library")
	if _, err := os.Stat(module); err != nil {
		return errors.New("the module is not built: run make wasm")
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "packages", "engine"))); err != nil {
		return err
	}
	description, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return err
	}
	number := strings.TrimPrefix(version.Version, "v")
	described := bytes.Replace(description, []byte(`"version": "0.0.0"`), []byte(`"version": "`+number+`"`), 1)
	env, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	goroot := strings.TrimSpace(string(env))
	execution, err := os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	if execution, err = withoutGlobals(execution); err != nil {
		return err
	}
	for name, data := range map[string][]byte{
		"package.json":     described,
		"lib/version.js":   []byte("/** The version of this package, which that of its module must be. */\nexport const version = '" + version.Version + "';\n"),
		"lib/wasm-exec.js": execution,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	for to, from := range map[string]string{
		"engine.wasm": module,
		"LICENSE":     filepath.Join(root, "LICENSE"),
		"LICENSE-go":  filepath.Join(goroot, "LICENSE"),
	} {
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, to), data, 0o644); err != nil {
			return err
		}
	}
	if err := withoutTests(dir); err != nil {
		return err
	}
	// The modes of a checkout depend on the umask.
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chmod(name, 0o644)
	})
}

// withoutTests removes what is in the sources for tests alone.
func withoutTests(dir string) error {
	for _, name := range []string{"test", "tsconfig.json"} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// withoutGlobals turns wasm_exec.js, a script that defines globals, into a module that defines none: it gets an object of
// its own instead of globalThis, and a setTimeout.
func withoutGlobals(script []byte) ([]byte, error) {
	const bare = "\t\t\t\t\t\tfs.writeSync("
	if bytes.Count(script, []byte(bare)) != 1 || !bytes.Contains(script, []byte("globalThis.Go = class")) {
		return nil, errors.New("this Go's wasm_exec.js is not one that internal/build/npm knows: see what changed in it")
	}
	script = bytes.Replace(script, []byte(bare), []byte("\t\t\t\t\t\tglobalThis.fs.writeSync("), 1)
	return fmt.Appendf(nil, `// Go's wasm_exec.js, which adds its names to a local object instead of globalThis. Its license is in LICENSE-go.
// @ts-nocheck

/** @param {(callback: () => void, delay: number) => any} setTimeout @returns {{Go: any, scope: any}} */
export function goRuntime(setTimeout) {
const scope = { Object, Array, Uint8Array, Error, Date, crypto: globalThis.crypto, performance: globalThis.performance, TextEncoder, TextDecoder };
(function (globalThis) {
%s
})(scope);
return { Go: scope.Go, scope };
}
`, script), nil
}
