package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"figs-web": main})
}

// TestScripts runs the program as people and agents do. To accept what it prints now:
// UPDATE_SCRIPTS=1 go test ./cmd/figs-web
func TestScripts(t *testing.T) {
	samples, err := filepath.Abs("../../static/samples")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "script"),
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("SAMPLES", samples)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"makezip": makeZip},
	})
}
