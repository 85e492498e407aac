package storejournal_test

import (
	"testing"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/provenance"
)

// TestProvenance tests that the last step of the provenance of each value is the value.
func TestProvenance(t *testing.T) {
	for _, sample := range []string{"reconciliation", "payables", "onboarding"} {
		_, j, agent := pushSample(t, sample)
		for _, ask := range must(j.Asks(ctx, agent, journal.Query{})).Items {
			a := must(j.Ask(ctx, agent, ask.Key))
			e := provenance.Ask(a)
			last := e.Values[0].Last()
			if got, want := *last.Standing, a.State; got.Phase != want.Phase || got.Round != want.Round || got.Since != want.Since || got.Reported != want.Reported || last.Rule == provenance.Together {
				t.Errorf("%s, %s: explained as %+v by %q, shown as %+v", sample, a.Ask.ID, got, last.Rule.Sentence(), want)
			}
			if n := len(a.Trail) + len(a.Thread); len(e.Values[0].Steps) != n {
				t.Errorf("%s, %s: %d steps of %d versions and replies", sample, a.Ask.ID, len(e.Values[0].Steps), n)
			}
		}
		for _, job := range must(j.Jobs(ctx, agent, journal.Query{})).Items {
			j := must(j.Job(ctx, agent, job.Key))
			e := provenance.Job(j)
			if got := e.Values[2].Last().Reads; got != j.Run.Headline() {
				t.Errorf("%s, %s: explained as %q", sample, j.Run.ID, got)
			}
		}
	}
}
