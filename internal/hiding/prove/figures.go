package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/figs-web/figs-web/internal/hiding"
)

// figures are what a whole run comes to.
type figures struct {
	undrawn, hard int      // secrets that some browser does not draw; that one draws as a trace, too pale or far away
	calledSeen    []string // undrawn, and nothing is said
	hardSeen      []string // hard to see, and nothing is said
	honest        int
	alarms, loud  []string // honest reports with a text that is called hidden
	unjudged      []string // honest reports with a text that is called not judged
	approvals     []string // honest reports that are said to talk about approvals

	others, silent map[hiding.Class][]string // the other documents, and those of which nothing is said
}

var otherClasses = []hiding.Class{hiding.Imitates, hiding.Reorders, hiding.LookAlike}

// count holds the static verdicts against what browsers draw.
func count(truth hiding.Truth) figures {
	f := figures{others: map[hiding.Class][]string{}, silent: map[hiding.Class][]string{}}
	for _, d := range hiding.Of(hiding.Hides, hiding.LowContrast) {
		silent := commandLine(d) == seen
		switch worst := truth.Worst(d.Name); worst {
		case hiding.Never:
			f.undrawn++
			if silent {
				f.calledSeen = append(f.calledSeen, d.Name)
			}
		case hiding.Low, hiding.Partly, hiding.Far:
			f.hard++
			if silent {
				f.hardSeen = append(f.hardSeen, d.Name)
			}
		}
	}
	for _, d := range hiding.Of(otherClasses...) {
		f.others[d.Class] = append(f.others[d.Class], d.Name)
		if !noticed(d) {
			f.silent[d.Class] = append(f.silent[d.Class], d.Name)
		}
	}
	for _, d := range hiding.Of(hiding.Honest) {
		f.honest++
		if talksOfApproval(d) {
			f.approvals = append(f.approvals, d.Name)
		}
		if why, loud := alarm(d); why != "" {
			f.alarms = append(f.alarms, d.Name+" ("+why+")")
			if loud {
				f.loud = append(f.loud, d.Name)
			}
		}
		if unclear(d) {
			f.unjudged = append(f.unjudged, d.Name)
		}
	}
	return f
}

func (f figures) print(out io.Writer) {
	line := func(what string, names []string, of int) {
		fmt.Fprintf(out, "%s: %d of %d (%.1f %%)\n", what, len(names), of, percent(len(names), of))
		for _, name := range names {
			fmt.Fprintln(out, "  "+name)
		}
	}
	line("Texts without a pixel that the command line calls seen, goal at most 3 %", f.calledSeen, f.undrawn)
	line("Texts that are hard to see (low, partly, far) that the command line calls seen", f.hardSeen, f.hard)
	line("Honest reports with a text that is called hidden, goal at most 2 %", f.alarms, f.honest)
	line("Honest reports with a text that is loudly called hidden, goal 0", f.loud, f.honest)
	line("Honest reports with a text that is called not judged", f.unjudged, f.honest)
	line("Honest reports that are said to talk about approvals", f.approvals, f.honest)
	for _, class := range otherClasses {
		line(fmt.Sprintf("Documents of the class %q of which nothing is said", class), f.silent[class], len(f.others[class]))
	}
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }

// table prints what each browser draws of each document, and what is said about it. measured may be nil.
func table(out io.Writer, truth hiding.Truth, measured *measurements, only *regexp.Regexp) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "TRICK\tDOCUMENT\t%s\tMEASURED\tCOMMAND LINE\t\n", strings.ToUpper(strings.Join(hiding.Engines, "\t")))
	for _, d := range hiding.Of(hiding.Hides, hiding.LowContrast) {
		if !only.MatchString(d.Name) {
			continue
		}
		fmt.Fprintf(w, "%s\t%s", d.Trick, d.Name)
		for _, engine := range hiding.Engines {
			fmt.Fprintf(w, "\t%s", hiding.Words(truth[d.Name][engine]))
		}
		fmt.Fprintf(w, "\t%s\t%s\t\n", measured.of(d.Name), commandLine(d))
	}
	w.Flush()
	fmt.Fprintf(out, "\nThree sights are for frames of %v pixels; one is for all of them.\n\n", hiding.Widths)
	summary(out, truth, measured)
}

