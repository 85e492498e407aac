package accounts

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
)

// cost is what one hash takes. OWASP's first choice for argon2id: 19 MiB, twice, in one lane.
type cost struct {
	memory uint32 // KiB
	passes uint32
	lanes  uint8
}

var today = cost{memory: 19 << 10, passes: 2, lanes: 1}

// most bounds what a stored hash may ask for, so that a damaged row cannot take the machine.
var most = cost{memory: 256 << 10, passes: 16, lanes: 16}

const saltBytes, keyBytes = 16, 32

// slots let as many hashes run at once as there are processors: each takes the memory of its cost.
var slots = make(chan struct{}, runtime.GOMAXPROCS(0))

// Password lengths: short ones are guessed, and very long ones only cost time. CheckPassword names them.
const (
	shortestPassword = 10   // characters
	longestPassword  = 1000 // bytes
)

// CheckPassword says what is wrong with a password that somebody chose; nil when nothing is.
func CheckPassword(password, email string) error {
	switch lower := strings.ToLower(strings.TrimSpace(password)); {
	case utf8.RuneCountInString(password) < shortestPassword:
		return &ValidationError{Field: "password", Sentence: "The password is too short: use at least 10 characters. Four or five words are easy to remember."}
	case len(password) > longestPassword:
		return &ValidationError{Field: "password", Sentence: "The password is too long: use at most 1000 bytes."}
	case lower == NormaliseEmail(email) && lower != "":
		return &ValidationError{Field: "password", Sentence: "The password is the account's email address, which others know. Choose a different one."}
	case strings.Count(password, password[:firstRune(password)])*firstRune(password) == len(password):
		return &ValidationError{Field: "password", Sentence: "The password repeats a single character. Choose one that no one can guess."}
	}
	return nil
}

func firstRune(s string) int {
	_, size := utf8.DecodeRuneInString(s)
	return size
}

// HashPassword encodes a password as a PHC string. It waits for its turn, or until ctx ends.
func HashPassword(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	rand.Read(salt) // never fails: it ends the program instead
	key, err := derive(ctx, password, salt, today, keyBytes)
	if err != nil {
		return "", err
	}
	return encode(today, salt, key), nil
}

// VerifyPassword reports whether the password is the one that was encoded, and whether the
// encoding is older than what HashPassword makes today. An encoding that is empty or cannot be
// read takes as long and fits no password, so that the time tells nobody who has an account.
func VerifyPassword(ctx context.Context, encoded, password string) (ok, stale bool, err error) {
	c, salt, want := workOf(encoded, password)
	length := len(want)
	if want == nil {
		password, length = "", keyBytes
	}
	key, err := derive(ctx, password, salt, c, uint32(length)) // a shorter key is no part of a longer one
	if err != nil || want == nil {
		return false, false, err
	}
	older := c.memory < today.memory || c.passes < today.passes || len(want) < keyBytes || len(salt) < saltBytes
	return subtle.ConstantTimeCompare(key, want) == 1, older, nil
}

// workOf is what verifying takes: the work of today where nothing can fit, and want is nil then.
func workOf(encoded, password string) (c cost, salt, want []byte) {
	c, salt, want, err := decode(encoded)
	if err != nil || len(password) > longestPassword {
		return today, make([]byte, saltBytes), nil
	}
	return c, salt, want
}

func derive(ctx context.Context, password string, salt []byte, c cost, length uint32) ([]byte, error) {
	select {
	case slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-slots }()
	return argon2.IDKey([]byte(password), salt, c.passes, c.memory, c.lanes, length), nil
}

func encode(c cost, salt, key []byte) string {
	b64 := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.memory, c.passes, c.lanes, b64(salt), b64(key))
}

var errEncoding = errors.New("people: not the encoding of a password")

func decode(encoded string) (c cost, salt, key []byte, err error) {
	parts := strings.Split(encoded, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return c, nil, nil, errEncoding
	}
	if n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.memory, &c.passes, &c.lanes); n != 3 || err != nil {
		return c, nil, nil, errEncoding
	}
	if c.memory == 0 || c.passes == 0 || c.lanes == 0 || c.memory > most.memory || c.passes > most.passes || c.lanes > most.lanes {
		return c, nil, nil, errEncoding
	}
	if salt, err = base64.RawStdEncoding.Strict().DecodeString(parts[4]); err != nil || len(salt) < 8 || len(salt) > 64 {
		return c, nil, nil, errEncoding
	}
	if key, err = base64.RawStdEncoding.Strict().DecodeString(parts[5]); err != nil || len(key) < 16 || len(key) > 64 {
		return c, nil, nil, errEncoding
	}
	return c, salt, key, nil
}
