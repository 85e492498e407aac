package accounts

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
)

// DeviceLifetime is how long a browser is known after somebody signed in with it, in microseconds.
const DeviceLifetime = 365 * day

// ClientInfo is where somebody tries to sign in from.
type ClientInfo struct {
	Address string
	Device  string // what NewDevice gave the browser; "" is none
	Key     []byte // that NewDevice signed it with
}

// NewDevice is what a browser keeps with which a person has signed in, so that others at the same address cannot keep
// them out. It lets nobody in, and is good for that person alone.
func NewDevice(key []byte, user string, at int64) string {
	about := rand.Text() + "." + strconv.FormatInt(at/second, 10)
	return about + "." + signDevice(key, user, about)
}

// deviceID names the browser in limits; "" when the person has not signed in with it, or too long ago.
func (f ClientInfo) deviceID(user string, at int64) string {
	parts := strings.Split(f.Device, ".")
	if len(parts) != 3 || user == "" || len(f.Key) == 0 || !hmac.Equal([]byte(parts[2]), []byte(signDevice(f.Key, user, parts[0]+"."+parts[1]))) {
		return ""
	}
	since, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil || at-since*second > DeviceLifetime {
		return ""
	}
	return parts[0]
}

func signDevice(key []byte, user, about string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("figs-web device " + about + " of " + user))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
