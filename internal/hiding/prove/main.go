// Command prove holds what is reported of hidden text against what browsers draw. Each document of the collection is drawn
// twice, with its secret and with other letters: two equal pictures say that no pixel of it reaches a person. Then the
// page measures it, and the static check judges it without a browser.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"text/tabwriter"

	"github.com/figs-web/figs-web/internal/hiding"
	"github.com/figs-web/figs-web/internal/testenv"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

// verdict is what is said of a secret.
type verdict string

const (
	reported  verdict = "reported"
	notJudged verdict = "not judged"
	seen      verdict = "seen"
	absent    verdict = "-" // it is no text of what is shown
)

// drawn is what one browser made of a document at one width.
type drawn struct {
	Name     string
	Width    int
	Drawn    bool
	Measured struct {
		Texts      []struct{ Text, Sight, Why string }
		Unmeasured string
		MS         float64
	}
}

func main() {
	engines := flag.String("engines", "chromium,firefox,webkit", "which browsers")
	only := flag.String("only", "", "a regular expression for names of documents")
	quiet := flag.Bool("quiet", false, "print the figures without the table")
	flag.Parse()
	if err := run(os.Stdout, strings.Split(*engines, ","), *only, *quiet); err != nil {
		fmt.Fprintln(os.Stderr, "prove:", err)
		os.Exit(1)
	}
}

func run(out *os.File, engines []string, only string, quiet bool) error {
	filter, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	var list []hiding.Document
	for _, d := range hiding.All() {
		if d.Class != hiding.Imitates && filter.MatchString(d.Name) {
			list = append(list, d)
		}
	}
	server := serve(list)
	defer server.Close()
	found := map[string]map[string][]drawn{} // by document, by engine
	for _, engine := range engines {
		lines, err := drive(engine, server.URL)
		if err != nil {
			return fmt.Errorf("%s: %w", engine, err)
		}
		for _, line := range lines {
			if found[line.Name] == nil {
				found[line.Name] = map[string][]drawn{}
			}
			found[line.Name][engine] = append(found[line.Name][engine], line)
		}
	}
	return tell(out, list, engines, found, quiet)
}

