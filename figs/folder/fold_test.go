package folder_test

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
)

func TestFoldIsTheSameFromDisk(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "runs.jsonl"), "\ufeff"+`{"id":"b","ts":"2026-11-20T10:00:00Z","x":{"y":1}}`+"\r\n"+`{"id":"a","ts":"2026-11-20T10:00:00Z"}`+"\n{broken}\n"+`{"id":"b","x":null,"é":"ü"}`+"\n")
	write(t, filepath.Join(dir, "messages.jsonl"), `{"id":"m","kind":"answer","ask":"q","by":"S","ts":"2026-11-20T10:00:00Z","text":"first"}`+"\n"+`{"id":"m","text":"again"}`+"\n"+
		`{"id":"odd","kind":"answer","ask":"q","by":"S","ts":"soon","text":"x"}`+"\n"+
		`{"id":"before","kind":"answer","ask":"z","by":"S","ts":"2026-11-20T10:00:00+02:00","text":"x"}`+"\n")
	contents := folder.List(rootFS(t, dir), ".")
	if !contents.RandomAccess() {
		t.Fatal("RandomAccess() = false for files on disk")
	}
	for _, ledger := range []figs.File{figs.Runs, figs.Asks, figs.Messages} {
		var want []byte
		for _, keep := range []bool{true, false} {
			f, _, err := contents.Read(context.Background(), figs.Options{Keep: keep}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if keep {
				want = f.AppendFold(nil, ledger)
			}
			var got bytes.Buffer
			if err := contents.Fold(context.Background(), f, ledger, &got); err != nil || got.String() != string(want) {
				t.Errorf("Fold(%v, keep %v) = %v\n%swant\n%s", ledger, keep, err, &got, want)
			}
		}
	}
}
