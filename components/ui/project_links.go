package ui

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/internal/findings"
	"github.com/figs-web/figs-web/internal/project"
)

// rootAt is the root that a key like "p1" names; nil when it is an agent's, or nobody's.
func (s Site) rootAt(key string) *project.Root {
	if rest, ok := strings.CutPrefix(key, "p"); ok && s.Project != nil {
		return s.Project.Root(KeyNumber(rest, len(s.Project.Roots)))
	}
	return nil
}

// rootPlace is the address of a finding's place in a root: the page of the record that stands there, else of the file.
func (s Site) rootPlace(root *project.Root, file string, line int) templ.SafeURL {
	if x := RecordIn(root, file); x > 0 {
		return s.RootTo(root, "records", strconv.Itoa(x))
	}
	if e := EntryIn(root, file, line); e > 0 {
		return s.RootTo(root, "entries", strconv.Itoa(e))
	}
	for i := range root.Files {
		if root.Files[i].Name == file {
			return s.RootTo(root, "files", root.Files[i].Key)
		}
	}
	return ""
}

// RecordIn is the number of the artifact record that a file is; 0 when it is none.
func RecordIn(root *project.Root, file string) int {
	if root.Channels != nil {
		for i := range root.Channels.Records {
			if root.Channels.Records[i].File == file {
				return i + 1
			}
		}
	}
	return 0
}

// EntryIn is the number of the entry on a line of a registry; 0 when there is none.
func EntryIn(root *project.Root, file string, line int) int {
	if root.Registry != nil && file == findings.File {
		for i := range root.Registry.Entries {
			if root.Registry.Entries[i].Line == line {
				return i + 1
			}
		}
	}
	return 0
}

// KeyNumber reads a key from 1 to n as addresses have it; anything else is 0.
func KeyNumber(key string, n int) int {
	if at, err := strconv.Atoi(key); err == nil && at >= 1 && at <= n && strconv.Itoa(at) == key {
		return at
	}
	return 0
}

// RootPath is the path of a page of a root.
func RootPath(root *project.Root, segments ...string) string {
	path := "/" + root.Kind.String() + "/" + strconv.Itoa(root.No)
	for _, segment := range segments {
		path += "/" + segment
	}
	return path
}

func (s Site) RootTo(root *project.Root, segments ...string) templ.SafeURL {
	return templ.SafeURL(s.Links.To(RootPath(root, segments...)))
}
