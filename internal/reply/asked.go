package reply

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/figs-web/figs-web/figs"
)

// askedFields are those of an ask that say what is asked.
var askedFields = []string{"title", "found", "need", "details", "onApprove", "options"}

// AskedField is a field of a verdict beside the protocol's, which clients keep: the round that it is about, and the
// SHA-256 of what was asked in it, of the canonical form of those fields of the ask.
func AskedField(ask figs.Object, round int) figs.Object {
	var said figs.Object
	for _, m := range ask {
		if slices.Contains(askedFields, m.Key) {
			said = append(said, m)
		}
	}
	sum := sha256.Sum256(figs.AppendCanonicalObject(nil, said))
	return figs.Fold([][]byte{[]byte(`{"asked":{"round":` + strconv.Itoa(round) + `,"sha256":"` + hex.EncodeToString(sum[:]) + `"}}`)})
}
