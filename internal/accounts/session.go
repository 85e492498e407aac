package accounts

import (
	"encoding/json"

	"github.com/figs-web/figs-web/internal/store"
)

// SessionLimits is how long sessions last; its zero value stands for thirty and ninety days.
type SessionLimits struct {
	Idle int64 // after the last use, in microseconds
	Max  int64 // after the beginning, however much it is used
}

// How long a session lasts unless somebody says otherwise, and how often its use is noted.
const (
	SessionIdle  = 30 * day
	SessionMax   = 90 * day
	sessionNoted = day
)

func (l SessionLimits) orUsual() SessionLimits {
	if l.Idle <= 0 {
		l.Idle = SessionIdle
	}
	if l.Max <= 0 {
		l.Max = SessionMax
	}
	return l
}

// End is when a session ends that was begun and last used at those times.
func (l SessionLimits) End(begun, used int64) int64 {
	l = l.orUsual()
	return min(used+l.Idle, begun+l.Max)
}

// IsExpired reports whether a session is over. It is judged by when it was begun and used, so that
// limits which have become narrower hold for sessions that are there.
func (l SessionLimits) Ended(s *store.Session, at int64) bool {
	return l.End(s.Created, s.Used) <= at
}

// Note reports whether the use of a session that was last noted at used is worth noting: once a
// day, and more often where sessions end sooner than that.
func (l SessionLimits) Note(used, at int64) bool {
	return at-used >= min(sessionNoted, l.orUsual().Idle/10)
}

// ProofLifetime is how long a proof of who a person is counts as fresh.
const ProofLifetime = 10 * minute

// IsFresh reports whether a proof that was given at proved counts still. One from the future, as a
// clock that was set back leaves it, does not.
func IsFresh(proved, at int64) bool {
	return proved > 0 && proved-at < minute && at-proved < ProofLifetime
}

// SessionData is what a session remembers.
type SessionData struct {
	Workspace string `json:"workspace,omitempty"` // id of the last one that was looked at
}

// ParseSessionData reads a session's data; what cannot be read is forgotten.
func ParseSessionData(data []byte) (k SessionData) {
	if json.Unmarshal(data, &k) != nil {
		return SessionData{}
	}
	return k
}

// Bytes is what a session keeps.
func (k SessionData) Bytes() []byte {
	b, err := json.Marshal(k)
	if err != nil {
		panic(err) // a struct of strings
	}
	return b
}

// SessionStart is how a person came in.
type SessionStart struct {
	Method  store.SignInMethod
	Agent   string // the browser's own words
	Address string
}

// NewSession makes a session for a user who has just proved who they are, and the secret for its
// cookie. What the browser had before plays no part in it, so that nobody can plant a session.
func NewSession(user string, v SessionStart, kept SessionData, l SessionLimits, at int64) (store.Session, string) {
	secret := NewSecret()
	return store.Session{Hash: store.Hash(secret), User: user, Data: kept.Bytes(), Created: at, Used: at, Expires: l.End(at, at),
		Agent: v.Agent, Address: v.Address, Method: v.Method, Proved: at}, secret
}
