package agentfile

import (
	"path"
	"strings"

	"github.com/figs-web/figs-web/figs"
)

// The folders of a project that belong to the specification.
const (
	workflowsDir = "workflows"
	artifactsDir = "artifacts"
	outputsDir   = "outputs"
	sharedDir    = "shared"
)

// The files that are read.
const (
	projectFile  = "agentfile.yaml"
	workflowFile = "workflow.yaml"
	statusFile   = "workflow_status.json"
	manifestFile = "manifest.json"
)

// within resolves a path that was written in a file of the folder dir. It is ok when the path is relative and stays
// inside; then it is clean and below the project.
func within(dir, written string) (clean string, ok bool) {
	slashed := strings.ReplaceAll(written, `\`, "/")
	drive := len(slashed) > 1 && slashed[1] == ':' && slashed[0]|0x20 >= 'a' && slashed[0]|0x20 <= 'z'
	if slashed == "" || slashed[0] == '/' || drive || strings.IndexByte(slashed, 0) >= 0 {
		return "", false
	}
	if inside := path.Clean(slashed); inside == ".." || strings.HasPrefix(inside, "../") {
		return "", false
	}
	return path.Join(dir, path.Clean(written)), true
}

// isRunID reports whether s is the time of a run, YYYY-MM-DDTHH-MM-SS.
func isRunID(s string) bool { return runTime(s) != figs.NoTime }

// runTime is the time that a run's id tells, which is UTC; figs.NoTime when it is none.
func runTime(id string) int64 {
	if len(id) != len("2006-01-02T15-04-05") || id[10] != 'T' || id[13] != '-' || id[16] != '-' {
		return figs.NoTime
	}
	for i := range len(id) {
		if c := id[i]; c-'0' > 9 && i != 4 && i != 7 && i != 10 && i != 13 && i != 16 {
			return figs.NoTime
		}
	}
	at, ok := figs.ParseTime(id[:13] + ":" + id[14:16] + ":" + id[17:] + "Z")
	if !ok {
		return figs.NoTime
	}
	return at
}

// isName reports whether s matches ^[a-z][a-z0-9-]*$, as names of workflows and ids of steps do.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if letter := c >= 'a' && c <= 'z'; !letter && (i == 0 || c != '-' && c-'0' > 9) {
			return false
		}
	}
	return s != ""
}

// isVersion reports whether s is a semantic version: 1.2.3, and then perhaps -rc.1 and +build.7.
func isVersion(s string) bool {
	s, build, built := strings.Cut(s, "+")
	s, pre, early := strings.Cut(s, "-")
	parts := strings.Split(s, ".")
	if len(parts) != 3 || built && !identifiers(build, false) || early && !identifiers(pre, true) {
		return false
	}
	for _, p := range parts {
		if !digits(p) || len(p) > 1 && p[0] == '0' {
			return false
		}
	}
	return true
}

// identifiers reports whether s is words of letters, digits and dashes with dots between them; numbers among them may
// have no leading zero where strict.
func identifiers(s string, strict bool) bool {
	for _, word := range strings.Split(s, ".") {
		for i := range len(word) {
			if c := word[i]; c != '-' && c-'0' > 9 && (c|0x20 < 'a' || c|0x20 > 'z') {
				return false
			}
		}
		if word == "" || strict && len(word) > 1 && word[0] == '0' && digits(word) {
			return false
		}
	}
	return true
}

// digits reports whether s is digits and nothing else.
func digits(s string) bool {
	for i := range len(s) {
		if s[i]-'0' > 9 {
			return false
		}
	}
	return s != ""
}
