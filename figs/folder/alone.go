package folder

import (
	"slices"

	"github.com/figs-web/figs-web/figs"
)

// needsOthers are rules that compare a file with others of its folder: of a file alone they
// would say only that the others were not given.
var needsOthers = []figs.Code{
	figs.UnitUnknown, figs.AskRunUnknown, figs.ResolutionRunUnknown, figs.ResolutionAnswerUnknown, figs.MessageAskUnknown,
	figs.CloseWithoutVerdict, figs.AttachmentMissing,
}

// judgeAlone takes out of a report what a file without its folder cannot be blamed for.
func judgeAlone(r *figs.Report, file figs.File) {
	others := func(code figs.Code, name string) bool {
		return name != file.String() || slices.Contains(needsOthers, code)
	}
	r.Findings = slices.DeleteFunc(r.Findings, func(f figs.Finding) bool {
		if others(f.Code, f.File) {
			uncount(r, f.Severity, 1)
			return true
		}
		return false
	})
	r.More = slices.DeleteFunc(r.More, func(u figs.Uncounted) bool {
		if slices.Contains(needsOthers, u.Code) {
			uncount(r, u.Code.Severity(), u.Count)
			return true
		}
		return false
	})
}

func uncount(r *figs.Report, s figs.Severity, n int) {
	switch s {
	case figs.Error:
		r.Errors -= n
	case figs.Warning:
		r.Warnings -= n
	default:
		r.Infos -= n
	}
}
