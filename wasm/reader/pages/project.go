package pages

import (
	"strconv"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/kind"
	"github.com/figs-web/figs-web/internal/project"
)

// held is what this instance knows of the other folders in what is open. An instance that takes the place of another
// knows nothing, answers Missing, and is given them again.
var held struct {
	id              int // which reading the page means; 0 is none
	top             string
	reading         *project.Reader
	wanted, targets []string
	project         *project.Project
}

// summary is what the page's script must know of a root.
type summary struct {
	No     int    `json:"no"`
	Kind   string `json:"kind"`
	Path   string `json:"path"`
	Name   string `json:"name"`
	Folder string `json:"folder"` // where it lies, for whoever reads its findings elsewhere; "" is what was opened
	Errors int    `json:"errors"`
}

// otherFolders reads the other folders of a project step by step, since this module opens no file: list, give, look.
// Each answer says what the next step is to bring. Then findings gives those of one root.
func otherFolders(r *Request, payload []byte) []byte {
	pieces, whole := unpack(payload)
	switch {
	case r.Step == "findings":
		return rootFindings(r)
	case !whole:
		return answer(head{Error: "the files are not packed as they should be"}, nil)
	case r.Step == "list":
		return list(r, pieces)
	case held.reading == nil:
		return answer(head{Error: "nothing was listed"}, nil)
	case r.Step == "give" && len(pieces) == 2*len(held.wanted):
		return give(pieces)
	case r.Step == "look" && len(pieces) == 3*len(held.targets):
		return look(r, pieces)
	}
	return answer(head{Error: "this step was not asked for"}, nil)
}

// list takes the paths of all files, and answers with those that are wanted, each with the most bytes that it may have.
func list(r *Request, paths [][]byte) []byte {
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = string(p)
	}
	held.id, held.top, held.project = r.Project, r.Top, nil
	held.reading = project.NewReader(r.Name, names)
	held.wanted, held.targets = held.reading.Wanted(), nil
	if !held.reading.Found() {
		held.reading = nil
		return answer(head{Status: statusOK}, nil)
	}
	return answer(head{Status: statusOK, Found: true}, limited(held.wanted, held.reading.MaxBytes))
}

// give takes the wanted files: for each why it has none, "" when it has, and its content or the machine's word. The
// answer is what to look at, each with the most bytes of which a digest is wanted.
func give(files [][]byte) []byte {
	for i, path := range held.wanted {
		why, content := string(files[2*i]), files[2*i+1]
		switch why {
		case "":
			held.reading.AddFile(path, content)
		case "large":
			held.reading.AddProblem(path, figs.ProjectFileTooLarge, string(content))
		default:
			held.reading.AddProblem(path, figs.ProjectFileUnreadable, string(content))
		}
	}
	held.targets = held.reading.Targets()
	return answer(head{Status: statusOK}, limited(held.targets, func(path string) int64 {
		if held.reading.NeedsDigest(path) {
			return kind.MaxDigest
		}
		return -1
	}))
}

// limited is each path with its limit.
func limited(paths []string, most func(path string) int64) []byte {
	pieces := make([][]byte, 0, 2*len(paths))
	for _, p := range paths {
		pieces = append(pieces, []byte(p), strconv.AppendInt(nil, most(p), 10))
	}
	return pack(pieces...)
}

// look takes what stands at each target: a word, its size, and its digest or the machine's word. It ends the reading.
func look(r *Request, found [][]byte) []byte {
	for i, path := range held.targets {
		held.reading.AddTarget(path, target(string(found[3*i]), string(found[3*i+1]), string(found[3*i+2])))
	}
	held.project = held.reading.Finish(r.Now)
	held.reading, held.wanted, held.targets = nil, nil, nil
	h := head{Status: statusOK, Notes: held.project.Notes}
	for _, root := range held.project.Roots {
		s := summary{No: root.No, Kind: root.Kind.String(), Path: root.Path, Folder: root.Name, Errors: root.Report.Errors}
		if root.Name == "" {
			root.Name = held.top
		}
		s.Name = root.Name
		h.Roots = append(h.Roots, s)
	}
	return answer(h, nil)
}

func target(word, size, text string) kind.Target {
	t := kind.Target{Size: -1}
	switch word {
	case "file":
		t.State, t.SHA256 = kind.TargetAvailable, text
		if n, err := strconv.ParseInt(size, 10, 64); err == nil {
			t.Size = n
		}
	case "folder":
		t.State, t.Dir = kind.TargetAvailable, true
	case "missing":
		t.State = kind.TargetMissing
	case "unreadable":
		t.State, t.Detail = kind.TargetUnreadable, text
	}
	return t
}

// rootFindings is the report of one root, as doctor --json prints it.
func rootFindings(r *Request) []byte {
	p, missing := projectOf(r)
	if missing {
		return answer(head{Missing: true}, nil)
	}
	root := p.Root(r.Root)
	if root == nil {
		return answer(head{Error: "there is no folder of that number"}, nil)
	}
	return answer(head{Status: statusOK}, figs.AppendFindings(nil, root.Report))
}

// projectOf is what a request's page shows beside .figs: nil when there is none, missing when another instance had it.
func projectOf(r *Request) (p *project.Project, missing bool) {
	switch {
	case r.Project == 0:
		return nil, false
	case r.Project != held.id || held.project == nil:
		return nil, true
	}
	return held.project, false
}
