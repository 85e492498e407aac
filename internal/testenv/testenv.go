// Package testenv finds what some tests need beyond Go: browsers, Node, four packages from npm, PostgreSQL, an S3
// server, and the modules that make wasm builds.
//
// A test asks for what it needs (Chromium, Node, Firefox, NodeModules, Postgres, VersityGW, Wasm). Where that is missing
// the test is skipped with one sentence that says how to get it; with CI=true in the environment it fails instead, so
// that a run that counts leaves nothing out. internal/setup installs the same parts, from the same table.
// A test that waits for something to happen waits with Eventually.
package testenv

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Chromium returns the path of a Chromium or Chrome program.
func Chromium(t testing.TB) string { t.Helper(); return need(t, chromium) }

// Firefox returns the path of a Firefox program.
func Firefox(t testing.TB) string { t.Helper(); return need(t, firefox) }

// WebKit returns the path of WebKitGTK's MiniBrowser, which WebKitWebDriver drives on a screen of Xvfb; both are in PATH.
func WebKit(t testing.TB) string { t.Helper(); return need(t, webkit) }

// Node returns the path of the node program.
func Node(t testing.TB) string { t.Helper(); return need(t, node) }

// NodeModules returns the node_modules folder that holds puppeteer-core, axe-core, oidc-provider and typescript in the versions pinned
// by npm/package-lock.json. Give it to Node as NODE_PATH.
func NodeModules(t testing.TB) string { t.Helper(); return need(t, modules) }

// Wasm returns the folder that holds engine.wasm, reader.wasm, wasm_exec.js, inspector.html and inspector.html.br, all
// present.
func Wasm(t testing.TB) string { t.Helper(); return need(t, wasm) }

// NPMPackage returns the programs npm and node, and the module that `make wasm` builds for the npm package.
func NPMPackage(t testing.TB) (npm, node, module string) {
	t.Helper()
	return need(t, npmProgram), Node(t), need(t, library)
}

// Postgres returns the folder that holds PostgreSQL's initdb and postgres.
func Postgres(t testing.TB) string { t.Helper(); return need(t, postgres) }

// VersityGW returns the path of versitygw, an S3 server that keeps buckets in a folder.
func VersityGW(t testing.TB) string { t.Helper(); return need(t, versityGW) }

// Root returns the folder that holds go.mod.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := FindRoot()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// CI reports whether a missing part is a failure.
func CI() bool { return os.Getenv("CI") == "true" }

// FindRoot looks for go.mod in the current folder and above it: go test starts a test in its package's folder.
func FindRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(data), "module github.com/figs-web/figs-web\n") {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", os.ErrNotExist
		}
		dir = up
	}
}

func need(t testing.TB, part Part) string {
	t.Helper()
	path, err := part.Find()
	if err == nil {
		return path
	}
	sentence := part.Missing() + ": " + err.Error()
	if CI() {
		t.Fatal(sentence)
	}
	t.Skip(sentence)
	return ""
}
