package folder_test

import (
	"context"
	"fmt"
	"os"
	"testing/fstest"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
)

// Find and read all agents of a repository. os.DirFS reads one from disk.
func Example() {
	repository := fstest.MapFS{
		"billing/.figs/runs.jsonl":         {Data: []byte(`{"id":"close-books","ts":"2026-05-04T09:00:00Z","state":"settled","status":"ok"}` + "\n")},
		"support/.figs/runs.jsonl":         {Data: []byte(`{"id":"triage","status":"done"}` + "\n")},
		"support/node_modules/x/.figs/y":   {},
		"support/.figs/artifacts/queue.md": {Data: []byte("# Queue\n")},
	}
	found, skipped := folder.Find(repository)
	for _, place := range found {
		f, report, err := folder.Read(context.Background(), repository, place.Dir, figs.Options{}, nil)
		if err != nil {
			fmt.Println(err) // only if the context ends
			return
		}
		fmt.Println(place.Dir, f.Records(figs.Runs), "job,", report.Errors, "errors")
	}
	fmt.Println(skipped.Sentences())
	// Output:
	// billing/.figs 1 job, 2 errors
	// support/.figs 1 job, 4 errors
	// [Not searched, by name: "support/node_modules".]
}

// Print the asks of a folder, even of one too large to keep in memory.
func ExampleContents_Fold() {
	fsys := fstest.MapFS{".figs/asks.jsonl": {Data: []byte(`{"id":"pay","title":"Pay?"}` + "\n" + `{"id":"pay","title":"Pay 240 EUR?"}` + "\n")}}
	c := folder.List(fsys, ".figs")
	f, _, err := c.Read(context.Background(), figs.Options{Keep: true}, nil)
	if err == nil {
		err = c.Fold(context.Background(), f, figs.Asks, os.Stdout)
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"id":"pay","title":"Pay 240 EUR?"}
}
