package cli

import (
	"context"
	"os"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/store"
)

// scriptAppend is "append FILE LINE": a line at the end of a ledger.
func scriptAppend(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: append FILE LINE")
	}
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_APPEND|os.O_WRONLY, 0)
	ts.Check(err)
	_, err = f.WriteString(args[1] + "\n")
	ts.Check(err)
	ts.Check(f.Close())
}

// scriptUndo is "undo ASK": Ana takes back what she decided on an ask of AGENT.
func scriptUndo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: undo ASK")
	}
	withData(ts, func(ctx context.Context, data *cmd.Data) error {
		ana, err := data.Store.UserByEmail(ctx, "ana@example.org")
		ts.Check(err)
		made, err := data.Store.Pending(ctx, ts.Getenv("AGENT"), args[0])
		ts.Check(err)
		_, err = data.Store.Undo(ctx, store.Act{By: ana.ID, At: time.Now().UnixMicro()}, ts.Getenv("AGENT"), made.ID)
		return err
	})
}

// scriptKeep is "keep NAME KEY": the variable NAME is that member of the first object on stdout.
func scriptKeep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: keep NAME KEY")
	}
	objects := objectsOf(ts, "stdout")
	if len(objects) == 0 {
		ts.Fatalf("stdout is empty")
	}
	ts.Setenv(args[0], memberOf(objects[0], args[1]))
}
