package projectpages

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/internal/journal"
)

// files is the list of what the viewer can show of a root, the comparison of two, or one of them.
func (r *rootRequest) files(key string) (ui.View, error) {
	if key != "" {
		if no := ui.KeyNumber(key, len(r.root.Files)); no > 0 {
			return r.file(no)
		}
		return ui.View{}, journal.ErrNotFound
	}
	if r.opening.View == viewer.CompareView {
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
	parts := []templ.Component{ui.Headline(i18n.CountWords(r.ctx, len(r.root.Files), "One file to view", "%s files to view"), ""), narrow(n)}
	if len(found) == 0 {
		parts = append(parts, ui.Nothing(r.say("No files here"), r.say("Files that records name will appear here.")))
	} else {
		from, to := r.part(len(found))
		items := make([]ui.Item, 0, to-from)
		for _, f := range found[from:to] {
			items = append(items, r.fileItem(f))
		}
		parts = append(parts, ui.ItemRows(items), r.pager(len(found), "files"))
	}
	return r.ok(r.say("Files"), "files", parts...)
}

func (r *rootRequest) fileItem(f *journal.File) ui.Item {
	it := ui.Item{Href: r.to("files", f.Key), Title: viewer.FileWord(f.Name)}
	if f.Present() {
		it.Note(ui.SentenceText(i18n.ByteSize(r.ctx, f.Size)))
	} else {
		it.Sign("missing", recordviews.WhyAbsent(r.ctx, r.site, f))
	}
	it.Note(ui.SentenceText(recordviews.ClassWord(r.ctx, f.Class)))
	return it
}

// file is the page of one file.
func (r *rootRequest) file(no int) (ui.View, error) {
	f := r.root.Files[no-1]
	v := r.viewing(ui.RootPath(r.root, "files", f.Key), []journal.File{f}, nil)
	if v.Sole = true; v.View == viewer.CompareView {
		v.View = viewer.ViewNames[0]
	}
	return r.ok(r.say("File %s", f.Key), "files",
		ui.Crumbs(r.site, r.say("Files"), r.root.Kind.String(), strconv.Itoa(r.root.No), "files"), ui.Heading(f.Name, nil, r.fileItem(&f).Notes...), viewer.Viewer(r.site, v, nil), r.foundOn(f.Name, ""))
}

// comparison compares a file with another; those around it are offered.
func (r *rootRequest) comparison() (ui.View, error) {
	no := ui.KeyNumber(r.opening.Show, len(r.root.Files))
	if no == 0 {
		return ui.View{}, journal.ErrNotFound
	}
	from, to := r.part(len(r.root.Files))
	v := r.viewing(ui.RootPath(r.root, "files"), r.root.Files[no-1:no], r.root.Files[from:to])
	return r.ok(r.say("Compare files"), "files",
		ui.Crumbs(r.site, r.say("Files"), r.root.Kind.String(), strconv.Itoa(r.root.No), "files"), ui.Headline(r.say("Changes between two files"), ""), viewer.Viewer(r.site, v, nil))
}

// viewing opens the viewer of a page of the root.
func (r *rootRequest) viewing(path string, files, others []journal.File) *viewer.View {
	v := viewer.OpenViewer(r.opening, path, files, others)
	v.Agent, v.All = r.root.Key(), ui.RootPath(r.root, "files")
	return v
}
