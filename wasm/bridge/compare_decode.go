package bridge

import "github.com/figs-web/figs-web/figs"

// Comparison is what a selection says of a folder and what it is compared with.
type Comparison struct {
	Mode, Problem int // CompareFolder, …; CompareOK, …
	Past          figs.History
	Others        bool  // both say which agent they are, and they are two
	Partial       bool  // a ledger of either was not read whole, or changed while it was read
	FromAt, ToAt  int64 // of the newest line of either, microseconds since 1970, or figs.NoTime
	From, To      figs.Point
	Path          string // of the other folder
	Counts        [figs.RecordChanged + 1][figs.Ledgers]int
	Ledgers       []LedgerComparison // one for each ledger; none when lines were not compared
	Lines         []LineComparison   // a page of them
	Records       []RecordComparison
	Files         []figs.FileChange
}

// LedgerComparison counts the lines of one ledger; Counts those that were changed, by kind.
type LedgerComparison struct {
	Old, Same, Added        int
	Ends                    int
	Gone, Completed, Joined bool
	Dropped                 bool
	Counts                  [len(changeNames)]int
}

// LineComparison is one line of the past that was changed. Record is the newer line's; -1: none.
type LineComparison struct {
	figs.LineChange
	File     figs.File
	Record   int
	Was, Now TextPart
}

// TextPart is a part of a line: Text, from a byte of it on, of so many bytes. Known is false where no text is here, or no line.
type TextPart struct {
	Known      bool
	From, Size int
	Text       []byte
}

// RecordComparison is a record that is not as it was: Record of the newer folder, or -1. Was and Is are outcomes of jobs or
// phases of asks; -1 where there is none.
type RecordComparison struct {
	Kind    figs.RecordKind
	Ref     Ref
	Was, Is int
	ID      string // of one that is lost
}

// DecodeComparison reads the text of a selection for the page "compare"; ok is false when it is none.
func DecodeComparison(b []byte) (c *Comparison, ok bool) {
	d := &decoder{b: b}
	c = &Comparison{Mode: d.size(ComparePoints + 1), Problem: d.size(CompareBlind + 1), Past: figs.History(d.size(figs.Histories)), Others: d.bool(), Partial: d.bool(), FromAt: d.int(), ToAt: d.int()}
	c.From, c.To, c.Path = d.point(), d.point(), d.text()
	for i := range c.Counts {
		for j := range c.Counts[i] {
			c.Counts[i][j] = d.num()
		}
	}
	c.Ledgers = many(d, func(d *decoder) (l LedgerComparison) {
		d.nums(&l.Old, &l.Same, &l.Added, &l.Ends)
		l.Gone, l.Completed, l.Joined, l.Dropped = d.bool(), d.bool(), d.bool(), d.bool()
		for i := range l.Counts {
			l.Counts[i] = d.num()
		}
		return l
	})
	c.Lines = many(d, func(d *decoder) (l LineComparison) {
		l.Kind, l.File = figs.LineKind(d.size(len(changeNames))), d.file()
		d.nums(&l.Old, &l.New, &l.Record)
		l.Was, l.Now = d.part(), d.part()
		return l
	})
	c.Records = many(d, func(d *decoder) (r RecordComparison) {
		r.Kind, r.Ref = figs.RecordKind(d.size(int(figs.RecordChanged)+1)), d.ref()
		d.nums(&r.Was, &r.Is)
		r.ID = d.text()
		return r
	})
	c.Files = many(d, func(d *decoder) (f figs.FileChange) {
		f.Kind, f.Artifact = figs.FileKind(d.size(int(figs.FileSameSize)+1)), d.bool()
		f.Old, f.New, f.Name = d.int(), d.int(), d.text()
		return f
	})
	return c, !d.bad && len(d.b) == 0
}

func (d *decoder) part() (p TextPart) {
	p.Known = d.bool()
	d.nums(&p.From, &p.Size)
	p.Text = d.bytes()
	return p
}
