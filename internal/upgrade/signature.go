package upgrade

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"strings"
)

// Namespace is what a signature must be for: ssh-keygen -Y sign -n figs-web-release.
const Namespace = "figs-web-release"

const keyType = "ssh-ed25519"

// Why a release isn't trusted.
var (
	ErrKey       = errors.New("the key isn't an OpenSSH public key of type ed25519")
	ErrSignature = errors.New("the signature isn't one of ssh-keygen with an ed25519 key and the namespace " + Namespace)
	ErrOtherKey  = errors.New("the checksums are signed with another key")
	ErrChanged   = errors.New("the signature doesn't fit the checksums: they were changed")
)

// verify checks a signature as OpenSSH writes it (PROTOCOL.sshsig).
func verify(message, signature, key []byte) error {
	want, err := publicKey(key)
	if err != nil {
		return err
	}
	block, _ := pem.Decode(signature)
	if block == nil || block.Type != "SSH SIGNATURE" {
		return ErrSignature
	}
	rest, ok := bytes.CutPrefix(block.Bytes, []byte("SSHSIG\x00\x00\x00\x01"))
	r := fields{rest, !ok}
	signer, namespace, reserved, hash, signed := r.next(), r.next(), r.next(), r.next(), r.next()
	sig := fields{signed, r.bad}
	algorithm, raw := sig.next(), sig.next()
	if sig.bad || len(r.rest) > 0 || len(sig.rest) > 0 || string(namespace) != Namespace || string(hash) != "sha512" || string(algorithm) != keyType || len(raw) != ed25519.SignatureSize {
		return ErrSignature
	}
	if !bytes.Equal(signer, want) {
		return ErrOtherKey
	}
	k := fields{rest: want}
	k.next()
	sum := sha512.Sum512(message)
	text := []byte("SSHSIG")
	for _, field := range [][]byte{namespace, reserved, hash, sum[:]} {
		text = append(binary.BigEndian.AppendUint32(text, uint32(len(field))), field...)
	}
	if !ed25519.Verify(k.next(), text, raw) {
		return ErrChanged
	}
	return nil
}

// publicKey reads "ssh-ed25519 AAAA… comment" and returns the key as signatures contain it.
func publicKey(line []byte) ([]byte, error) {
	words := strings.Fields(string(line))
	if len(words) < 2 || words[0] != keyType {
		return nil, ErrKey
	}
	b, err := base64.StdEncoding.DecodeString(words[1])
	k := fields{rest: b}
	if name, key := k.next(), k.next(); err != nil || k.bad || len(k.rest) > 0 || string(name) != keyType || len(key) != ed25519.PublicKeySize {
		return nil, ErrKey
	}
	return b, nil
}

// fields are byte strings after their lengths.
type fields struct {
	rest []byte
	bad  bool
}

func (f *fields) next() []byte {
	if f.bad || len(f.rest) < 4 {
		f.bad = true
		return nil
	}
	n := binary.BigEndian.Uint32(f.rest)
	if uint64(n) > uint64(len(f.rest)-4) {
		f.bad = true
		return nil
	}
	field := f.rest[4 : 4+n]
	f.rest = f.rest[4+n:]
	return field
}
