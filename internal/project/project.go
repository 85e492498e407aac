// Package project finds, in whatever folder was opened, the other folders that agents write for people beside .figs,
// and reads them: artifact channels, finding registries, Agentfile workflows.
package project

import (
	"path"
	"strconv"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/agentfile"
	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/findings"
	"github.com/figs-web/figs-web/internal/journal"
)

// Kind is one of the folders.
type Kind uint8

const (
	Channels  Kind = iota // .flue-runtime/artifacts
	Registry              // .agents/findings
	Workflows             // workflows/*/workflow.yaml, artifacts/*/*/manifest.json
)

// String is the kind's word in addresses and reports: "channels", "registry" or "workflows".
func (k Kind) String() string { return [...]string{"channels", "registry", "workflows"}[k] }

// Root is one folder of a kind, read and judged.
type Root struct {
	No     int // from 1, by path and then by kind: its key in addresses
	Kind   Kind
	Path   string // of the folder that holds it, below what was opened; "." is that itself
	Name   string // for people: what was opened and Path, "repo/tools"
	Report *figs.Report

	Channels  *artifacts.Channels // one of these three is there, as Kind says
	Registry  *findings.Registry
	Workflows *agentfile.Workflows

	// Files are what the viewer can show, sorted by name, which is the path below Path. Their keys are numbers from 1.
	Files []journal.File
}

// Project is everything of these kinds in what was opened.
type Project struct {
	Roots []*Root
	Notes []string // what was not looked at, as sentences
}

// Location is where a kind was found.
type Location struct {
	Kind Kind
	Path string // of the folder that holds it
}

// Root is the root with that key in addresses; nil when there is none.
func (p *Project) Root(no int) *Root {
	if p == nil || no < 1 || no > len(p.Roots) {
		return nil
	}
	return p.Roots[no-1]
}

// Key names a root in the places where pages name the agent of an attachment: "p1".
func (r *Root) Key() string { return "p" + strconv.Itoa(r.No) }

// Folder is the root's folder as reports name it, from what was opened: "repo/.agents/findings". Workflows have none
// of their own, only that which holds them. Findings name files below Name.
func (r *Root) Folder() string {
	dir := map[Kind]string{Channels: flueDir, Registry: path.Dir(findings.File)}[r.Kind]
	return path.Join(r.Name, dir)
}

// flueDir holds the records, and the files that were published.
var flueDir = path.Dir(artifacts.Dir)

// States says in a line each where the records of the root stand, as conformance vectors have it.
func (r *Root) States() []string {
	switch r.Kind {
	case Channels:
		return r.Channels.States()
	case Registry:
		return r.Registry.States()
	}
	return r.Workflows.States()
}
