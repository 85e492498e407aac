package ui

import (
	"context"
	"strings"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// Sign is a status as a page shows it: the kind chooses shape and colour, Word is ours.
type Sign struct{ Kind, Word string }

// InFlight reports whether a job has not settled; the default is settled (§3).
func InFlight(run *figs.Run) bool { return run.State == "in-flight" }

// OutcomeOf is the status of a job, "ok" by default; "" when it is none of the protocol's.
func OutcomeOf(run *figs.Run) string {
	switch run.Status {
	case "", "ok":
		return "ok"
	case "warn", "fail":
		return run.Status
	}
	return ""
}

// RunSigns say where a job stands: in flight, and how it went so far or in the end.
func RunSigns(ctx context.Context, run *figs.Run) []Sign {
	var signs []Sign
	if InFlight(run) {
		signs = append(signs, Sign{"run", i18n.Say(ctx, "running")})
	}
	switch out := OutcomeOf(run); {
	case out == "ok" && !InFlight(run):
		signs = append(signs, Sign{"ok", i18n.Say(ctx, "OK")})
	case out == "warn":
		signs = append(signs, Sign{"warn", i18n.Say(ctx, "warning")})
	case out == "fail":
		signs = append(signs, Sign{"fail", i18n.Say(ctx, "failed")})
	case out == "":
		signs = append(signs, Sign{"note", i18n.Say(ctx, "unknown status")})
	}
	return signs
}

// AskSign says where an ask stands (§6). A reply that nothing confirms is only reported.
func AskSign(ctx context.Context, ask *journal.Ask) Sign {
	state := ask.State
	switch state.Phase {
	case figs.NeedsYou:
		return Sign{"need", i18n.Say(ctx, "needs you")}
	case figs.Replied:
		if state.Reported && ask.Ask.Type == "sign-off" {
			return Sign{"transcribed", i18n.Say(ctx, "approval not confirmed")}
		}
		if state.Reported {
			return Sign{"transcribed", i18n.Say(ctx, "answer not confirmed")}
		}
		if ask.Ask.Type == "sign-off" {
			return Sign{"verified", i18n.Say(ctx, "approved")}
		}
		return Sign{"verified", i18n.Say(ctx, "answered")}
	case figs.BeingRevised:
		if state.Reported {
			return Sign{"transcribed", i18n.Say(ctx, "being revised, as reported")}
		}
		return Sign{"revise", i18n.Say(ctx, "being revised")}
	case figs.Declined:
		if state.Reported {
			return Sign{"transcribed", i18n.Say(ctx, "decline not confirmed")}
		}
		return Sign{"declined", i18n.Say(ctx, "declined")}
	case figs.Withdrawn:
		return Sign{"withdrawn", i18n.Say(ctx, "withdrawn")}
	case figs.Rejected:
		if state.Reported {
			return Sign{"transcribed", i18n.Say(ctx, "declined, reply not confirmed")}
		}
		return Sign{"declined", i18n.Say(ctx, "rejected")}
	}
	if state.Reported {
		return Sign{"transcribed", i18n.Say(ctx, "closed, reply not confirmed")}
	}
	return Sign{"close", i18n.Say(ctx, "resolved")}
}

// TypeWord is what kind of ask this is; unknown types are named as such.
func TypeWord(ctx context.Context, ask *figs.Ask) string {
	switch ask.Type {
	case "question":
		return i18n.Say(ctx, "question")
	case "sign-off":
		return i18n.Say(ctx, "sign-off")
	case "":
		return i18n.Say(ctx, "no type")
	}
	return i18n.Say(ctx, "unknown type")
}

// AskKind says what an ask is, and to whom.
func AskKind(ctx context.Context, ask *figs.Ask) string {
	switch ask.Type {
	case "question":
		return i18n.Say(ctx, "Question for %s", AskedOf(ctx, ask))
	case "sign-off":
		return i18n.Say(ctx, "Sign-off for %s", AskedOf(ctx, ask))
	}
	return i18n.Say(ctx, "Ask of unknown type for %s", AskedOf(ctx, ask))
}

// AskedOf is who an ask is put to; without `to` it is manager and builder both (§6).
func AskedOf(ctx context.Context, ask *figs.Ask) string {
	switch ask.To {
	case "manager":
		return i18n.Say(ctx, "its manager")
	case "builder":
		return i18n.Say(ctx, "its builder")
	}
	if ask.To != "" {
		return i18n.Say(ctx, "an unknown recipient")
	}
	return i18n.Say(ctx, "anyone who manages or built it")
}

// AskHeadline is what a page calls an ask; the title is required, but nothing breaks.
func AskHeadline(ask *figs.Ask) string {
	if ask.Title != "" {
		return ask.Title
	}
	return ask.ID
}

// SeveritySign is how a page marks a finding.
func SeveritySign(ctx context.Context, s figs.Severity) Sign {
	switch s {
	case figs.Error:
		return Sign{"fail", i18n.Say(ctx, "error")}
	case figs.Warning:
		return Sign{"warn", i18n.Say(ctx, "warning")}
	}
	return Sign{"note", i18n.Say(ctx, "note")}
}

func SeverityHeading(ctx context.Context, s figs.Severity) string {
	switch s {
	case figs.Error:
		return i18n.Say(ctx, "Errors")
	case figs.Warning:
		return i18n.Say(ctx, "Warnings")
	}
	return i18n.Say(ctx, "Notes")
}

// OwnerWord names the record that an address like "jobs/3" leads to.
func OwnerWord(ctx context.Context, owner string) string {
	kind, key, _ := strings.Cut(owner, "/")
	switch kind {
	case "jobs":
		return i18n.Say(ctx, "job %s", key)
	case "asks":
		return i18n.Say(ctx, "ask %s", key)
	case "messages":
		return i18n.Say(ctx, "reply %s", key)
	}
	return key
}
