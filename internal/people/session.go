package people

import (
	"encoding/json"

	"github.com/figs-web/figs-web/internal/store"
)

// How long a session lasts after it was last used, and how often that is noted.
const (
	SessionLasts = 30 * day
	sessionNoted = day
)

// Kept is what a session remembers.
type Kept struct {
	Workspace string `json:"workspace,omitempty"` // id of the last one that was looked at
}

// ReadKept reads a session's data; what cannot be read is forgotten.
func ReadKept(data []byte) (k Kept) {
	if json.Unmarshal(data, &k) != nil {
		return Kept{}
	}
	return k
}

// Bytes is what a session keeps.
func (k Kept) Bytes() []byte {
	b, err := json.Marshal(k)
	if err != nil {
		panic(err) // a struct of strings
	}
	return b
}

// NewSession makes a session for a user, and the secret for its cookie. What the browser had
// before plays no part in it, so that nobody can plant a session.
func NewSession(user, agent string, kept Kept, at int64) (store.Session, string) {
	secret := NewSecret()
	return store.Session{Hash: store.Hash(secret), User: user, Data: kept.Bytes(), Created: at, Expires: at + SessionLasts, Agent: agent}, secret
}

// Slide returns the new end of a session that is used, and whether it is worth noting.
func Slide(expires, at int64) (int64, bool) {
	end := at + SessionLasts
	return end, end-expires >= sessionNoted
}
