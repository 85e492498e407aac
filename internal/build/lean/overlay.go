package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// standIns are files of the standard library as the reader needs them. Its hashes and signatures work the same with or
// without the certified module's self-tests, random numbers and ciphers, which come with every import of the usual
// ones and weigh fifty thousand bytes in a page. The work itself is done by the same internal packages.
var standIns = map[string]string{
	"crypto/sha256/sha256.go":   sha256File,
	"crypto/ed25519/ed25519.go": ed25519File,
}

const sha256File = `package sha256

import (
	"crypto/internal/fips140/sha256"
	"hash"
)

const (
	Size      = 32
	BlockSize = 64
)

func New() hash.Hash { return sha256.New() }

func Sum256(data []byte) (sum [Size]byte) {
	h := sha256.New()
	h.Write(data)
	h.Sum(sum[:0])
	return sum
}
`

// The page checks signatures and makes none (RFC 8032, section 5.1.7): with B the base point, A the key, R and S the
// signature's halves and k the hash of R, A and the message, it holds when R = [S]B - [k]A.
const ed25519File = `package ed25519

import (
	"crypto/internal/fips140/edwards25519"
	"crypto/internal/fips140/sha512"
)

const (
	PublicKeySize = 32
	SignatureSize = 64
)

type PublicKey []byte

func Verify(key PublicKey, message, signature []byte) bool {
	if len(key) != PublicKeySize || len(signature) != SignatureSize {
		return false
	}
	a, err := new(edwards25519.Point).SetBytes(key)
	if err != nil {
		return false
	}
	s, err := edwards25519.NewScalar().SetCanonicalBytes(signature[32:])
	if err != nil {
		return false
	}
	h := sha512.New()
	h.Write(signature[:32])
	h.Write(key)
	h.Write(message)
	k, err := edwards25519.NewScalar().SetUniformBytes(h.Sum(nil))
	if err != nil {
		return false
	}
	r := new(edwards25519.Point).VarTimeDoubleScalarBaseMult(k, new(edwards25519.Point).Negate(a), s)
	return string(r.Bytes()) == string(signature[:32])
}
`

// writeOverlay writes the stand-ins and the shortened templates, and the file that puts them in the place of the usual
// ones.
func writeOverlay(folder string) error {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	source := filepath.Join(strings.TrimSpace(string(out)), "src")
	replace := map[string]string{}
	for name, text := range standIns {
		from := filepath.Join(source, filepath.FromSlash(name))
		if _, err := os.Stat(from); err != nil {
			return fmt.Errorf("this Go keeps %s elsewhere: %w", name, err)
		}
		to := filepath.Join(folder, "std", filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, []byte(text), 0o644)); err != nil {
			return err
		}
		replace[from] = to
	}
	if err := shortTemplates(folder, replace); err != nil {
		return err
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "overlay.json"), text, 0o644)
}
