package publish

import (
	"crypto/rand"
	"time"

	"github.com/figs-web/figs-web/figs"
)

// newID is an id that nobody has used: its beginning is the time, so that ids sort as they were made, and its end are
// 80 random bits.
func newID(now time.Time) string {
	const digits = "0123456789abcdefghjkmnpqrstvwxyz" // as in a ULID
	id := []byte("art_")
	millis := uint64(now.UnixMilli())
	for shift := 45; shift >= 0; shift -= 5 {
		id = append(id, digits[millis>>shift&31])
	}
	var random [16]byte
	rand.Read(random[:]) // which never fails
	for _, b := range random {
		id = append(id, digits[b&31])
	}
	return string(id)
}

// record writes a record as one line of JSON. What is not known is left out.
func record(p *Result, a *Artifact) []byte {
	what := a.Kind
	switch {
	case what == "" && a.isDirectory:
		what = "directory"
	case what == "":
		what = "file"
	}
	now := a.Now.UTC().Format("2006-01-02T15:04:05.000Z")
	dst := []byte(`{"version":1`)
	dst = text(dst, "id", p.ID)
	dst = text(dst, "channel", a.Channel)
	dst = text(dst, "kind", what)
	dst = text(dst, "path", p.Path)
	dst = text(dst, "recordPath", p.RecordPath)
	dst = append(dst, `,"targetAvailable":true`...)
	dst = flag(dst, "isDirectory", a.isDirectory)
	dst = flag(dst, "isSymbolicLink", a.isLink)
	dst = optional(dst, "title", a.Title)
	dst = optional(dst, "summary", a.Summary)
	dst = optional(dst, "mediaType", a.MediaType)
	if p.Size >= 0 {
		dst = figs.AppendCount(dst, "sizeBytes", int(p.Size))
		dst = text(append(dst, `,"digest":{"algorithm":"sha256"`...), "value", p.SHA256)
		dst = append(dst, '}')
	}
	dst = text(dst, "createdAt", now)
	dst = text(dst, "updatedAt", now)
	dst = producer(append(dst, `,"producer":`...), a)
	dst = text(dst, "status", or(a.Status, "active"))
	dst = optional(dst, "replaces", a.Replaces)
	dst = texts(dst, "parentArtifactIds", a.Parents)
	dst = texts(dst, "tags", a.Tags)
	return append(dst, "}\n"...)
}

func producer(dst []byte, a *Artifact) []byte {
	p := a.Producer
	dst = figs.AppendString(append(dst, `{"workId":`...), p.Work)
	dst = optional(dst, "parentWorkId", p.ParentWork)
	dst = text(dst, "kind", or(p.Kind, "shell"))
	for _, member := range [...][2]string{{"name", p.Name}, {"sessionId", p.Session}, {"parentSessionId", p.Parent}, {"taskId", p.Task}, {"role", p.Role}, {"cwd", p.CWD}} {
		dst = optional(dst, member[0], member[1])
	}
	if p.Model != "" {
		dst = append(figs.AppendString(append(dst, `,"model":{"id":`...), p.Model), '}')
	}
	return append(dst, '}')
}

func name(dst []byte, key string) []byte {
	return append(append(append(dst, `,"`...), key...), `":`...)
}

func text(dst []byte, key, value string) []byte { return figs.AppendString(name(dst, key), value) }

func optional(dst []byte, key, value string) []byte {
	if value == "" {
		return dst
	}
	return text(dst, key, value)
}

func flag(dst []byte, key string, value bool) []byte {
	if !value {
		return dst
	}
	return append(name(dst, key), "true"...)
}

func texts(dst []byte, key string, values []string) []byte {
	if len(values) == 0 {
		return dst
	}
	dst = append(name(dst, key), '[')
	for i, value := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = figs.AppendString(dst, value)
	}
	return append(dst, ']')
}

func or(value, other string) string {
	if value == "" {
		return other
	}
	return value
}
