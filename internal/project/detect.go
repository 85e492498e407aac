package project

import (
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/findings"
)

// Detect finds the folders of all kinds among the paths of files, at any depth, by path and then by kind.
func Detect(paths []string) []Location {
	found := map[Location]bool{}
	for _, p := range paths {
		if place, ok := placeOf(p); ok {
			found[place] = true
		}
	}
	var places []Location
	for p := range found {
		if p.Kind != Workflows || !kept(found, p.Path) {
			places = append(places, p)
		}
	}
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	figs.Sort(order, func(x, y int) bool {
		a, b := places[x], places[y]
		return a.Path < b.Path || a.Path == b.Path && a.Kind < b.Kind
	})
	sorted := make([]Location, len(places))
	for i, at := range order {
		sorted[i] = places[at]
	}
	return sorted
}

// placeOf says what a file of a kind gives away.
func placeOf(p string) (Location, bool) {
	if root, ok := rootOf(p, findings.File); ok {
		return Location{Registry, root}, true
	}
	parts := strings.Split(p, "/")
	n := len(parts)
	for _, part := range parts[:n-1] {
		if part == ".figs" {
			return Location{}, false // what an agent attached is no project
		}
	}
	if n > 3 && strings.HasSuffix(p, ".json") {
		if root, ok := rootOf(strings.Join(parts[:n-1], "/"), artifacts.Dir); ok {
			return Location{Channels, root}, true
		}
	}
	switch {
	case slices.Contains(parts, ".flue-runtime"):
	case n >= 3 && parts[n-1] == "workflow.yaml" && parts[n-3] == "workflows":
		return Location{Workflows, join(parts[:n-3])}, true
	case n >= 4 && parts[n-1] == "manifest.json" && parts[n-4] == "artifacts" && isRunID(parts[n-2]):
		return Location{Workflows, join(parts[:n-4])}, true
	}
	return Location{}, false
}

// rootOf is the folder that holds a path at its end.
func rootOf(p, tail string) (root string, ok bool) {
	if p == tail {
		return ".", true
	}
	root, ok = strings.CutSuffix(p, "/"+tail)
	return root, ok
}

func join(parts []string) string {
	if len(parts) == 0 {
		return "."
	}
	return strings.Join(parts, "/")
}

// isRunID reports whether a folder is named like a run, YYYY-MM-DDTHH-MM-SS: other programs, too, keep a manifest
// under artifacts.
func isRunID(s string) bool {
	const shape = "0000-00-00T00-00-00"
	if len(s) != len(shape) {
		return false
	}
	for i := range s {
		if c := shape[i]; c == '0' && (s[i] < '0' || s[i] > '9') || c != '0' && s[i] != c {
			return false
		}
	}
	return true
}

// kept reports whether a folder lies where another project keeps what its workflows made: a generated workflow is a
// result there, no project.
func kept(found map[Location]bool, dir string) bool {
	parts := strings.Split(dir, "/")
	for i, part := range parts {
		if part == "artifacts" || part == "outputs" || part == "workflows" {
			if found[Location{Workflows, join(parts[:i])}] {
				return true
			}
		}
	}
	return false
}
