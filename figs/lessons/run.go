package lessons

import "github.com/figs-web/figs-web/figs"

// runLessons are about the fields that every run line lives by (§3).
func runLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.RunIDMissing, Section: "§3",
			Title: "A run has no id",
			Why:   "The id says which job this is. Lines without one all run together into a single nameless job, so nobody can tell what happened in which.",
			Bad:   runs(`{"ts": "2026-11-20T09:00:00Z", "result": "98 % matched"}`),
			Good:  runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "result": "98 % matched"}`),
		},
		{
			Code: figs.RunTSMissing, Section: "§3",
			Title: "A run has no time",
			Why:   "Without a time the job cannot stand in any order: not in the list, not in the picture of the day.",
			Bad:   runs(`{"id": "recon-acme", "result": "98 % matched"}`),
			Good:  runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "result": "98 % matched"}`),
		},
		{
			Code: figs.RunStatusUnknown, Section: "§3",
			Title: "A run's status is not one of three",
			Why:   "The status colours the job: ok, warn or fail. Any other word tells the reader nothing about how the work looks.",
			Bad:   runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "status": "warning"}`),
			Good:  runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "status": "warn"}`),
		},
		{
			Code: figs.RunStateUnknown, Section: "§3",
			Title: "A run's state is not one of two",
			Why:   "The state says whether the job still goes on (in-flight) or is done (settled). Any other word leaves the reader guessing.",
			Bad:   runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "state": "in_flight"}`),
			Good:  runs(`{"id": "recon-acme", "ts": "2026-11-20T09:00:00Z", "state": "in-flight"}`),
		},
	}
}
