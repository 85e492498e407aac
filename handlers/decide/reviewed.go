package decide

import (
	"context"
	"encoding/json"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/sandbox/report"
)

// lets tells which attachments the form lets pass that were not opened.
func (t *replyRequest) lets() map[int]bool {
	lets := map[int]bool{}
	if t.form.Verdict == "approved" {
		for _, n := range t.form.Waived {
			lets[n-1] = true
		}
	}
	return lets
}

// notes is what the receipt must know of this moment and could not find out later.
func (t *replyRequest) notes(ctx context.Context) ([]byte, error) {
	n := receipt.Notes{
		Format:    receipt.Format,
		Server:    t.h.Public.String(),
		Workspace: receipt.NamedID{ID: t.at.Workspace.ID, Name: t.at.Workspace.Name},
		Agent:     receipt.NamedID{ID: t.x.id, Name: t.x.agent.DisplayName()},
		Who:       receipt.Decider{ID: t.user.ID, Name: t.user.Name, Email: t.user.Email},
	}
	if t.x.Reported != nil {
		n.Of = t.x.Reported.Message.ID
	}
	if t.form.Verdict == "approved" {
		for _, number := range t.form.Ticked {
			if number <= len(t.x.gate.Steps) {
				n.Steps = append(n.Steps, number)
			}
		}
	}
	names := make([]string, len(t.x.gate.Files))
	for i := range t.x.gate.Files {
		names[i] = t.x.gate.Files[i].Name
	}
	stored, err := t.h.Store.FilesByName(ctx, t.x.id, names)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patienceToNote)
	defer cancel()
	lets := t.lets()
	for i := range t.x.gate.Files {
		n.Files = append(n.Files, t.shownAs(ctx, i, lets[i], stored[names[i]]))
	}
	return json.Marshal(n)
}

// patienceToNote is how long a decision waits for renders that are not kept any more. What was
// removed is noted as unknown then.
const patienceToNote = 2 * time.Second

// shownAs is how an attachment was shown to the visitor. What the sandbox took out it says
// itself, never the form.
func (t *replyRequest) shownAs(ctx context.Context, i int, waived bool, stored *store.File) receipt.ShownFile {
	file := &t.x.gate.Files[i]
	s := receipt.ShownFile{Name: file.Name, Waived: !file.Opened && waived}
	if s.Waived {
		s.Reason = t.form.Reason
	}
	if h := t.x.gate.HiddenText(&t.form, i); h != nil && t.form.Verdict == "approved" {
		s.Hidden = (*receipt.HiddenText)(h)
	}
	for _, o := range t.x.opened[i] {
		s.Opened = append(s.Opened, receipt.AttachmentView{How: o.How, At: receipt.Time(o.At)})
	}
	if stored == nil || file.Absent() {
		return s
	}
	s.Size = stored.Size
	if figs.ClassOf(file.Name) != figs.Rendered {
		return s
	}
	r, err := t.h.Viewer.Result(ctx, t.at.Workspace.ID, viewer.Document{SHA256: file.SHA256, Ext: viewer.Extension(file.Name), View: report.Rendered})
	if err != nil { // it fails, or there is no time for it: the decision does not wait
		return s
	}
	s.Sanitizer = r.Sanitizer
	for _, removed := range r.Removed {
		s.Removed = append(s.Removed, receipt.Removal{What: string(removed.What), Count: removed.Count})
	}
	return s
}
