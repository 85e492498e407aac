package receipt

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
)

// Key is the public key of a server, base64url.
type Key string

// Fingerprint is by what people tell a key: the SHA-256 of its 32 bytes in hex, in groups of four.
func (k Key) Fingerprint() string {
	b, ok := decode(string(k), ed25519.PublicKeySize)
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
