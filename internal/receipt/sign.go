package receipt

import (
	"crypto/ed25519"
	"errors"
)

// Only a server signs.

// KeyOf is the public key of a seed of 32 bytes.
func KeyOf(seed []byte) Key {
	return Key(encode(ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)))
}

// Sign puts the key and the signature of a seed of 32 bytes on the receipt.
func (r *Receipt) Sign(seed []byte) error {
	if len(seed) != ed25519.SeedSize {
		return errors.New("receipt: a seed has 32 bytes")
	}
	private := ed25519.NewKeyFromSeed(seed)
	r.Key, r.Signature = encode(private.Public().(ed25519.PublicKey)), ""
	r.Signature = encode(ed25519.Sign(private, r.signed()))
	return nil
}
