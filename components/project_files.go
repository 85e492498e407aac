package components

import (
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/internal/journal"
)

// files is the list of what the viewer can show of a root, the comparison of two, or one of them.
func (r *rootRequest) files(key string) (view, error) {
	if key != "" {
		if no := numbered(key, len(r.root.Files)); no > 0 {
			return r.file(no)
		}
		return view{}, journal.ErrNotFound
	}
	if r.opening.view == compare {
		return r.comparison()
	}
	var found []*journal.File
	for i := range r.root.Files {
		if f := &r.root.Files[i]; strings.Contains(strings.ToLower(f.Name), strings.ToLower(r.query.Text)) {
			found = append(found, f)
		}
	}
	n := &narrowing{at: r.to("files")}
	r.typed(n, "q", r.say("Part of the name"), "search")
	parts := []templ.Component{headline(countSpelled(r.ctx, len(r.root.Files), "One file can be shown", "%s files can be shown"), ""), narrow(n)}
	if len(found) == 0 {
		parts = append(parts, nothing(r.say("No file here."), r.say("Files that records name will appear here.")))
	} else {
		from, to := r.part(len(found))
		items := make([]item, 0, to-from)
		for _, f := range found[from:to] {
			items = append(items, r.fileItem(f))
		}
		parts = append(parts, itemRows(items), r.pager(len(found), "files"))
	}
	return r.ok(r.say("Files"), "files", parts...)
}

func (r *rootRequest) fileItem(f *journal.File) item {
	it := item{to: r.to("files", f.Key), title: fileWord(f.Name)}
	if f.Present() {
		it.note(spoken(bytesize(r.ctx, f.Size)))
	} else {
		it.mark("missing", absent(r.ctx, r.site, f))
	}
	it.note(spoken(classWord(r.ctx, f.Class)))
	return it
}

// file is the page of one file.
func (r *rootRequest) file(no int) (view, error) {
	f := r.root.Files[no-1]
	v := r.viewing(rootPath(r.root, "files", f.Key), []journal.File{f}, nil)
	if v.sole = true; v.view == compare {
		v.view = views[0]
	}
	return r.ok(r.say("File %s", f.Key), "files",
		crumbs(r.site, r.say("Files"), r.root.Kind.String(), itoa(r.root.No), "files"), heading(f.Name, nil, r.fileItem(&f).notes...), viewer(r.site, v, nil), r.foundOn(f.Name, ""))
}

// comparison compares a file with another; those around it are offered.
func (r *rootRequest) comparison() (view, error) {
	no := numbered(r.opening.show, len(r.root.Files))
	if no == 0 {
		return view{}, journal.ErrNotFound
	}
	from, to := r.part(len(r.root.Files))
	v := r.viewing(rootPath(r.root, "files"), r.root.Files[no-1:no], r.root.Files[from:to])
	return r.ok(r.say("Compare files"), "files",
		crumbs(r.site, r.say("Files"), r.root.Kind.String(), itoa(r.root.No), "files"), headline(r.say("What changed between two files"), ""), viewer(r.site, v, nil))
}

// viewing opens the viewer of a page of the root.
func (r *rootRequest) viewing(path string, files, others []journal.File) *viewing {
	v := openedAs(r.opening, path, files, others)
	v.agent, v.all = r.root.Key(), rootPath(r.root, "files")
	return v
}