// summary prints a line for each trick: how many of its documents each engine does not draw at some width, and how the
// command line judges those that some engine does not draw.
func summary(out io.Writer, truth hiding.Truth, measured *measurements) {
	var tricks []string
	byTrick := map[string][]hiding.Document{}
	for _, d := range hiding.Of(hiding.Hides, hiding.LowContrast) {
		if byTrick[d.Trick] == nil {
			tricks = append(tricks, d.Trick)
		}
		byTrick[d.Trick] = append(byTrick[d.Trick], d)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "UNDRAWN, BY TRICK\tDOCUMENTS\t%s\tCOMMAND LINE: REPORTED\tLISTED\tNOT JUDGED\tSEEN\tMEASURED: REPORTED\t\n", strings.ToUpper(strings.Join(hiding.Engines, "\t")))
	for _, trick := range tricks {
		undrawn, said, found := map[string]int{}, map[verdict]int{}, 0
		for _, d := range byTrick[trick] {
			for engine, sights := range truth[d.Name] {
				if slices.Contains(sights, hiding.Never) {
					undrawn[engine]++
				}
			}
			if truth.Undrawn(d.Name) {
				said[commandLine(d)]++
				if measured.of(d.Name) == string(reported) {
					found++
				}
			}
		}
		fmt.Fprintf(w, "%s\t%d", trick, len(byTrick[trick]))
		for _, engine := range hiding.Engines {
			fmt.Fprintf(w, "\t%d", undrawn[engine])
		}
		for _, v := range verdicts {
			fmt.Fprintf(w, "\t%d", said[v])
		}
		if measured == nil {
			fmt.Fprint(w, "\t-\t\n")
		} else {
			fmt.Fprintf(w, "\t%d\t\n", found)
		}
	}
	w.Flush()
	fmt.Fprintln(out)
}

// printMeasured says how many of the texts that an engine does not draw are reported, by measuring or by the command line.
func printMeasured(out io.Writer, truth hiding.Truth, measured *measurements, engines []string) {
	for _, engine := range engines {
		undrawn, missed := 0, []string{}
		for _, d := range measured.documents {
			if !slices.Contains(truth[d.Name][engine], hiding.Never) {
				continue
			}
			undrawn++
			said := commandLine(d)
			if v, ok := measured.verdicts[d.Name][engine]; ok {
				said = better(said, v)
			}
			if said == seen || said == unjudged {
				missed = append(missed, d.Name+" ("+string(said)+")")
			}
		}
		fmt.Fprintf(out, "%s: %d of %d texts that it does not draw are reported (%.1f %%); the slowest document took %.0f ms\n",
			engine, undrawn-len(missed), undrawn, percent(undrawn-len(missed), undrawn), measured.slowest[engine])
		honest := len(hiding.Of(hiding.Honest))
		alarms, refused := documentsOf(measured.alarms[engine]), documentsOf(measured.refused[engine])
		fmt.Fprintf(out, "  honest reports with a text that is called hidden: %d of %d (%.1f %%); that could not be measured: %d\n", alarms, honest, percent(alarms, honest), refused)
		for _, name := range missed {
			fmt.Fprintln(out, "  missed: "+name)
		}
		for _, name := range measured.alarms[engine] {
			fmt.Fprintln(out, "  called hidden in an honest report: "+name)
		}
		for _, name := range measured.refused[engine] {
			fmt.Fprintln(out, "  honest and not measured: "+name)
		}
	}
}

// documentsOf counts the documents in a list of "NAME at WIDTH pixels (...)".
func documentsOf(list []string) int {
	names := map[string]bool{}
	for _, said := range list {
		name, _, _ := strings.Cut(said, " ")
		names[name] = true
	}
	return len(names)
}
