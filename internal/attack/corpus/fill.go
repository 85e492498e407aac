package corpus

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Host returns the name that stands for the attacker's server in this vector, one of its own so that whoever listens
// knows which vector came.
func (v *Vector) Host() string { return fmt.Sprintf("v%d.attack.test", v.Number) }

// Fill returns the attachment's bytes with the attacker's port: {{HTTP}} becomes http://Host:port, {{HOST}} Host:port
// and {{NAME}} Host.
func (v *Vector) Fill(port int) ([]byte, error) {
	host := v.Host()
	at := host + ":" + strconv.Itoa(port)
	text := strings.NewReplacer("{{HTTP}}", "http://"+at, "{{HOST}}", at, "{{NAME}}", host).Replace(v.text)
	text, err := expand(text)
	if err == nil && v.encode != "" {
		text, err = encode(v.encode, text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s/%s: %w", v.Family, v.Name, err)
	}
	return []byte(text), nil
}

// expand replaces {{base64 TEXT}} and {{repeat N TEXT}}.
func expand(text string) (string, error) {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{{")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		call, after, _ := strings.Cut(rest, "}}")
		text = after
		word, argument, _ := strings.Cut(call, " ")
		switch word {
		case "base64":
			out.WriteString(base64.StdEncoding.EncodeToString([]byte(argument)))
		case "repeat":
			times, what, _ := strings.Cut(argument, " ")
			n, err := strconv.Atoi(times)
			if err != nil {
				return "", err
			}
			out.WriteString(strings.Repeat(what, n))
		default:
			out.WriteString("{{")
			text = rest
		}
	}
}

func encode(way, text string) (string, error) {
	switch way {
	case "utf-16le":
		return wide(text, func(u uint16) [2]byte { return [2]byte{byte(u), byte(u >> 8)} }), nil
	case "utf-16be":
		return wide(text, func(u uint16) [2]byte { return [2]byte{byte(u >> 8), byte(u)} }), nil
	case "quoted":
		return unquote(text)
	}
	return "", fmt.Errorf("there is no encoding %q", way)
}

func wide(text string, order func(uint16) [2]byte) string {
	var out strings.Builder
	for _, u := range utf16.Encode([]rune(text)) {
		pair := order(u)
		out.Write(pair[:])
	}
	return out.String()
}

// unquote joins lines of Go strings, each with an optional "* N" behind it.
func unquote(text string) (string, error) {
	var out strings.Builder
	for line := range strings.Lines(text) {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return "", fmt.Errorf("%.40q: %w", line, err)
		}
		piece, err := strconv.Unquote(quoted)
		if err != nil {
			return "", fmt.Errorf("%.40q: %w", line, err)
		}
		times := 1
		if _, after, found := strings.Cut(line[len(quoted):], "*"); found {
			if times, err = strconv.Atoi(strings.TrimSpace(after)); err != nil {
				return "", err
			}
		}
		out.WriteString(strings.Repeat(piece, times))
	}
	return out.String(), nil
}
