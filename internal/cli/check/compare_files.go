package check

import (
	"bufio"
	"fmt"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/comparison"
)

// printFiles prints what became of files, for people.
func printFiles(a *cmd.App, out *bufio.Writer, p *comparison.Pair) {
	for i := range p.Files {
		c := &p.Files[i]
		line := fmt.Sprintf("  %-11s file %s", comparison.FileKinds[c.Kind], cmd.Clean(c.Name))
		if c.Rewritten() || c.Unread() {
			line = a.Paint.Red(line + ", previously attached")
		}
		fmt.Fprintln(out, line)
		if !c.Rewritten() {
			continue
		}
		for n, d := range c.Decisions {
			if n == mostShown {
				fmt.Fprintf(out, "    and %d more; --json lists all\n", len(c.Decisions)-n)
				break
			}
			word := d.Verdict
			if word == "" {
				word = "answered"
			}
			by := ""
			if d.By != "" {
				by = " by " + cmd.Clean(d.By)
			}
			fmt.Fprintln(out, "    "+a.Paint.Red(fmt.Sprintf("ask %s attaches it and was decided: %s%s (reply %s)", cmd.Clean(firstWord(d.Ask)), cmd.Clean(word), by, cmd.Clean(firstWord(d.Message)))))
		}
	}
}
