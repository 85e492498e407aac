package artifacts_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/kind"
)

// TestVectors reads the vectors about artifact channels from memory, the last record first: the order plays no part.
func TestVectors(t *testing.T) {
	n := 0
	figstest.RunKinds(t, func(v figstest.Vector) (figstest.Result, error) {
		if !strings.HasPrefix(v.Name, "kinds/channel_") {
			return figstest.Result{}, errors.ErrUnsupported
		}
		n++
		r := artifacts.New()
		var wanted []string
		for _, p := range slices.Sorted(maps.Keys(v.Tree)) {
			if r.See(p) {
				wanted = append(wanted, p)
			}
		}
		for _, p := range slices.Sorted(maps.Keys(v.Links)) {
			if r.See(p) {
				r.Problem(p, figs.ProjectFileUnreadable, "no such file")
			}
		}
		slices.Reverse(wanted)
		for _, p := range wanted {
			if content := v.Tree[p]; len(content) > kind.MaxContent {
				r.Problem(p, figs.ProjectFileTooLarge, "it is large")
			} else {
				r.Give(p, content)
			}
		}
		for _, p := range r.Targets() {
			r.Look(p, look(v, p, 0))
		}
		report := r.Finish(v.Now)
		return figstest.Result{FindingsJSON: figs.AppendFindings(nil, report), States: append([]string{}, r.State().States()...)}, nil
	})
	if n < 48 {
		t.Errorf("there are %d vectors about artifact channels, want at least 48", n)
	}
}

// look finds a target in the tree of a vector, through its links.
func look(v figstest.Vector, p string, links int) kind.Target {
	if links > 8 {
		return kind.Target{State: kind.TargetUnreadable, Detail: "too many links", Size: -1}
	}
	for link, target := range v.Links {
		if rest, ok := strings.CutPrefix(p+"/", link+"/"); ok {
			to := path.Join(path.Dir(link), target, rest)
			if strings.HasPrefix(to, "../") {
				return kind.Target{State: kind.TargetEscaping, Size: -1}
			}
			t := look(v, to, links+1)
			t.Link = true
			return t
		}
	}
	if content, ok := v.Tree[p]; ok {
		sum := sha256.Sum256(content)
		return kind.Target{State: kind.TargetAvailable, Size: int64(len(content)), SHA256: hex.EncodeToString(sum[:])}
	}
	folder := slices.Contains(v.Dirs, p) || slices.ContainsFunc(slices.Collect(maps.Keys(v.Tree)), func(f string) bool { return strings.HasPrefix(f, p+"/") })
	if folder {
		return kind.Target{State: kind.TargetAvailable, Dir: true, Size: -1}
	}
	return kind.Target{State: kind.TargetMissing, Size: -1}
}
