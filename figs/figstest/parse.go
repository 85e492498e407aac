package figstest

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// Unquote reads a quoted section: Go string literals, one or more a line, joined without
// anything between them. `"text" * 1000` repeats a literal.
func Unquote(content []byte) ([]byte, error) {
	var out []byte
	rest := strings.TrimSpace(string(content))
	for rest != "" {
		literal, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return nil, errors.New("want Go string literals in double quotes or backquotes")
		}
		text, err := strconv.Unquote(literal)
		if err != nil {
			return nil, err
		}
		rest = strings.TrimSpace(rest[len(literal):])
		times := 1
		if after, repeated := strings.CutPrefix(rest, "*"); repeated {
			after = strings.TrimSpace(after)
			end := strings.IndexFunc(after, func(r rune) bool { return r < '0' || r > '9' })
			if end < 0 {
				end = len(after)
			}
			if times, err = strconv.Atoi(after[:end]); err != nil {
				return nil, errors.New("want a number after *")
			}
			rest = strings.TrimSpace(after[end:])
		}
		out = append(out, bytes.Repeat([]byte(text), times)...)
	}
	return out, nil
}

// parseArtifact reads `size name`, the name quoted where it is odd.
func parseArtifact(line string) (Artifact, error) {
	size, name, _ := strings.Cut(line, " ")
	n, err := strconv.ParseInt(size, 10, 64)
	if err != nil || name == "" {
		return Artifact{}, errors.New("want “size name”")
	}
	name, err = unquoteOdd(name)
	return Artifact{Name: name, Size: n}, err
}

// parseProblem reads `code file`.
func parseProblem(line string) (Problem, error) {
	code, file, _ := strings.Cut(line, " ")
	return Problem{File: file, Code: code}, nil
}

// parseFinding reads `severity code file:line:column record`; file and record are quoted
// where they are odd, and a finding about no record has none.
func parseFinding(line string) (f Finding, err error) {
	var where string
	var found bool
	f.Severity, line, _ = strings.Cut(line, " ")
	f.Code, line, found = strings.Cut(line, " ")
	if !found {
		return f, errors.New("want “severity code file:line:column record”")
	}
	if literal, quoteErr := strconv.QuotedPrefix(line); quoteErr == nil {
		where, line = literal, line[len(literal):]
	} else {
		end := strings.IndexByte(line, ':')
		if end < 0 {
			return f, errors.New("want file:line:column")
		}
		where, line = line[:end], line[end:]
	}
	if f.File, err = unquoteOdd(where); err != nil {
		return f, err
	}
	where, record, _ := strings.Cut(strings.TrimPrefix(line, ":"), " ")
	row, column, _ := strings.Cut(where, ":")
	if f.Line, err = strconv.Atoi(row); err != nil {
		return f, err
	}
	if f.Column, err = strconv.Atoi(column); err != nil {
		return f, err
	}
	f.Record, err = unquoteOdd(record)
	return f, err
}

func unquoteOdd(s string) (string, error) {
	if strings.HasPrefix(s, `"`) {
		return strconv.Unquote(s)
	}
	return s, nil
}
