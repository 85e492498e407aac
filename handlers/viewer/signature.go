package viewer

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"strconv"
	"time"
)

// lifetime is how long a signed address leads anywhere.
const lifetime = 60 * time.Second

// signer makes addresses that hold for a minute. A viewer on an origin of its own has no
// session; the signature stands for the page that was allowed to show the attachment.
type signer struct {
	key [32]byte
	now func() time.Time
}

func newSigner(now func() time.Time) *signer {
	s := &signer{now: now}
	rand.Read(s.key[:]) // never fails
	return s
}

// Sign adds the end of its time and the signature to an address, "/v/…?view=source".
func (s *signer) Sign(path string, query url.Values) string {
	query.Set("until", strconv.FormatInt(s.now().Add(lifetime).Unix(), 10))
	query.Set("signature", s.signature(path, query))
	return path + "?" + query.Encode()
}

// signature covers everything that an address says.
func (s *signer) signature(path string, query url.Values) string {
	mac := hmac.New(sha256.New, s.key[:])
	mac.Write([]byte(path + "?" + query.Encode()))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// holds reports whether the address was signed here, and late whether its time is over.
func (s *signer) holds(path string, query url.Values) (ok, late bool) {
	given := query.Get("signature")
	query.Del("signature")
	if !hmac.Equal([]byte(given), []byte(s.signature(path, query))) {
		return false, false
	}
	until, err := strconv.ParseInt(query.Get("until"), 10, 64)
	return true, err != nil || s.now().Unix() > until
}
