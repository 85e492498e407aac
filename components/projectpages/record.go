package projectpages

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/charts"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/journal"
)

// record is the page of one artifact: what it is, who made it, its revisions, and the file.
func (r *rootRequest) record(x *artifacts.Record) (ui.View, error) {
	lede := []templ.Component{i18n.Sentence("published {0}", ui.When(r.site, x.Created)), i18n.Sentence("in {0}", r.channelLink(x.Channel))}
	if x.ID != "" {
		lede = append(lede, ui.Ident(x.ID))
	}
	parts := []templ.Component{ui.Crumbs(r.site, r.say("Channels"), r.root.Kind.String(), strconv.Itoa(r.root.No)), ui.Heading(recordTitle(x), r.recordSigns(x), lede...)}
	parts = append(parts, r.rivalry(x))
	left := []templ.Component{ui.WordCard(r.say("Summary"), x.Summary), r.revisions(x)}
	parts = append(parts,
		ui.Columns(left, []templ.Component{ui.FactCard(r.say("Artifact"), r.artifactFacts(x)), ui.FactCard(r.say("Producer"), r.producerFacts(&x.Producer)), r.madeFrom(x)}),
		r.recordFile(x), metadata(x.Metadata), ui.Extra(x.Extra), ui.RawRecord(x.Raw), r.foundOn(x.File, x.ID))
	return r.ok(r.say("Record %d", x.No), "channels", parts...)
}

// channelLink leads to the records of a channel.
func (r *rootRequest) channelLink(name string) templ.Component {
	for i := range r.root.Channels.Channels {
		if r.root.Channels.Channels[i].Name == name {
			return ui.Link(r.with("channel", strconv.Itoa(i+1)), channelName(name))
		}
	}
	return channelName(name)
}

// rivalry says that several records replace the same one, and leads to what differs.
func (r *rootRequest) rivalry(x *artifacts.Record) templ.Component {
	rivals := r.numbered(r.root.Channels.Rivals(x.No))
	if len(rivals) == 0 {
		return templ.NopComponent
	}
	items := r.recordItems(ui.FirstItems(rivals)...)
	for i, other := range ui.FirstItems(rivals) {
		if at := r.compareTo(x, other); at != "" {
			items[i].Note(ui.Link(at, ui.SentenceText(r.say("Compare the two"))))
		}
	}
	return ui.Banner("warn", i18n.CountWords(r.ctx, len(rivals), "Another record replaces the same artifact. Neither takes precedence: someone must choose one and publish it.", "%s other records replace the same artifact. None takes precedence: someone must choose one and publish it."), ui.ItemRows(items))
}

// compareTo is where the files of two records are compared; "" when one of them cannot be shown, or both are the same.
func (r *rootRequest) compareTo(x, other *artifacts.Record) templ.SafeURL {
	a, b := r.targetFiles(x), r.targetFiles(other)
	if len(a) != 1 || len(b) != 1 || a[0].Key == b[0].Key {
		return ""
	}
	v := r.viewing("/"+strings.TrimPrefix(ui.RootPath(r.root, "records", strconv.Itoa(x.No)), "/"), a, b)
	return v.Link(r.site, a[0].Key, viewer.CompareView, b[0].Key)
}

// revisions are the chain of an artifact, as a picture and as a list.
func (r *rootRequest) revisions(x *artifacts.Record) templ.Component {
	c := r.root.Channels
	chain := c.Chain(x.No)
	if len(chain) < 2 && len(c.Rivals(x.No)) == 0 {
		return templ.NopComponent
	}
	start := x
	for n := 0; start.ReplacesNo > 0 && n < charts.MostNodes/4; n++ {
		start = c.Record(start.ReplacesNo)
	}
	g := &charts.Graph{Words: r.say("Revisions of this artifact, oldest first"), Turn: true}
	drawn := g.Grow([]int{start.No}, func(no int) []int { return c.Record(no).ReplacedBy }, func(no int) charts.Node {
		one := c.Record(no)
		return charts.Node{Href: r.to("records", strconv.Itoa(no)), Kind: recordKind(one), Name: recordTitle(one), Note: r.stateWord(one), On: no == x.No}
	})
	list := make([]ui.Item, len(drawn))
	for i, no := range drawn {
		one := c.Record(no)
		list[i] = r.recordItem(one)
		list[i].Gist = nil
		list[i].Notes = nil
		if no == x.No {
			list[i].Note(ui.SentenceText(r.say("this record")))
		}
		if one.ReplacesNo > 0 {
			list[i].Note(i18n.Sentence("replaces {0}", ui.Ident(one.Replaces)))
		}
		if at := r.compareTo(one, c.Record(max(one.ReplacesNo, no))); at != "" {
			list[i].Note(ui.Link(at, ui.SentenceText(r.say("Compare with the revision it replaces"))))
		}
	}
	var rest templ.Component = templ.NopComponent
	if start.ReplacesNo > 0 || len(drawn) == charts.MostNodes {
		rest = ui.SentenceText(r.say("There are more revisions. Open the first or last one here to see them."))
	}
	return ui.Block(r.say("Revisions"), charts.GraphFigure(g), ui.ItemRows(list), rest)
}

