package accountpages

import (
	"context"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
)

// ByteSize is a size as people say it: "1.5 MB".
func ByteSize(n int64) string { return i18n.ByteSize(context.Background(), n) }

// OperatorStatus is what those see who run the whole server. Times are microseconds, 0 is never; sizes
// are bytes.
type OperatorStatus struct {
	Version, Go     string
	Schema          int
	Started         int64
	Public          string // address
	Listens         string // "127.0.0.1:8080"
	TLS             string // who encrypts: "auto", "files", "proxy"; otherwise nothing does
	Metrics         string // where they are served; "" nowhere
	DatabaseBytes   int64
	Blobs           int64
	BlobBytes       int64
	Free            int64 // bytes free on the disk; negative if unknown
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

// settled tells settings with a given value from those at their default.
func (m *OperatorStatus) settled() (set, asTheyCome []OperatorSetting) {
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
func OperatorPage(ctx context.Context, site ui.Site, m OperatorStatus) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "This server"), Body: operatorPage(site, &m)}
}

// backupLate reports whether the reader should be backed up.
func (m *OperatorStatus) backupLate(now int64) bool {
	return m.Backup == 0 || now-m.Backup > staleBackup
}

// running are the facts on the program.
func (m *OperatorStatus) running(ctx context.Context, site ui.Site) *ui.Facts {
	f := &ui.Facts{Ctx: ctx}
	f.Add("Version", plainWords(m.Version)).Add("Go version", plainWords(m.Go))
	if m.Schema > 0 {
		f.Add("Database schema", plainWords(strconv.Itoa(m.Schema)))
	}
	f.Add("Running since", ui.SinceAt(site, m.Started))
	f.Add("Public URL", ui.LinkTo(templ.SafeURL(m.Public), plainWords(m.Public)))
	if m.Listens != "" {
		f.Add("Listens on", plainWords(m.Listens))
	}
	f.Add("TLS", ui.InWords(tlsWords(ctx, m.TLS)))
	if m.Metrics == "" {
		return f.Add("Metrics", ui.InWords(i18n.Say(ctx, "off")))
	}
	return f.Add("Metrics", plainWords(m.Metrics))
}

// holds are the facts on what the reader keeps.
func (m *OperatorStatus) holds(ctx context.Context, site ui.Site) *ui.Facts {
	f := &ui.Facts{Ctx: ctx}
	if !m.StoreUnreadable {
		f.Add("Users", plainWords(i18n.Number(ctx, m.People))).Add("Workspaces", plainWords(i18n.Number(ctx, m.Workspaces))).Add("Agents", plainWords(i18n.Number(ctx, m.Agents)))
		f.Add("Asks waiting for a person", plainWords(i18n.Number(ctx, m.OpenAsks)))
		if m.OldestAsk != 0 {
			f.Add("Oldest since", ui.SinceAt(site, m.OldestAsk))
		}
		f.Add("Replies not picked up", plainWords(i18n.Number(ctx, m.Undelivered)))
		f.Add("Database", plainWords(i18n.ByteSize(ctx, m.DatabaseBytes)))
		f.Add("Attachments", plainWords(i18n.ByteSize(ctx, m.BlobBytes)))
	}
	if m.Free >= 0 {
		f.Add("Free disk space", plainWords(i18n.ByteSize(ctx, m.Free)))
	}
	return f
}

// tlsWords say who encrypts.
func tlsWords(ctx context.Context, who string) string {
	switch who {
	case "auto":
		return i18n.Say(ctx, "by this server, with Let's Encrypt certificates")
	case "files":
		return i18n.Say(ctx, "by this server, with your certificate")
	case "proxy":
		return i18n.Say(ctx, "by the reverse proxy")
	}
	return i18n.Say(ctx, "none")
}

// plainWords is text of ours, or of whoever configured the server.
func plainWords(text string) templ.Component { return ui.InWords(agenttext.Plain(text)) }

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
		return i18n.Say(ctx, "Password")
	case "token":
		return i18n.Say(ctx, "Token")
	case "code":
		return i18n.Say(ctx, "Device code")
	case "recovery":
		return i18n.Say(ctx, "Recovery code")
	case "passkey":
		return i18n.Say(ctx, "Passkey")
	case "invite":
		return i18n.Say(ctx, "Invite link")
	case "reset":
		return i18n.Say(ctx, "Password reset link")
	case "provider":
		return i18n.Say(ctx, "Sign-in provider response")
	case "header":
		return i18n.Say(ctx, "Proxy header")
	}
	return i18n.Say(ctx, "Secret")
}