// drive draws the documents in one browser.
func drive(engine, address string) ([]drawn, error) {
	root, err := testenv.FindRoot()
	if err != nil {
		return nil, err
	}
	program, err := programOf(engine)
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(context.Background(), "node", filepath.Join(root, "internal", "hiding", "prove", "drive.mjs"), engine, program, address)
	command.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(root, ".cache", "npm", "node_modules"))
	var problems bytes.Buffer
	command.Stderr = &problems
	read, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, problems.String())
	}
	var lines []drawn
	for scan := bufio.NewScanner(bytes.NewReader(read)); scan.Scan(); {
		var line drawn
		if err := json.Unmarshal(scan.Bytes(), &line); err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// programOf is where a browser is.
func programOf(engine string) (string, error) {
	for _, part := range testenv.Parts() {
		if strings.EqualFold(part.Name, engine) {
			return part.Find()
		}
	}
	return "", errors.New("no such browser")
}

// judged is what the check without a browser says of a secret.
func judged(d *hiding.Document) verdict {
	is := seen
	for _, p := range passages(d, hiding.Secret) {
		if !strings.Contains(p.Text, hiding.Secret) {
			continue
		}
		if p.Sight != "unjudged" {
			return reported
		}
		is = notJudged
	}
	return is
}

// passages are those of the static check.
func passages(d *hiding.Document, secret string) []report.Passage {
	r := sandbox.Render(d.File(), d.With(secret), report.Lens, report.Hosted())
	list := r.Passages
	for _, u := range r.Unseen {
		list = append(list, report.Passage{Sight: report.Never, Why: u.Why, Text: u.Text})
	}
	return list
}

// measured is what a browser's measuring says of a secret, over all widths.
func measured(lines []drawn) verdict {
	is := absent
	for _, line := range lines {
		if line.Measured.Unmeasured != "" && is != reported {
			is = notJudged
		}
		for _, text := range line.Measured.Texts {
			if !strings.Contains(text.Text, hiding.Secret) {
				continue
			}
			switch text.Sight {
			case "drawn":
				if is == absent {
					is = seen
				}
			case "unknown":
				if is != reported {
					is = notJudged
				}
			default:
				return reported
			}
		}
	}
	return is
}

// tell prints the table and the figures.
func tell(out *os.File, list []hiding.Document, engines []string, found map[string]map[string][]drawn, quiet bool) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "DOCUMENT\t"+strings.ToUpper(strings.Join(engines, "\t"))+"\tCOMMAND LINE\t")
	undrawn, told, missed, calledSeen, somewhere := map[string]int{}, map[string]int{}, []string{}, []string{}, 0
	alarms, loud, honest := map[string][]string{}, []string{}, 0
	for i := range list {
		d := &list[i]
		if d.Class == hiding.Honest {
			honest++
			falseAlarms(d, engines, found[d.Name], alarms, &loud)
			continue
		}
		still, row, never := judged(d), d.Name, false
		for _, engine := range engines {
			lines := found[d.Name][engine]
			where, gone := "", false
			for _, line := range lines {
				if line.Drawn {
					where += "D"
				} else {
					where, gone = where+"-", true
				}
			}
			says := measured(lines)
			row += "\t" + where + " " + string(says)
			if !gone {
				continue
			}
			never = true
			undrawn[engine]++
			if says == reported || still == reported {
				told[engine]++
			} else {
				missed = append(missed, fmt.Sprintf("%s in %s (%s, command line %s)", d.Name, engine, says, still))
			}
		}
		if never {
			somewhere++
			if still == seen {
				calledSeen = append(calledSeen, d.Name)
			}
		}
		if !quiet {
			fmt.Fprintln(w, row+"\t"+string(still)+"\t")
		}
	}
	w.Flush()
	fmt.Fprintf(out, "\nD: drawn at %v px, -: not a pixel of it.\n", widths)
	for _, engine := range engines {
		fmt.Fprintf(out, "%s: of %d texts that are not drawn at every width, %d are reported (%.1f %%)\n", engine, undrawn[engine], told[engine], percent(told[engine], undrawn[engine]))
	}
	fmt.Fprintf(out, "command line: of %d, %d are called seen (%.1f %%): %s\n", somewhere, len(calledSeen), percent(len(calledSeen), somewhere), strings.Join(calledSeen, " "))
	for where, names := range alarms {
		fmt.Fprintf(out, "false alarms, %s: %d of %d honest reports (%.1f %%): %s\n", where, len(names), honest, percent(len(names), honest), strings.Join(names, "; "))
	}
	fmt.Fprintf(out, "missed: %s\n", strings.Join(missed, "; "))
	if len(loud) > 0 {
		fmt.Fprintf(out, "loud false alarms: %s\n", strings.Join(loud, "; "))
	}
	return nil
}

// falseAlarms notes what is called hidden in an honest report.
func falseAlarms(d *hiding.Document, engines []string, found map[string][]drawn, alarms map[string][]string, loud *[]string) {
	for _, p := range passages(d, "") {
		if p.Sight.Hides() {
			alarms["command line"] = append(alarms["command line"], d.Name+" ("+p.Why+")")
			if len(p.Cues) > 0 {
				*loud = append(*loud, d.Name)
			}
			break
		}
	}
	for _, engine := range engines {
		if name := alarm(found[engine]); name != "" {
			alarms[engine] = append(alarms[engine], d.Name+" ("+name+")")
		}
	}
}

func alarm(lines []drawn) string {
	for _, line := range lines {
		if line.Measured.Unmeasured != "" {
			return line.Measured.Unmeasured
		}
		for _, text := range line.Measured.Texts {
			if text.Sight == "never" || text.Sight == "low" || text.Sight == "far" {
				return fmt.Sprintf("%d px: %s %.40q", line.Width, text.Sight, text.Text)
			}
		}
	}
	return ""
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
