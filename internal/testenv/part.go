package testenv

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Part is one thing that some tests need and that a machine with only Go does not have.
type Part struct {
	Name   string                 // as in a sentence: "Chromium"
	Tests  string                 // what is left out without it: "the page in a real Chromium"; empty: nothing by itself
	Get    string                 // how a person gets it: "install chromium"
	Debian []string               // Debian's packages for it, empty when apt-get is not the way
	Find   func() (string, error) // where it is
}

// Missing says in one sentence what is left out and how to get it.
func (p Part) Missing() string {
	return fmt.Sprintf("%s not tested: %s", p.Tests, p.Get)
}

// Parts lists everything that make test sets up, in the order in which it is needed.
func Parts() []Part { return []Part{chromium, node, npm, firefox, webkit, modules, postgres} }

var chromium = Part{
	Name:   "Chromium",
	Tests:  "the page in a real Chromium",
	Get:    "install chromium",
	Debian: []string{"chromium", "fonts-liberation"},
	Find: program("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
		"/Applications/Chromium.app/Contents/MacOS/Chromium",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
}

var firefox = Part{
	Name:   "Firefox",
	Tests:  "the page in Firefox",
	Get:    "install firefox-esr",
	Debian: []string{"firefox-esr"},
	Find:   program("firefox-esr", "firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"),
}

var webkit = Part{
	Name:   "WebKit",
	Tests:  "signing in and deciding in WebKit",
	Get:    "install webkit2gtk-driver and xvfb",
	Debian: []string{"webkit2gtk-driver", "xvfb"},
	Find: func() (string, error) {
		if _, err := program("Xvfb")(); err != nil {
			return "", err
		}
		if _, err := program("WebKitWebDriver")(); err != nil {
			return "", err
		}
		found, _ := filepath.Glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser") // out of PATH
		if len(found) > 0 {
			return found[0], nil
		}
		return "", errors.New("WebKitGTK's MiniBrowser is not where Debian keeps it")
	},
}

var node = Part{
	Name:   "Node",
	Tests:  "the core as WebAssembly under Node",
	Get:    "install Node 18 or newer",
	Debian: []string{"nodejs"},
	Find:   program("node"),
}

// NPM and Modules name the two parts that internal/setup treats in its own way.
const (
	NPM     = "npm"
	Modules = "puppeteer-core, axe-core, oidc-provider and typescript"
)

// npm is only the way to the modules: once they are there nobody misses it, and when they are not it is they that are
// missing.
var npm = Part{
	Name:   NPM,
	Debian: []string{"npm"},
	Find: func() (string, error) {
		if _, err := findModules(); err == nil {
			return "npm", nil
		}
		return program("npm")()
	},
}

var modules = Part{
	Name:  Modules,
	Tests: "the walk in Firefox, accessibility, sign-in at a provider and the types of scripts",
	Get:   "install npm",
	Find:  findModules,
}

var postgres = Part{
	Name:   "PostgreSQL",
	Tests:  "the store on PostgreSQL",
	Get:    "install postgresql",
	Debian: []string{"postgresql"},
	Find:   findPostgres,
}

// findPostgres finds the folder that holds initdb and postgres; Debian keeps them out of PATH.
func findPostgres() (string, error) {
	installed, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	for _, initdb := range append(installed, "initdb") {
		path, err := exec.LookPath(initdb)
		if err != nil {
			continue
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		if _, err := exec.LookPath(filepath.Join(filepath.Dir(path), "postgres")); err == nil {
			return filepath.Dir(path), nil
		}
	}
	return "", errors.New("initdb and postgres are not in PATH")
}

var versityGW = Part{
	Name:  "versitygw",
	Tests: "attachments on S3",
	Get:   "run make .cache/versitygw",
	Find:  FindVersityGW,
}

// FindVersityGW finds what make builds from the module in tools/s3, once setup is over.
func FindVersityGW() (string, error) {
	root, err := FindRoot()
	if err != nil {
		return "", err
	}
	path := filepath.Join(root, ".cache", "versitygw")
	if _, err := exec.LookPath(path); err != nil {
		return "", errors.New("the pinned S3 server is not built in .cache/versitygw")
	}
	return path, nil
}

var wasm = Part{
	Name:  "the built modules",
	Tests: "what needs the built modules",
	Get:   "run make wasm",
	Find:  findWasm,
}

var library = Part{
	Name:  "the npm package's module",
	Tests: "the npm package",
	Get:   "run make wasm",
	Find: func() (string, error) {
		root, err := FindRoot()
		if err != nil {
			return "", err
		}
		path := filepath.Join(root, ".cache", "modules", "library")
		_, err = os.Stat(path)
		return path, err
	},
}

var npmProgram = Part{Name: NPM, Tests: "the npm package", Get: "install npm", Find: program("npm")}

// program finds the first of several programs, by name in PATH or by its full path.
func program(names ...string) func() (string, error) {
	return func() (string, error) {
		for _, name := range names {
			if path, err := exec.LookPath(name); err == nil {
				return path, nil
			}
		}
		return "", errors.New(names[0] + " is not in PATH")
	}
}

// PackageJSON and LockJSON pin what is taken from npm: exact versions, with the hash of every package and without any
// address, so that whatever registry npm is set up for serves the same bytes.
var (
	//go:embed npm/package.json
	PackageJSON []byte
	//go:embed npm/package-lock.json
	LockJSON []byte
)

// ModulesFolder is where npm installs, inside the repository's ignored cache.
func ModulesFolder(root string) string { return filepath.Join(root, ".cache", "npm") }

// InstalledMark is written into ModulesFolder after npm has succeeded; it holds the lock file that was installed.
const InstalledMark = "installed.json"

func findModules() (string, error) {
	root, err := FindRoot()
	if err != nil {
		return "", err
	}
	dir := ModulesFolder(root)
	got, err := os.ReadFile(filepath.Join(dir, InstalledMark))
	if err != nil || string(got) != string(LockJSON) {
		return "", errors.New("the pinned packages are not installed in .cache/npm")
	}
	return filepath.Join(dir, "node_modules"), nil
}

func findWasm() (string, error) {
	root, err := FindRoot()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, "static", "wasm")
	var absent []string
	for _, name := range []string{"engine.wasm", "reader.wasm", "wasm_exec.js", "inspector.html", "inspector.html.br"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			absent = append(absent, name)
		}
	}
	if len(absent) > 0 {
		return "", errors.New("static/wasm lacks " + strings.Join(absent, ", "))
	}
	return dir, nil
}
