package clustertest

import (
	"bytes"
	"sync"
)

// mostLog is how much of a log is kept: its end.
const mostLog = 4 << 20

// Log is the end of what a program wrote.
type Log struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

// Write implements io.Writer.
func (l *Log) Write(b []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.text.Write(b)
	if over := l.text.Len() - mostLog; over > 0 {
		l.text.Next(over)
	}
	return len(b), nil
}

func (l *Log) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

// Take is what there is, which is then forgotten.
func (l *Log) Take() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	defer l.text.Reset()
	return l.text.String()
}

// Tail is the last lines of it, at most that many bytes.
func (l *Log) Tail(most int) string {
	text := l.String()
	return text[max(0, len(text)-most):]
}
