package backup

import (
	"fmt"
	"strings"
)

// Problem is something in a backup that is not what it must be: the file, what is wrong with it,
// and what to do.
type Problem struct{ File, Says, Hint string }

func (p *Problem) Error() string { return fmt.Sprintf("%s %s", p.File, p.Says) }

// DamagedError says everything that is wrong with a backup.
type DamagedError struct{ Problems []*Problem }

func (d *DamagedError) Error() string {
	said := make([]string, len(d.Problems))
	for i, p := range d.Problems {
		said[i] = p.Error()
	}
	return strings.Join(said, "; ")
}

// NoRoomError says that a disk has not enough room for what would be written.
type NoRoomError struct {
	Dir        string
	Need, Free int64
}

func (e *NoRoomError) Error() string {
	return fmt.Sprintf("%s needs %d bytes and its disk has %d free", e.Dir, e.Need, e.Free)
}

// NotBackupFolderError says that a folder holds something else than backups.
type NotBackupFolderError struct{ Dir string }

func (e *NotBackupFolderError) Error() string { return e.Dir + " holds something else than backups" }
