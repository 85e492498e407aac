package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/figs-web/figs-web/internal/cli/cmd"
)

// model is the command line for what is written about it.
func model() (*kong.Application, error) {
	parser, err := newParser(&grammar{}, kong.Writers(io.Discard, io.Discard))
	if err != nil {
		return nil, err
	}
	return parser.Model, nil
}

// leaves are the commands that run something, in the order of the overview.
func leaves(app *kong.Application) (all []*kong.Node) {
	for _, line := range overview {
		for name := range strings.SplitSeq(line.commands, ", ") {
			for _, node := range app.Children {
				if node.Name == name {
					all = append(all, below(node)...)
				}
			}
		}
	}
	return all
}

func below(node *kong.Node) (all []*kong.Node) {
	if len(node.Children) == 0 {
		return []*kong.Node{node}
	}
	for _, child := range node.Children {
		if !child.Hidden {
			all = append(all, below(child)...)
		}
	}
	return all
}

// usage is a command with its arguments: "figs-web why ID [DIR|ZIP|FILE] [flags]".
func usage(node *kong.Node) string {
	words := []string{node.FullPath()}
	for _, p := range node.Positional {
		name := p.Name
		if p.Tag.PlaceHolder != "" {
			name = p.Tag.PlaceHolder
		}
		if !p.Required {
			name = "[" + name + "]"
		}
		words = append(words, name)
	}
	return strings.Join(append(words, "[flags]"), " ")
}

// ownFlags are the visible flags of a command and of the families that it is in, without those of every command.
func ownFlags(node *kong.Node) (flags []*kong.Flag) {
	for n := node; n.Parent != nil; n = n.Parent {
		for _, f := range n.Flags {
			if !f.Hidden {
				flags = append(flags, f)
			}
		}
	}
	return flags
}

// flagName is "-o, --output=FILE".
func flagName(f *kong.Flag) string {
	name := "--" + f.Name
	if f.Short != 0 {
		name = "-" + string(f.Short) + ", " + name
	}
	if !f.IsBool() {
		name += "=" + f.FormatPlaceHolder()
	}
	return name
}

// WriteReference writes the commands and their flags as Markdown.
func WriteReference(w io.Writer) error {
	app, err := model()
	if err != nil {
		return err
	}
	var b strings.Builder
	cell := strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ")
	b.WriteString("| command | what it does |\n|---|---|\n")
	for _, node := range leaves(app) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(strings.TrimPrefix(strings.TrimSuffix(usage(node), " [flags]"), "figs-web "), "|", `\|`), cell.Replace(node.Help))
	}
	b.WriteString("\nEvery command takes:\n\n| flag | what it does |\n|---|---|\n")
	for _, f := range app.Flags {
		fmt.Fprintf(&b, "| `%s` | %s |\n", flagName(f), cell.Replace(f.Help))
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// ManPages are the pages of section 1 by the names of their files: one for the program, and one for each command at the
// top level, which has those below it.
func ManPages() (map[string][]byte, error) {
	app, err := model()
	if err != nil {
		return nil, err
	}
	pages := map[string][]byte{}
	var main strings.Builder
	manHead(&main, "figs-web", cmd.Summary)
	main.WriteString(".SH SYNOPSIS\n.B figs-web\nCOMMAND [flags]\n.SH DESCRIPTION\n" + roffText(cmd.Description) + ".SH COMMANDS\n")
	for _, line := range overview {
		for name := range strings.SplitSeq(line.commands, ", ") {
			i := slices.IndexFunc(app.Children, func(n *kong.Node) bool { return n.Name == name })
			if i < 0 {
				return nil, fmt.Errorf("cli: the overview names %s, which isn't a command", name)
			}
			node := app.Children[i]
			fmt.Fprintf(&main, ".TP\n.BR figs-web-%s (1)\n%s\n", roff(name), roff(node.Help))
			pages["figs-web-"+name+".1"] = manPage(node)
		}
	}
	manFlags(&main, app.Flags)
	pages["figs-web.1"] = []byte(main.String())
	return pages, nil
}

func manPage(node *kong.Node) []byte {
	var b strings.Builder
	manHead(&b, "figs-web-"+node.Name, node.Help)
	b.WriteString(".SH SYNOPSIS\n")
	all := below(node)
	for _, n := range all {
		fmt.Fprintf(&b, ".nf\n%s\n.fi\n", roff(usage(n)))
	}
	if node.Detail != "" {
		b.WriteString(".SH DESCRIPTION\n" + roffText(node.Detail))
	}
	for _, n := range all {
		if n != node {
			fmt.Fprintf(&b, ".SH %s\n%s\n", strings.ToUpper(roff(n.FullPath())), roff(n.Help))
			if n.Detail != "" {
				b.WriteString(roffText(n.Detail))
			}
		}
		for _, p := range n.Positional {
			fmt.Fprintf(&b, ".TP\n.I %s\n%s\n", roff(p.Name), roff(p.Help))
		}
		manFlags(&b, ownFlags(n))
	}
	b.WriteString(".SH SEE ALSO\n.BR figs-web (1)\n")
	return []byte(b.String())
}

func manHead(b *strings.Builder, name, about string) {
	fmt.Fprintf(b, ".TH %s 1\n.SH NAME\n%s \\- %s\n", strings.ToUpper(roff(name)), roff(name), roff(strings.TrimSuffix(about, ".")))
}

func manFlags(b *strings.Builder, flags []*kong.Flag) {
	if len(flags) > 0 {
		b.WriteString(".SS Flags\n")
	}
	for _, f := range flags {
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(flagName(f)), roff(f.Help))
	}
}

// roff writes text so that it is no request: backslashes, dashes, and dots and quotes at the beginning of a line.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

// roffText writes the text of a help: paragraphs, and indented lines as they are.
func roffText(text string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if strings.HasPrefix(part, " ") {
			b.WriteString(".PP\n.nf\n")
			for line := range strings.SplitSeq(part, "\n") {
				b.WriteString(roff(line) + "\n")
			}
			b.WriteString(".fi\n")
			continue
		}
		b.WriteString(".PP\n" + roff(strings.ReplaceAll(part, "\n", " ")) + "\n")
	}
	return b.String()
}
