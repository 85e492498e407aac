package cmd

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// Listed is "a", "a and b" or "a, b and c".
func Listed(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// Plural is "1 word" or "2 words".
func Plural(n int, word string) string { return Counted(n, [2]string{word, word + "s"}) }

// Counted is "1 entry" or "2 entries".
func Counted(n int, words [2]string) string {
	if n == 1 {
		return "1 " + words[0]
	}
	return fmt.Sprintf("%d %s", n, words[1])
}

// Shorten returns s, or the beginning of it and an ellipsis, in at most n runes.
func Shorten(s string, n int) string {
	if r := []rune(s[:min(len(s), 4*n+4)]); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// ShellWord writes a name so that it can be pasted into a shell.
func ShellWord(name string) string {
	for _, c := range name {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '/', c == '.', c == '_', c == '-':
		default:
			return fmt.Sprintf("%q", name)
		}
	}
	return name
}

// Cause is what went wrong, without the address that the sentence has already.
func Cause(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err.Error()
	}
	return err.Error()
}

// Exists reports whether there is a file or folder of this name.
func Exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
