// Package passkeytest is a device that holds one passkey, for tests: it answers challenges as a
// browser does, and lies where a test wants it to.
package passkeytest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
)

// Key is a device.
type Key struct {
	Origin string // of the page that asks it
	ID     []byte
	Person []byte // whom it answers for
	Count  uint32 // how often it was used
	secret *ecdsa.PrivateKey
	host   string
}

// New returns a device in a browser that shows a page of that origin.
func New(origin string) *Key {
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	return &Key{Origin: origin, ID: []byte(rand.Text()), secret: secret}
}

// options are what a server asks.
type options struct {
	PublicKey struct {
		Challenge string
		RP        struct{ ID string }
		RPID      string `json:"rpId"`
		User      struct{ ID string }
	} `json:"publicKey"`
}

func read(asked []byte) options {
	var o options
	if err := json.Unmarshal(asked, &o); err != nil {
		panic(fmt.Sprintf("options %q: %v", asked, err))
	}
	return o
}

var b64 = base64.RawURLEncoding

func (k *Key) client(kind, challenge string) []byte {
	data, err := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": k.Origin, "crossOrigin": false})
	if err != nil {
		panic(err)
	}
	return data
}

// data is what the device says of itself: present, verified, how often it was used.
func (k *Key) data(more byte) []byte {
	host := sha256.Sum256([]byte(k.host))
	return binary.BigEndian.AppendUint32(append(host[:], 0x05|more), k.Count)
}

// Register answers what makes a key.
func (k *Key) Register(asked []byte) []byte {
	o := read(asked)
	k.host = o.PublicKey.RP.ID
	k.Person, _ = b64.DecodeString(o.PublicKey.User.ID)
	point, err := k.secret.PublicKey.Bytes()
	if err != nil {
		panic(err)
	}
	data := append(k.data(0x40), make([]byte, 16)...) // a maker that is not named
	data = binary.BigEndian.AppendUint16(data, uint16(len(k.ID)))
	data = append(data, k.ID...)
	data = append(data, 0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20) // CBOR: a key of P-256 for ES256
	data = append(append(data, point[1:33]...), 0x22, 0x58, 0x20)
	data = append(data, point[33:65]...)
	attested := slices.Concat([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58"), []byte{byte(len(data))}, data)
	return k.answer(map[string]string{"clientDataJSON": b64.EncodeToString(k.client("webauthn.create", o.PublicKey.Challenge)), "attestationObject": b64.EncodeToString(attested)})
}

// Answer signs a challenge, one use more than the last.
func (k *Key) Answer(asked []byte) []byte {
	k.Count++
	o := read(asked)
	client, data := k.client("webauthn.get", o.PublicKey.Challenge), k.data(0)
	sum := sha256.Sum256(client)
	sum = sha256.Sum256(append(slices.Clone(data), sum[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, k.secret, sum[:])
	if err != nil {
		panic(err)
	}
	return k.answer(map[string]string{
		"clientDataJSON": b64.EncodeToString(client), "authenticatorData": b64.EncodeToString(data),
		"signature": b64.EncodeToString(signature), "userHandle": b64.EncodeToString(k.Person),
	})
}

func (k *Key) answer(response map[string]string) []byte {
	id := b64.EncodeToString(k.ID)
	data, err := json.Marshal(map[string]any{"id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": map[string]any{}})
	if err != nil {
		panic(err)
	}
	return data
}
