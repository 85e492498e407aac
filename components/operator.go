package components

import (
	"context"
	"strconv"
	"time"

	"github.com/a-h/templ"
)

// ByteSize is a size as people say it: "1.5 MB".
func ByteSize(n int64) string { return bytesize(context.Background(), n) }

// Operating is what those see who run the whole server. Times are microseconds, 0 is never; sizes
// are bytes.
type Operating struct {
	Version, Go     string
	Schema          int
	Started         int64
	Public          string // address
	Listens         string // "127.0.0.1:8080"
	TLS             string // who encrypts: "auto", "files", "proxy"; else nobody
	Metrics         string // where they are served; "" nowhere
	DatabaseBytes   int64
	Blobs           int64
	BlobBytes       int64
	Free            int64 // of the disk; negative: nobody can tell
	People          int
	Workspaces      int
	Agents          int
	OpenAsks        int
	OldestAsk       int64
	Undelivered     int
	Removing        int    // attachments whose bytes are still to be removed
	RemovingSince   int64  // the oldest of them
	SharedAddress   string // from which everybody seems to come, SharedBy people; "": not so
	SharedBy        int
	Backup          int64
	Reasons         []OperatorReason
	Slow            []SlowRequest
	Failures        []Failure
	Guesses         []GuessRow
	Settings        []OperatorSetting
	StoreUnreadable bool // its figures could not be had
}

// OperatorReason is why the server is not ready, or may soon not be.
type OperatorReason struct {
	Code, Says string
	Warning    bool
}

// SlowRequest is one that took long.
type SlowRequest struct {
	Method, Route string
	Code          int
	Took          time.Duration
	At            int64
	Trace         string
}

// Failure is what went wrong, without what is within.
type Failure struct {
	Method, Route string
	Says          string
	At            int64
	Trace         string
}

// GuessRow is a secret that was given wrongly.
type GuessRow struct {
	What, From string
	Blocked    bool
	Times      int
	At         int64
}

// OperatorSetting is a setting as it may be shown.
type OperatorSetting struct{ Name, Value, From string }

// staleBackup is how old a backup may be before the page warns.
const staleBackup = int64(7 * 24 * time.Hour / time.Microsecond)

// settled tells the settings that somebody gave a value from those that nobody did.
func (m *Operating) settled() (set, asTheyCome []OperatorSetting) {
	for _, s := range m.Settings {
		if s.Value != "" {
			set = append(set, s)
		} else {
			asTheyCome = append(asTheyCome, s)
		}
	}
	return set, asTheyCome
}

// OperatorPage is the page of those who run the server.
func OperatorPage(ctx context.Context, site Site, m Operating) Page {
	return Page{say(ctx, "This server"), operatorPage(site, &m)}
}

// backupLate reports whether the reader should be backed up.
func (m *Operating) backupLate(now int64) bool { return m.Backup == 0 || now-m.Backup > staleBackup }

// running are the facts on the program.
func (m *Operating) running(ctx context.Context, site Site) *facts {
	f := &facts{ctx: ctx}
	f.put("Program", plainWords(m.Version)).put("Built with", plainWords(m.Go))
	if m.Schema > 0 {
		f.put("Database schema", plainWords(strconv.Itoa(m.Schema)))
	}
	f.put("Running since", sinceAt(site, m.Started))
	f.put("Public address", linked(templ.SafeURL(m.Public), plainWords(m.Public)))
	if m.Listens != "" {
		f.put("Listens on", plainWords(m.Listens))
	}
	f.put("Encryption", inWords(tlsWords(ctx, m.TLS)))
	if m.Metrics == "" {
		return f.put("Metrics", inWords(say(ctx, "nowhere")))
	}
	return f.put("Metrics", plainWords(m.Metrics))
}

// holds are the facts on what the reader keeps.
func (m *Operating) holds(ctx context.Context, site Site) *facts {
	f := &facts{ctx: ctx}
	if !m.StoreUnreadable {
		f.put("People", plainWords(grouped(ctx, m.People))).put("Workspaces", plainWords(grouped(ctx, m.Workspaces))).put("Agents", plainWords(grouped(ctx, m.Agents)))
		f.put("Asks that need a human", plainWords(grouped(ctx, m.OpenAsks)))
		if m.OldestAsk != 0 {
			f.put("The oldest of them since", sinceAt(site, m.OldestAsk))
		}
		f.put("Replies not picked up", plainWords(grouped(ctx, m.Undelivered)))
		f.put("Database", plainWords(bytesize(ctx, m.DatabaseBytes)))
		f.put("Attachments", plainWords(bytesize(ctx, m.BlobBytes)))
	}
	if m.Free >= 0 {
		f.put("Room on the disk", plainWords(bytesize(ctx, m.Free)))
	}
	return f
}

// tlsWords say who encrypts.
func tlsWords(ctx context.Context, who string) string {
	switch who {
	case "auto":
		return say(ctx, "by the server, with certificates of Let's Encrypt")
	case "files":
		return say(ctx, "by the server, with a certificate of yours")
	case "proxy":
		return say(ctx, "by whatever stands in between")
	}
	return say(ctx, "none")
}

// plainWords is text of ours, or of whoever configured the server.
func plainWords(text string) templ.Component { return inWords(plain(text)) }

// took is a duration as a table shows it.
func took(d time.Duration) string {
	if d < time.Second {
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
}

// guessWord says what was given wrongly.
func guessWord(ctx context.Context, what string) string {
	switch what {
	case "password":
		return say(ctx, "Password")
	case "token":
		return say(ctx, "Token")
	case "code":
		return say(ctx, "Code of a device")
	case "recovery":
		return say(ctx, "Recovery code")
	case "passkey":
		return say(ctx, "Passkey")
	case "invite":
		return say(ctx, "Invitation")
	case "reset":
		return say(ctx, "Link for a new password")
	case "provider":
		return say(ctx, "Answer of a sign-in provider")
	case "header":
		return say(ctx, "Header of a proxy")
	}
	return say(ctx, "Secret")
}
