package components

import (
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/journal"
)

// record is the page of one artifact: what it is, who made it, its revisions, and the file.
func (r *rootRequest) record(x *artifacts.Record) (view, error) {
	lede := []templ.Component{sentence("published {0}", when(r.site, x.Created)), sentence("in {0}", r.channelLink(x.Channel))}
	if x.ID != "" {
		lede = append(lede, ident(x.ID))
	}
	parts := []templ.Component{crumbs(r.site, r.say("Channels"), r.root.Kind.String(), itoa(r.root.No)), heading(recordTitle(x), r.recordSigns(x), lede...)}
	parts = append(parts, r.rivalry(x))
	left := []templ.Component{wordCard(r.say("Summary"), x.Summary), r.revisions(x)}
	parts = append(parts,
		columns(left, []templ.Component{factCard(r.say("Artifact"), r.artifactFacts(x)), factCard(r.say("Producer"), r.producerFacts(&x.Producer)), r.madeFrom(x)}),
		r.recordFile(x), metadata(x.Metadata), extra(x.Extra), asWritten(x.Raw), r.foundOn(x.File, x.ID))
	return r.ok(r.say("Record %d", x.No), "channels", parts...)
}

// channelLink leads to the records of a channel.
func (r *rootRequest) channelLink(name string) templ.Component {
	for i := range r.root.Channels.Channels {
		if r.root.Channels.Channels[i].Name == name {
			return link(r.with("channel", itoa(i+1)), channelName(name))
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
	items := r.recordItems(capped(rivals)...)
	for i, other := range capped(rivals) {
		if at := r.compareTo(x, other); at != "" {
			items[i].note(link(at, spoken(r.say("Compare the two"))))
		}
	}
	return banner("warn", countSpelled(r.ctx, len(rivals), "Another record replaces the same artifact. Neither counts more than the other: somebody must decide, and publish what holds.", "%s other records replace the same artifact. None counts more than the others: somebody must decide, and publish what holds."), itemRows(items))
}

// compareTo is where the files of two records are compared; "" when one of them cannot be shown, or both are the same.
func (r *rootRequest) compareTo(x, other *artifacts.Record) templ.SafeURL {
	a, b := r.targetFiles(x), r.targetFiles(other)
	if len(a) != 1 || len(b) != 1 || a[0].Key == b[0].Key {
		return ""
	}
	v := r.viewing("/"+strings.TrimPrefix(rootPath(r.root, "records", itoa(x.No)), "/"), a, b)
	return v.to(r.site, a[0].Key, compare, b[0].Key)
}

// revisions are the chain of an artifact, as a picture and as a list.
func (r *rootRequest) revisions(x *artifacts.Record) templ.Component {
	c := r.root.Channels
	chain := c.Chain(x.No)
	if len(chain) < 2 && len(c.Rivals(x.No)) == 0 {
		return templ.NopComponent
	}
	start := x
	for n := 0; start.ReplacesNo > 0 && n < mostNodes/4; n++ {
		start = c.Record(start.ReplacesNo)
	}
	g := &graph{words: r.say("Revisions of this artifact, the oldest first"), turn: true}
	drawn := g.grow([]int{start.No}, func(no int) []int { return c.Record(no).ReplacedBy }, func(no int) node {
		one := c.Record(no)
		return node{to: r.to("records", itoa(no)), kind: recordKind(one), name: recordTitle(one), note: r.stateWord(one), on: no == x.No}
	})
	list := make([]item, len(drawn))
	for i, no := range drawn {
		one := c.Record(no)
		list[i] = r.recordItem(one)
		list[i].gist = nil
		list[i].notes = nil
		if no == x.No {
			list[i].note(spoken(r.say("this record")))
		}
		if one.ReplacesNo > 0 {
			list[i].note(sentence("replaces {0}", ident(one.Replaces)))
		}
		if at := r.compareTo(one, c.Record(max(one.ReplacesNo, no))); at != "" {
			list[i].note(link(at, spoken(r.say("Compare with what it replaces"))))
		}
	}
	var rest templ.Component = templ.NopComponent
	if start.ReplacesNo > 0 || len(drawn) == mostNodes {
		rest = spoken(r.say("There are more revisions. The records at the ends lead on."))
	}
	return block(r.say("Revisions"), graphFigure(g), itemRows(list), rest)
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

func (r *rootRequest) artifactFacts(x *artifacts.Record) *facts {
	s := targetSign(r.ctx, x)
	f := r.facts().put("The file now", chip(s.Kind, s.Word)).lines("#Path", x.Path, "Kind", x.Kind, "Media type", x.MediaType)
	if x.Size >= 0 {
		f.put("Size", spoken(bytesize(r.ctx, x.Size)))
		if x.Target.Size >= 0 && x.Target.Size != x.Size {
			f.put("Size now", spoken(bytesize(r.ctx, x.Target.Size)))
		}
	}
	f.lines("#SHA-256", x.Digest)
	if !strings.EqualFold(x.Target.SHA256, x.Digest) {
		f.lines("#SHA-256 now", x.Target.SHA256)
	}
	if x.Updated != x.Created && x.Updated != "" {
		f.put("Updated", when(r.site, x.Updated))
	}
	return f.lines("Tags", strings.Join(capped(x.Tags), ", "), "#Record", x.File)
}

func (r *rootRequest) producerFacts(p *artifacts.Producer) *facts {
	f := r.facts()
	if p.Work != "" {
		f.put("Work", r.workLink(p.Work))
	}
	if p.ParentWork != "" {
		f.put("Parent work", r.workLink(p.ParentWork))
	}
	return f.lines("Kind", p.Kind, "Name", p.Name, "Role", p.Role, "Model", p.Model, "Task", p.Task, "Operation", p.Operation, "Session", p.Session, "Parent session", p.Parent, "Folder", p.CWD)
}

// workLink leads to what a work has published.
func (r *rootRequest) workLink(id string) templ.Component {
	c := r.root.Channels
	if no := numberOf(id, each(c.Records, func(x *artifacts.Record) string { return x.Producer.Work })); no != "" {
		return link(r.with("work", no), ident(id))
	}
	return ident(id)
}

// madeFrom leads to the artifacts from which this one was made.
func (r *rootRequest) madeFrom(x *artifacts.Record) templ.Component {
	f := r.facts()
	for _, ref := range capped(x.Parents) {
		if ref.No == 0 {
			f.put("not here", ident(ref.ID))
		} else {
			f.put("here", link(r.to("records", itoa(ref.No)), agentLine(recordTitle(r.root.Channels.Record(ref.No)))))
		}
	}
	return factCard(r.say("Made from"), f)
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
		return block(r.say("The file"), viewer(r.site, r.viewing(rootPath(r.root, "records", itoa(x.No)), files, others), nil))
	}
	switch {
	case x.Target.State == artifacts.TargetEscapes:
		return nothing(r.say("The path leads out of the workspace."), r.say("What lies there is neither opened nor looked at."))
	case x.Target.State == artifacts.TargetUnavailable:
		return nothing(r.say("The file is not there any more."), r.say("The record stays, so that it is known what was published. Ask the agent that made it for the file."))
	case x.Target.Dir:
		return nothing(r.say("The folder is empty."), "")
	}
	return nothing(r.say("The file cannot be shown."), r.say("It was not looked at, or could not be read."))
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
			f.Named = []journal.Place{{File: figs.NoFile, TS: x.Created}}
			if files = append(files, f); len(files) == mostItems {
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
	return wordBlock(ident("metadata"), rawLine(raw))
}
