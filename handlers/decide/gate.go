package decide

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/sandbox/report"
)

// open fills in what stands between the visitor and an approval: the attachments, how they have
// opened each, and the steps.
func (d *desk) open(ctx context.Context, x *askContext) error {
	names := attachedTo(x)
	stored, err := d.h.Store.FilesByName(ctx, x.id, names)
	if err != nil {
		return err
	}
	var hashes []string
	for _, name := range names {
		file := reply.GatedFile{File: reply.File{Name: name}, Key: viewer.Segment(name)}
		if f := stored[name]; f != nil {
			file.SHA256 = f.SHA256
		}
		if file.SHA256 != "" {
			hashes = append(hashes, file.SHA256)
		}
		x.gate.Files = append(x.gate.Files, file)
	}
	opened, err := d.h.Store.AttachmentViews(ctx, d.at.Workspace.ID, d.user.ID, hashes)
	if err != nil {
		return err
	}
	bySHA := map[string][]store.AttachmentView{}
	for _, o := range opened {
		bySHA[o.SHA256] = append(bySHA[o.SHA256], o)
	}
	x.opened = make([][]store.AttachmentView, len(names))
	for i := range x.gate.Files {
		file := &x.gate.Files[i]
		for _, o := range bySHA[file.SHA256] {
			if o.Ext == viewer.Extension(file.Name) {
				x.opened[i] = append(x.opened[i], o)
				if !file.Opened && d.counts(ctx, &o) {
					file.Opened, file.How = true, o.How
				}
				file.Part = max(file.Part, receipt.ParsePart(o.How))
			}
		}
	}
	for i := range x.gate.Files {
		d.h.Viewer.Hidden(ctx, d.at.Workspace.ID, &x.gate.Files[i])
	}
	if x.ask.Ask.Type == "sign-off" {
		x.gate.Steps = reply.Steps(x.ask.Ask.OnApprove, d.at.Workspace.TickEveryStep)
	}
	return nil
}

// attachedTo lists the attachments that a reply to an ask is about: those that its page shows,
// and any further ones of its fold.
func attachedTo(x *askContext) (names []string) {
	listed := map[string]bool{}
	add := func(name string) {
		if !listed[name] {
			listed[name] = true
			names = append(names, name)
		}
	}
	for i := range x.ask.Files {
		add(x.ask.Files[i].Name)
	}
	for _, name := range figs.AttachmentNames(figs.Fold([][]byte{x.ask.Raw})) {
		add(name)
	}
	return names
}

// counts reports whether a person who has done this has viewed the file. What can be shown must have been on
// their screen; what cannot, downloaded.
func (d *desk) counts(ctx context.Context, o *store.AttachmentView) bool {
	if o.How != web.Download {
		return o.How == receipt.OnScreen || o.How == receipt.Alone
	}
	if figs.ClassOf("x."+o.Ext) != figs.Rendered {
		return true
	}
	// A file whose name says that it can be shown, and whose bytes say otherwise, has no view.
	r, err := d.h.Viewer.Result(ctx, d.at.Workspace.ID, viewer.Document{SHA256: o.SHA256, Ext: o.Ext, View: report.Rendered})
	return err == nil && len(r.Document) == 0
}

// FormFiles is what the form says of the attachments.
func FormFiles(g *reply.Gate) (files []reply.File) {
	for i := range g.Files {
		files = append(files, g.Files[i].File)
	}
	return files
}
