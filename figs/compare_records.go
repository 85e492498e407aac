package figs

// RecordKind says what became of a record.
type RecordKind uint8

const (
	RecordNew     RecordKind = iota // it was not there
	RecordDeleted                   // it is not there any more
	AskRaised                       // put to a human again: it needs one, and did not
	AskAnswered                     // a human replied
	AskClosed                       // the agent closed it
	JobSettled                      // it was in flight
	RecordChanged                   // it has other lines, or stands elsewhere
)

// RecordChange is a record that is not as it was.
type RecordChange struct {
	Kind     RecordKind
	File     File
	Old, New int // numbers of the record in the older and the newer folder, from 0; -1: none
}

// CompareRecords lists what became of the records of an older reading f of the folder g: asks, jobs, then messages, each
// the newest first, and behind them those that are lost. Both must be finished. A record that is in both with as many
// lines and in the same state is left out: whether one of its lines was edited is what CompareWith tells.
func (g *Folder) CompareRecords(f *Folder) (list []RecordChange) {
	for _, file := range [...]File{Asks, Runs, Messages} {
		kept := make([]bool, f.Records(file))
		for i := g.Records(file) - 1; i >= 0; i-- {
			was := f.same(g, file, i)
			if was < 0 {
				list = append(list, RecordChange{RecordNew, file, -1, i})
				continue
			}
			kept[was] = true
			if kind, changed := g.became(f, file, was, i); changed {
				list = append(list, RecordChange{kind, file, was, i})
			}
		}
		for i := range kept {
			if !kept[i] {
				list = append(list, RecordChange{RecordDeleted, file, i, -1})
			}
		}
	}
	return list
}

// same is the record of f with the id of another folder's record, also where that is no text; -1 when there is none.
func (f *Folder) same(g *Folder, file File, record int) int {
	ids := &f.ledgers[file].ids
	return ids.record(ids.find(g.ledgers[file].ids.bytes(g.ledgers[file].recs.at(record).id)))
}

func (g *Folder) became(f *Folder, file File, was, is int) (kind RecordKind, changed bool) {
	_, _, before := f.Ends(file, was)
	_, _, now := g.Ends(file, is)
	more := before != now
	switch file {
	case Runs:
		old, new := f.Outcome(was), g.Outcome(is)
		if old == OutcomeInFlight && new != old {
			return JobSettled, true
		}
		return RecordChanged, more || old != new
	case Asks:
		old, new := f.State(was), g.State(is)
		switch {
		case new.Phase.Closed() && old.Phase != new.Phase:
			return AskClosed, true
		case new.Phase == NeedsYou && (old.Phase != NeedsYou || new.Round > old.Round):
			return AskRaised, true
		case len(g.Thread(is)) > len(f.Thread(was)):
			return AskAnswered, true
		}
		return RecordChanged, more || old.Phase != new.Phase || old.Round != new.Round
	}
	return RecordChanged, false // a message is an event: another line with its id is a finding
}

// FileKind says what became of an attachment or of a file that the protocol names.
type FileKind uint8

const (
	FileNew      FileKind = iota // it was not there
	FileDeleted                  // it is not there any more, which is usual in a copy that was cloned
	FileDiffers                  // it has other bytes
	FileSameSize                 // as large as it was: whether its bytes are the same, the core cannot know of an attachment
)

// FileChange is one of them.
type FileChange struct {
	Kind     FileKind
	Name     string // inside of .figs, "agent.json", or in artifacts/
	Artifact bool
	Old, New int64 // bytes; -1 when it is not there
}

// CompareFiles lists what became of the files of an older reading f that are no ledgers: those that the protocol names,
// then those of artifacts/, in the order in which g met them, and behind them those that are gone. What is certainly the
// same is left out.
func (g *Folder) CompareFiles(f *Folder) (list []FileChange) {
	for file := AgentJSON; file < NoFile; file++ {
		c := FileChange{FileDiffers, file.String(), false, f.Size(file), g.Size(file)}
		switch {
		case !g.fed[file] && !f.fed[file] || g.fed[file] && f.fed[file] && c.Old == c.New && string(f.small[file]) == string(g.small[file]):
			continue
		case !f.fed[file]:
			c.Kind, c.Old = FileNew, -1
		case !g.fed[file]:
			c.Kind, c.New = FileDeleted, -1
		}
		list = append(list, c)
	}
	for i := range g.names.files {
		name, size := g.names.ids.bytes(sym(i+1)), g.names.files[i].size
		if size < 0 {
			continue
		}
		c := FileChange{FileNew, string(name), true, f.sizeOf(name), size}
		if c.Old == size {
			c.Kind = FileSameSize
		} else if c.Old >= 0 {
			c.Kind = FileDiffers
		}
		list = append(list, c)
	}
	for i := range f.names.files {
		name, size := f.names.ids.bytes(sym(i+1)), f.names.files[i].size
		if size >= 0 && g.sizeOf(name) < 0 {
			list = append(list, FileChange{FileDeleted, string(name), true, size, -1})
		}
	}
	return list
}

// sizeOf is the size of a file of artifacts/, or -1.
func (f *Folder) sizeOf(name []byte) int64 {
	if s := f.names.ids.find(name); s > 0 {
		return f.names.files[s-1].size
	}
	return -1
}

// Point is the point of the folder that the print was made of, in a folder that has only grown since. A torn last line,
// which was no line then, does not count.
func (p *Fingerprint) Point() (at Point) {
	for i := range p.ledgers {
		if at[i] = p.ledgers[i].lines; p.ledgers[i].torn {
			at[i]--
		}
	}
	return at
}
