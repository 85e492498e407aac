package receipt

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
)

// Key is the public key of a server, base64url.
type Key string

// bytes are the 32 bytes of the key; ok is false for anything else, and for a key whose signatures anybody can make.
func (k Key) bytes() (b []byte, ok bool) {
	b, ok = decode(string(k), ed25519.PublicKeySize)
	return b, ok && !smallOrder(b)
}

// smallOrder reports whether a public key is a point whose order divides 8, in any encoding. Such a key has no private
// half: one signature fits a good part of all texts, or all of them. RFC 8032 leaves it to whoever verifies to refuse it.
func smallOrder(key []byte) bool {
	y := [ed25519.PublicKeySize]byte(key)
	y[31] &= 0x7f // without the sign of x
	return slices.Contains(smallOrderPoints[:], y)
}

// smallOrderPoints are the y coordinates of these points, the lowest byte first. The prime p is 2^255-19, and what is not
// below it stands for itself less p.
var smallOrderPoints = [...][ed25519.PublicKeySize]byte{
	{},                // 0: order 4
	{0: 1},            // 1: the neutral point
	below2to255(0xec), // p-1: order 2
	below2to255(0xed), // p: 0 again
	below2to255(0xee), // p+1: 1 again
	{0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05}, // order 8
	{0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a}, // order 8
}

// below2to255 is a number of 255 bits, all of them set but those of its lowest byte.
func below2to255(lowest byte) (y [ed25519.PublicKeySize]byte) {
	for i := range y {
		y[i] = 0xff
	}
	y[0], y[31] = lowest, 0x7f
	return y
}

// Fingerprint is by what people tell a key: the SHA-256 of its 32 bytes in hex, in groups of four; "" of what is no key.
func (k Key) Fingerprint() string {
	b, ok := k.bytes()
	if !ok {
		return ""
	}
	sum := sha256.Sum256(b)
	text := hex.EncodeToString(sum[:])
	var groups []string
	for i := 0; i < len(text); i += 4 {
		groups = append(groups, text[i:i+4])
	}
	return strings.Join(groups, " ")
}

// Short is the beginning of the fingerprint: enough to recognise a key that was accepted, not to
// accept one.
func (k Key) Short() string {
	full := k.Fingerprint()
	return full[:min(len(full), 24)]
}

// jwk is a key as RFC 8037 writes it.
type jwk struct {
	Type  string `json:"kty"`
	Curve string `json:"crv"`
	X     string `json:"x"`
	ID    string `json:"kid"`
	Use   string `json:"use"`
}

// JWK writes the key as a JSON Web Key (RFC 8037); its kid is the fingerprint without spaces.
func (k Key) JWK() []byte {
	b, _ := json.Marshal(jwk{"OKP", "Ed25519", string(k), strings.ReplaceAll(k.Fingerprint(), " ", ""), "sig"}) // texts always marshal
	return append(b, '\n')
}

// ParseKeys reads the keys of a text: a key in base64url, a JSON Web Key, or a set of them. ok
// is false when it holds none, or anything else.
func ParseKeys(text []byte) (keys []Key, ok bool) {
	if k := strings.TrimSpace(string(text)); Key(k).Fingerprint() != "" {
		return []Key{Key(k)}, true
	}
	var read struct {
		jwk
		Keys []jwk `json:"keys"`
	}
	if len(text) > MaxSize || json.Unmarshal(text, &read) != nil {
		return nil, false
	}
	for _, one := range append(read.Keys, read.jwk) {
		if one == (jwk{}) {
			continue
		}
		if one.Type != "OKP" || one.Curve != "Ed25519" || Key(one.X).Fingerprint() == "" {
			return nil, false
		}
		keys = append(keys, Key(one.X))
	}
	return keys, len(keys) > 0
}
