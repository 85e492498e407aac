package store

// Full says that the database has no room for a change, of which nothing is there.
type Full struct{ Err error }

func (e *Full) Error() string { return "store: the disk of the database is full: " + e.Err.Error() }

func (e *Full) Unwrap() error { return e.Err }

// Down says that the database did not answer for as long as it was tried. Unsure says of a change that it
// may be there nevertheless: whoever asks again finds out.
type Down struct {
	Unsure bool
	Err    error
}

func (e *Down) Error() string {
	if e.Unsure {
		return "store: the database stopped answering, and whether it kept the change is not known yet: " + e.Err.Error()
	}
	return "store: the database does not answer: " + e.Err.Error()
}

func (e *Down) Unwrap() error { return e.Err }
