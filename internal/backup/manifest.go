package backup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// Format is the number of the format that this program writes. It reads it and every one before.
const Format = 1

// Name is what the manifest of a backup is called.
const Name = "manifest.json"

// Manifest says what a backup holds.
type Manifest struct {
	Format   int      `json:"format"`
	Program  string   `json:"program"` // its version
	Made     string   `json:"made"`    // RFC 3339, UTC: when the snapshot was begun
	Schema   int      `json:"schema"`  // number of the last step of the database
	State    string   `json:"state"`   // hash of all records, replies, charters and names of attachments
	Database string   `json:"database"`
	Audit    []Chain  `json:"audit"`
	Files    []File   `json:"files"`             // the database first
	Erased   []string `json:"erased,omitempty"`  // hashes of attachments that were erased while the backup was made
	Missing  []string `json:"missing,omitempty"` // hashes of attachments that were damaged or lost before
	Secrets  string   `json:"secrets"`           // what must not fall into other hands
	Digest   string   `json:"digest"`            // SHA-256 of this text with an empty digest
}

// File is one file of a backup.
type File struct {
	Name   string `json:"name"` // below the folder, with slashes
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Chain is where the audit of a workspace ended.
type Chain struct {
	Workspace string `json:"workspace"` // id; "" is what belongs to none
	Slug      string `json:"slug,omitempty"`
	Rows      int64  `json:"rows"`
	Head      string `json:"head"`             // hash of the last row
	Broken    int64  `json:"broken,omitempty"` // number of the first row that was not what it was, before the backup
}

const secrets = "password hashes, hashes of tokens and sessions, the key that signs receipts, keys for notifications, and everything that agents reported"

// bytes are those of the file, with the digest.
func (m *Manifest) bytes() ([]byte, error) {
	m.Digest = ""
	text, err := m.text()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	m.Digest = hex.EncodeToString(sum[:])
	return m.text()
}

func (m *Manifest) text() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(m)
	return b.Bytes(), err
}

// readManifest reads what bytes wrote, to the byte.
func readManifest(name string, text []byte) (*Manifest, error) {
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, &Problem{name, "isn't a valid manifest: " + err.Error(), "Use another backup; this file was damaged or cut off."}
	}
	if m.Format < 1 || m.Format > Format {
		return nil, &Problem{name, fmt.Sprintf("is of format %d, and this program reads up to %d", m.Format, Format), "Restore it with figs-web " + m.Program + " or a newer one."}
	}
	said := m.Digest
	again, err := m.bytes()
	if err != nil {
		return nil, err
	}
	if m.Digest != said || !bytes.Equal(again, text) {
		return nil, &Problem{name, "was changed after it was written", "Don't trust what it lists. Use another backup, or another copy of this one."}
	}
	return m, m.check(name)
}

var (
	databaseName = regexp.MustCompile(`^database/[0-9TZ.]{1,40}\.db$`)
	hashOnly     = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// check looks at the names, so that no backup leads out of its folder.
func (m *Manifest) check(name string) error {
	seen := map[string]bool{}
	for _, f := range m.Files {
		hash, isBlob := blobHash(f.Name)
		if seen[f.Name] || f.Size < 0 || !hashOnly.MatchString(f.SHA256) || f.Name != m.Database && (!isBlob || hash != f.SHA256) {
			return &Problem{name, fmt.Sprintf("lists %q, which isn't part of a backup", f.Name), "Use another backup; this one wasn't made by figs-web backup."}
		}
		seen[f.Name] = true
	}
	if !databaseName.MatchString(m.Database) || !seen[m.Database] {
		return &Problem{name, "lists no database", "Use another backup; this one wasn't made by figs-web backup."}
	}
	return nil
}

// Bytes is how much the files have together.
func (m *Manifest) Bytes() (sum int64) {
	for _, f := range m.Files {
		sum += f.Size
	}
	return sum
}

// Blobs is how many attachments there are.
func (m *Manifest) Blobs() int { return max(0, len(m.Files)-1) }

// blobName is where the attachment with that hash lies.
func blobName(hash string) string { return path.Join("blobs", hash[:2], hash) }

// blobHash is the inverse of blobName.
func blobHash(name string) (hash string, ok bool) {
	hash = name[strings.LastIndexByte(name, '/')+1:]
	return hash, hashOnly.MatchString(hash) && name == blobName(hash)
}
