package store

// DiskFullError says that the database has no room for a change, of which nothing is there.
type DiskFullError struct{ Err error }

func (e *DiskFullError) Error() string {
	return "store: the disk of the database is full: " + e.Err.Error()
}

func (e *DiskFullError) Unwrap() error { return e.Err }

// UnavailableError says that the database did not answer for as long as it was tried. Unsure says of a change that it
// may be there nevertheless: whoever asks again finds out.
type UnavailableError struct {
	MayBeCommitted bool
	Err            error
}

func (e *UnavailableError) Error() string {
	if e.MayBeCommitted {
		return "store: the database stopped answering, and whether it kept the change is not known yet: " + e.Err.Error()
	}
	return "store: the database does not answer: " + e.Err.Error()
}

func (e *UnavailableError) Unwrap() error { return e.Err }
