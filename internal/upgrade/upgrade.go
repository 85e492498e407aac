// Package upgrade reads the signed checksums of a release, and compares its version with the running one.
package upgrade

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"go/version"
	"regexp"
	"strings"
)

// The files of a release that this package reads.
const (
	SumsName      = "SHA256SUMS"
	SignatureName = "SHA256SUMS.sig"
	MaxSize       = 1 << 20 // of each, in bytes
)

// Release is what the checksums of a release say.
type Release struct {
	Version string            // as in v0.2.0
	Sums    map[string]string // SHA-256 in hexadecimal by name of file
}

var archiveName = regexp.MustCompile(`^figs-web_([0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]+)?)_[a-z]+_[a-z0-9]+\.(?:tar\.gz|zip)$`)

// Read verifies the signature of checksums and reads them. key is a line of an OpenSSH public key.
func Read(sums, signature, key []byte) (*Release, error) {
	if err := verify(sums, signature, key); err != nil {
		return nil, err
	}
	r := &Release{Sums: map[string]string{}}
	lines := bufio.NewScanner(bytes.NewReader(sums))
	for lines.Scan() {
		sum, name, ok := strings.Cut(lines.Text(), "  ")
		if b, err := hex.DecodeString(sum); !ok || err != nil || len(b) != 32 {
			return nil, fmt.Errorf("%s has a line that isn't a checksum", SumsName)
		}
		r.Sums[name] = sum
		m := archiveName.FindStringSubmatch(name)
		switch {
		case m == nil:
		case r.Version == "":
			r.Version = "v" + m[1]
		case r.Version != "v"+m[1]:
			return nil, fmt.Errorf("%s has archives of two versions, %s and v%s", SumsName, r.Version, m[1])
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if r.Version == "" {
		return nil, fmt.Errorf("%s names no archive of figs-web", SumsName)
	}
	return r, nil
}

// Archive is the name of the archive for a system.
func (r *Release) Archive(goos, goarch string) string {
	ext := "tar.gz"
	if goos == "windows" {
		ext = "zip"
	}
	return fmt.Sprintf("figs-web_%s_%s_%s.%s", strings.TrimPrefix(r.Version, "v"), goos, goarch, ext)
}

// Compare compares two versions as semantic versioning orders them: -1 if a is older, 0, or 1. A version that isn't one is older than
// all others.
func Compare(a, b string) int {
	numberA, preA, _ := strings.Cut(strings.TrimPrefix(a, "v"), "-")
	numberB, preB, _ := strings.Cut(strings.TrimPrefix(b, "v"), "-")
	if order := version.Compare("go"+numberA, "go"+numberB); order != 0 {
		return order
	}
	if preA == "" || preB == "" { // a version precedes none of its pre-releases
		return cmp.Compare(len(preB), len(preA))
	}
	return comparePre(strings.Split(preA, "."), strings.Split(preB, "."))
}

func comparePre(a, b []string) int {
	for i := range min(len(a), len(b)) {
		if order := compareIdentifiers(a[i], b[i]); order != 0 {
			return order
		}
	}
	return cmp.Compare(len(a), len(b))
}

// compareIdentifiers compares numbers as numbers, and puts them before words.
func compareIdentifiers(a, b string) int {
	numberA, numberB := strings.Trim(a, "0123456789") == "", strings.Trim(b, "0123456789") == ""
	switch {
	case numberA && numberB:
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	case numberA:
		return -1
	case numberB:
		return 1
	}
	return strings.Compare(a, b)
}
