package recordjson

import (
	"strings"

	"github.com/figs-web/figs-web/internal/journal"
)

// File is an attachment.
type File struct {
	Key      string     `json:"key"`
	Name     string     `json:"name"`
	Page     string     `json:"page,omitempty" jsonschema:"URL of its page for people"`
	Size     *int64     `json:"size" jsonschema:"size in bytes; null if the file is missing"`
	SHA256   *string    `json:"sha256" jsonschema:"in hex; null if unknown"`
	Mentions []Mention  `json:"mentions,omitzero" jsonschema:"the lines that attach it"`
	Owner    *FileOwner `json:"owner" jsonschema:"the first record that attaches it"`
}

// Mention is a line that attaches a file.
type Mention struct {
	File string  `json:"file"`
	TS   *string `json:"ts"`
}

// FileOwner is the first record that attaches a file.
type FileOwner struct {
	Kind  string `json:"kind" jsonschema:"job or ask"`
	Key   string `json:"key"`
	Title string `json:"title"`
}

// File converts an attachment.
func (c Converter) File(f *journal.File) File {
	out := File{Key: f.Key, Name: f.Name, Page: c.page("files", f.Key)}
	out.Mentions = Each(f.Named, func(p *journal.Position) Mention { return Mention{File: p.File.String(), TS: Text(p.TS)} })
	if f.Present() {
		out.Size, out.SHA256 = &f.Size, Text(f.SHA256)
	}
	if kind, key := Owner(f.Owner); kind != "" {
		out.Owner = &FileOwner{Kind: kind, Key: key, Title: f.OwnerTitle}
	}
	return out
}

// FileDetail is an attachment by itself.
type FileDetail struct {
	File
	Erased *Erasure `json:"erased"`
}

// FileDetail converts an answer of journal.Journal.File.
func (c Converter) FileDetail(f *journal.File) FileDetail {
	return FileDetail{File: c.File(f), Erased: newErased(f.Erased)}
}

// Owner splits the address of a record below an agent: "jobs/KEY" is the job with that key.
func Owner(address string) (kind, key string) {
	section, key, _ := strings.Cut(address, "/")
	return strings.TrimSuffix(section, "s"), key
}