// recordKind is the sign of a record in a picture.
func recordKind(x *artifacts.Record) string {
	switch {
	case x.Deleted:
		return "withdrawn"
	case x.Superseded:
		return "note"
	case x.Competition > 0:
		return "warn"
	case x.Target.State == artifacts.TargetUnavailable:
		return "missing"
	case x.Target.State == artifacts.TargetEscapes || x.Target.State == artifacts.TargetDiffers:
		return "fail"
	}
	return "ok"
}

func (r *rootRequest) stateWord(x *artifacts.Record) string {
	switch {
	case x.Deleted:
		return r.say("deleted")
	case x.Superseded:
		return r.say("superseded")
	case x.Competition > 0:
		return r.say("active, competes")
	}
	return r.say("active")
}

func (r *rootRequest) artifactFacts(x *artifacts.Record) *ui.Facts {
	s := targetSign(r.ctx, x)
	f := r.facts().Add("File now", ui.Chip(s.Kind, s.Word)).Lines("#Path", x.Path, "Kind", x.Kind, "Media type", x.MediaType)
	if x.Size >= 0 {
		f.Add("Size", ui.SentenceText(i18n.ByteSize(r.ctx, x.Size)))
		if x.Target.Size >= 0 && x.Target.Size != x.Size {
			f.Add("Size now", ui.SentenceText(i18n.ByteSize(r.ctx, x.Target.Size)))
		}
	}
	f.Lines("#SHA-256", x.Digest)
	if !strings.EqualFold(x.Target.SHA256, x.Digest) {
		f.Lines("#SHA-256 now", x.Target.SHA256)
	}
	if x.Updated != x.Created && x.Updated != "" {
		f.Add("Updated", ui.When(r.site, x.Updated))
	}
	return f.Lines("Tags", strings.Join(ui.FirstItems(x.Tags), ", "), "#Record", x.File)
}

func (r *rootRequest) producerFacts(p *artifacts.Producer) *ui.Facts {
	f := r.facts()
	if p.Work != "" {
		f.Add("Work", r.workLink(p.Work))
	}
	if p.ParentWork != "" {
		f.Add("Parent work", r.workLink(p.ParentWork))
	}
	return f.Lines("Kind", p.Kind, "Name", p.Name, "Role", p.Role, "Model", p.Model, "Task", p.Task, "Operation", p.Operation, "Session", p.Session, "Parent session", p.Parent, "Folder", p.CWD)
}

// workLink leads to what a work has published.
func (r *rootRequest) workLink(id string) templ.Component {
	c := r.root.Channels
	if no := numberOf(id, each(c.Records, func(x *artifacts.Record) string { return x.Producer.Work })); no != "" {
		return ui.Link(r.with("work", no), ui.Ident(id))
	}
	return ui.Ident(id)
}

// madeFrom leads to the artifacts from which this one was made.
func (r *rootRequest) madeFrom(x *artifacts.Record) templ.Component {
	f := r.facts()
	for _, ref := range ui.FirstItems(x.Parents) {
		if ref.No == 0 {
			f.Add("not here", ui.Ident(ref.ID))
		} else {
			f.Add("here", ui.Link(r.to("records", strconv.Itoa(ref.No)), agenttext.Line(recordTitle(r.root.Channels.Record(ref.No)))))
		}
	}
	return ui.FactCard(r.say("Made from"), f)
}

// recordFile shows the file that a record names, or says what became of it.
func (r *rootRequest) recordFile(x *artifacts.Record) templ.Component {
	files := r.targetFiles(x)
	if len(files) > 0 {
		var others []journal.File
		for _, no := range append(r.root.Channels.Rivals(x.No), x.ReplacesNo) {
			if no > 0 {
				others = append(others, r.targetFiles(r.root.Channels.Record(no))...)
			}
		}
		return ui.Block(r.say("The file"), viewer.Viewer(r.site, r.viewing(ui.RootPath(r.root, "records", strconv.Itoa(x.No)), files, others), nil))
	}
	switch {
	case x.Target.State == artifacts.TargetEscapes:
		return ui.Nothing(r.say("The path points outside the workspace"), r.say("Files outside the workspace are never opened."))
	case x.Target.State == artifacts.TargetUnavailable:
		return ui.Nothing(r.say("The file no longer exists"), r.say("The record remains to show what was published. Ask the agent that made the file for it."))
	case x.Target.Dir:
		return ui.Nothing(r.say("The folder is empty."), "")
	}
	return ui.Nothing(r.say("The file can't be shown"), r.say("It wasn't checked, or couldn't be read."))
}

// targetFiles are the files that a record names: one, or those of its folder. They count as named when the record was
// written, so that an older one stands before a newer one.
func (r *rootRequest) targetFiles(x *artifacts.Record) (files []journal.File) {
	path := x.Target.Path
	if path == "" || x.Target.State == artifacts.TargetUnavailable {
		return nil
	}
	for _, f := range r.root.Files {
		if f.Name == path || strings.HasPrefix(f.Name, path+"/") || path == "." {
			f.Named = []journal.Position{{File: figs.NoFile, TS: x.Created}}
			if files = append(files, f); len(files) == agenttext.MostItems {
				break
			}
		}
	}
	return files
}

// metadata is what a record says beside its fields.
func metadata(raw []byte) templ.Component {
	if len(raw) == 0 {
		return templ.NopComponent
	}
	return ui.WordBlock(ui.Ident("metadata"), ui.RawLine(raw))
}
