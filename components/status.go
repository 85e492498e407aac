package components

import (
	"context"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// sign is a status as a page shows it: the kind chooses shape and colour, Word is ours.
type sign struct{ Kind, Word string }

// inFlight reports whether a job has not settled; the default is settled (§3).
func inFlight(run *figs.Run) bool { return run.State == "in-flight" }

// outcome is the status of a job, "ok" by default; "" when it is none of the protocol's.
func outcome(run *figs.Run) string {
	switch run.Status {
	case "", "ok":
		return "ok"
	case "warn", "fail":
		return run.Status
	}
	return ""
}

// runSigns say where a job stands: in flight, and how it went so far or in the end.
func runSigns(ctx context.Context, run *figs.Run) []sign {
	var signs []sign
	if inFlight(run) {
		signs = append(signs, sign{"run", say(ctx, "in flight")})
	}
	switch out := outcome(run); {
	case out == "ok" && !inFlight(run):
		signs = append(signs, sign{"ok", say(ctx, "ok")})
	case out == "warn":
		signs = append(signs, sign{"warn", say(ctx, "warn")})
	case out == "fail":
		signs = append(signs, sign{"fail", say(ctx, "fail")})
	case out == "":
		signs = append(signs, sign{"note", say(ctx, "unknown status")})
	}
	return signs
}

// askSign says where an ask stands (§6). A reply that nothing confirms is only reported.
func askSign(ctx context.Context, ask *journal.Ask) sign {
	state := ask.State
	switch state.Phase {
	case figs.NeedsYou:
		return sign{"need", say(ctx, "needs you")}
	case figs.Replied:
		if state.Reported && ask.Ask.Type == "sign-off" {
			return sign{"transcribed", say(ctx, "approval not confirmed")}
		}
		if state.Reported {
			return sign{"transcribed", say(ctx, "answer not confirmed")}
		}
		if ask.Ask.Type == "sign-off" {
			return sign{"verified", say(ctx, "approved")}
		}
		return sign{"verified", say(ctx, "answered")}
	case figs.BeingRevised:
		if state.Reported {
			return sign{"transcribed", say(ctx, "being revised, as reported")}
		}
		return sign{"revise", say(ctx, "being revised")}
	case figs.Declined:
		if state.Reported {
			return sign{"transcribed", say(ctx, "decline not confirmed")}
		}
		return sign{"declined", say(ctx, "declined")}
	case figs.Withdrawn:
		return sign{"withdrawn", say(ctx, "withdrawn")}
	case figs.Rejected:
		if state.Reported {
			return sign{"transcribed", say(ctx, "declined, reply not confirmed")}
		}
		return sign{"declined", say(ctx, "rejected")}
	}
	if state.Reported {
		return sign{"transcribed", say(ctx, "closed, reply not confirmed")}
	}
	return sign{"close", say(ctx, "resolved")}
}

// typeWord is what kind of ask this is; unknown types are named as such.
func typeWord(ctx context.Context, ask *figs.Ask) string {
	switch ask.Type {
	case "question":
		return say(ctx, "question")
	case "sign-off":
		return say(ctx, "sign-off")
	case "":
		return say(ctx, "no type")
	}
	return say(ctx, "unknown type")
}

// askKind says what an ask is, and to whom.
func askKind(ctx context.Context, ask *figs.Ask) string {
	switch ask.Type {
	case "question":
		return say(ctx, "A question to %s", asked(ctx, ask))
	case "sign-off":
		return say(ctx, "A sign-off to %s", asked(ctx, ask))
	}
	return say(ctx, "An ask of unknown type to %s", asked(ctx, ask))
}

// asked is who an ask is put to; without `to` it is manager and builder both (§6).
func asked(ctx context.Context, ask *figs.Ask) string {
	switch ask.To {
	case "manager":
		return say(ctx, "its manager")
	case "builder":
		return say(ctx, "its builder")
	}
	if ask.To != "" {
		return say(ctx, "someone the protocol does not name")
	}
	return say(ctx, "whoever manages or builds it")
}

// askHeadline is what a page calls an ask; the title is required, but nothing breaks.
func askHeadline(ask *figs.Ask) string {
	if ask.Title != "" {
		return ask.Title
	}
	return ask.ID
}

// severitySign is how a page marks a finding.
func severitySign(ctx context.Context, s figs.Severity) sign {
	switch s {
	case figs.Error:
		return sign{"fail", say(ctx, "error")}
	case figs.Warning:
		return sign{"warn", say(ctx, "warning")}
	}
	return sign{"note", say(ctx, "note")}
}

func severityHeading(ctx context.Context, s figs.Severity) string {
	switch s {
	case figs.Error:
		return say(ctx, "Errors")
	case figs.Warning:
		return say(ctx, "Warnings")
	}
	return say(ctx, "Notes")
}

// ownerWord names the record that an address like "jobs/3" leads to.
func ownerWord(ctx context.Context, owner string) string {
	kind, key, _ := strings.Cut(owner, "/")
	switch kind {
	case "jobs":
		return say(ctx, "job %s", key)
	case "asks":
		return say(ctx, "ask %s", key)
	case "messages":
		return say(ctx, "reply %s", key)
	}
	return key
}
