package parcel

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/internal/share"
)

const (
	mostListed = 2000 // entries of one folder that are looked at
	mostOpened = 200  // files that are opened to see whether they are receipts
)

// FindReceipts finds the receipts that lie beside a .figs folder: in dir, the folder that holds it, every .json file that says
// it is one, and in the folders there those that are called receipt.json or something.receipt.json. Links are not
// followed. Inside of .figs nobody looks: the protocol has no receipts there (§8).
func FindReceipts(fsys fs.FS, dir string) (found []share.AttachedReceipt) {
	opened := 0
	take := func(name string) {
		if opened++; opened > mostOpened || len(found) >= share.MaxReceipts {
			return
		}
		if content := small(fsys, name); bytes.Contains(content, []byte(`"figs-web-receipt/`)) {
			found = append(found, share.AttachedReceipt{Name: name, Content: content})
		}
	}
	for _, e := range listed(fsys, dir) {
		name := path.Join(dir, e.Name())
		switch {
		case e.Type().IsRegular() && strings.EqualFold(path.Ext(e.Name()), ".json"):
			take(name)
		case e.IsDir() && e.Name() != folder.Name && e.Name() != ".git" && e.Name() != "node_modules":
			for _, in := range listed(fsys, name) {
				if lower := strings.ToLower(in.Name()); in.Type().IsRegular() && (lower == "receipt.json" || strings.HasSuffix(lower, ".receipt.json")) {
					take(path.Join(name, in.Name()))
				}
			}
		}
	}
	return found
}

// listed are the first entries of a folder; none of one that cannot be read.
func listed(fsys fs.FS, dir string) []fs.DirEntry {
	d, err := fsys.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	if list, ok := d.(fs.ReadDirFile); ok {
		entries, _ := list.ReadDir(mostListed)
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
		return entries
	}
	return nil
}

// small is a file that may be a receipt; nil of one that is too large, or cannot be read.
func small(fsys fs.FS, name string) []byte {
	f, err := fsys.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, receipt.MaxSize+1))
	if err != nil || len(content) > receipt.MaxSize {
		return nil
	}
	return content
}

// FromContents is the folder with the receipts that lie beside it.
func FromContents(fsys fs.FS, c *folder.Contents) Folder {
	f := Folder{FS: fsys, Contents: c}
	if !c.Alone && path.Base(c.Dir) == folder.Name {
		f.Receipts = FindReceipts(fsys, path.Dir(c.Dir))
	}
	return f
}

// FromFS is the .figs folder of that path, with the receipts that lie beside it.
func FromFS(fsys fs.FS, dir string) Folder { return FromContents(fsys, folder.List(fsys, dir)) }
