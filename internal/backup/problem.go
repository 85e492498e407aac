package backup

import (
	"fmt"
	"strings"
)

// Problem is something in a backup that is not what it must be: the file, what is wrong with it,
// and what to do.
type Problem struct{ File, Says, Hint string }

func (p *Problem) Error() string { return fmt.Sprintf("%s %s", p.File, p.Says) }

// Damaged says everything that is wrong with a backup.
type Damaged struct{ Problems []*Problem }

func (d *Damaged) Error() string {
	said := make([]string, len(d.Problems))
	for i, p := range d.Problems {
		said[i] = p.Error()
	}
	return strings.Join(said, "; ")
}

// NoRoom says that a disk has not enough room for what would be written.
type NoRoom struct {
	Dir        string
	Need, Free int64
}

func (e *NoRoom) Error() string {
	return fmt.Sprintf("%s needs %d bytes and its disk has %d free", e.Dir, e.Need, e.Free)
}

// NotOurs says that a folder holds something else than backups.
type NotOurs struct{ Dir string }

func (e *NotOurs) Error() string { return e.Dir + " holds something else than backups" }
