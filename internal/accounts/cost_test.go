package accounts

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
)

// Others' tests hash at a cheaper cost; here it is what it is.
func TestCostOfPasswords(t *testing.T) {
	encoded, err := HashPassword(context.Background(), "correct horse battery")
	if err != nil || !strings.HasPrefix(encoded, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("a password is encoded as %q, %v", encoded, err)
	}
}

// The sentences about a password's length are whole, so that they can be translated, and name the lengths that are held.
func TestLengthsAreNamed(t *testing.T) {
	for password, length := range map[string]int{strings.Repeat("x", shortestPassword-1): shortestPassword, strings.Repeat("x", longestPassword+1): longestPassword} {
		var wrong *ValidationError
		if err := CheckPassword(password, "ada@example.com"); !errors.As(err, &wrong) || !strings.Contains(wrong.Sentence, " "+strconv.Itoa(length)+" ") {
			t.Errorf("a password of %d bytes is refused with %v, want the length %d", len(password), wrong, length)
		}
	}
}
