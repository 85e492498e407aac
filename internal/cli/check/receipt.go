package check

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/receipt"
)

type ReceiptCommand struct {
	File string   `arg:"" name:"FILE" predictor:"file" help:"The receipt of a decision, as in receipt.json."`
	Dir  string   `arg:"" optional:"" name:"DIR|ZIP" predictor:"file" help:"The agent's .figs folder, its parent, or a zip of either. Default: check only the signature."`
	Key  []string `placeholder:"KEY" sep:"none" help:"A key that you accept: the key itself, or a file that contains it, such as a server's /.well-known/figs-web-key. Can be repeated."`
}

// Help is what `receipt --help` adds.
func (ReceiptCommand) Help() string {
	return `A receipt says who decided what on which ask, when, which attachments they saw, and which remarks they made about single places. The server that recorded the decision signs it. This command verifies the signature and compares the ask, the reply and the attachments with the folder. It sends and changes nothing.

Anyone can create a key. Before you accept a server's key with --key, compare its fingerprint with the one in the server's settings.

Examples:

  figs-web receipt receipt.json
  figs-web receipt receipt.json path/to/repository
  figs-web receipt receipt.json .figs --key server-key.json
  figs-web receipt receipt.json .figs --json

Without a folder, only the signature is checked. If the folder belongs to another agent, or the ask has too many lines to check, the receipt can't be compared: that is a separate result, and not a success.

Exit codes: 0 the signature is valid and, if a folder was given, its ask and reply were compared and contradict nothing (with --key: one of these keys signed it), 1 refused, or signed by another key, 2 not found or not a receipt, 3 the folder could not be compared.
`
}

// Run checks.
func (c ReceiptCommand) Run(a *cmd.App) error {
	keys, err := c.keys()
	if err != nil {
		return err
	}
	text, err := input.ReadUpTo(c.File, receipt.MaxSize)
	if err != nil {
		return cmd.FailureOf(err, c.File)
	}
	r, err := receipt.Read(text)
	if err != nil {
		p := receipt.ProblemOf(err)
		return cmd.Fail(cmd.BadFormat, p.Sentence, p.Hint)
	}
	copy, closer, err := c.copy(a, r)
	if err != nil {
		return err
	}
	defer closer()
	report := receipt.Check(r, copy, keys)
	if err := c.print(a, report); err != nil {
		return err
	}
	return c.verdict(report)
}

// keys are those that --key names.
func (c ReceiptCommand) keys() (keys []receipt.Key, err error) {
	for _, text := range c.Key {
		some, ok := receipt.ParseKeys([]byte(text))
		if !ok {
			content, err := input.ReadUpTo(text, 1<<20)
			if err != nil {
				return nil, cmd.FailureOf(err, text)
			}
			some, ok = receipt.ParseKeys(content)
		}
		if !ok {
			return nil, cmd.Fail(cmd.Usage, cmd.Quote(text)+" contains no key.", "A key is 43 characters of base64url, or the JSON from a server's /.well-known/figs-web-key.")
		}
		keys = append(keys, some...)
	}
	return keys, nil
}

// copy opens the folder of the agent that the receipt names, or any when none is that agent's.
func (c ReceiptCommand) copy(a *cmd.App, r *receipt.Receipt) (*receipt.Copy, func() error, error) {
	if c.Dir == "" {
		return nil, func() error { return nil }, nil
	}
	s, err := input.Open(a, c.Dir)
	if err != nil {
		return nil, nil, err
	}
	chosen := s.Agents[0]
	for _, contents := range s.Agents {
		config, err := fs.ReadFile(s.FS, contents.PathOf(figs.ConfigJSON.String()))
		if is, ok := figs.ReadConfig(config); err == nil && ok && strings.EqualFold(is.AgentID, r.Agent.ID) {
			chosen = contents
			break
		}
	}
	f, _, err := input.Read(a, s, chosen, figs.Options{Keep: true})
	if err != nil {
		s.Close()
		return nil, nil, err
	}
	return receipt.NewCopy(f, func(name string) (string, bool) { return digest(s.FS, chosen, name) }), s.Close, nil
}

// digest is the SHA-256 of a file that the folder lists among its artifacts.
func digest(fsys fs.FS, c *folder.Contents, name string) (string, bool) {
	for _, artifact := range c.Artifacts {
		if artifact.Name != name {
			continue
		}
		f, err := fsys.Open(path.Join(c.Dir, "artifacts", name))
		if err != nil {
			return "", false
		}
		defer f.Close()
		sum := sha256.New()
		if _, err := io.Copy(sum, f); err != nil {
			return "", false
		}
		return fmt.Sprintf("%x", sum.Sum(nil)), true
	}
	return "", false
}

// ReceiptJSON is a report for programs.
type ReceiptJSON struct {
	Verdict     string         `json:"verdict"` // "signed", "consistent", "not compared", "refused"
	Sentence    string         `json:"sentence"`
	Signature   string         `json:"signature"` // "good", "bad", "absent"
	Fingerprint string         `json:"fingerprint"`
	Accepted    bool           `json:"accepted"`
	Compared    bool           `json:"compared"`
	Ask         string         `json:"ask"` // "same", "differs", "missing", "not compared"; message and attachments likewise
	Message     string         `json:"message"`
	Attachments []attachedJSON `json:"attachments"`
	Faults      []string       `json:"faults"`
	Limits      []string       `json:"limits"`
	Decision    decidedJSON    `json:"decision"`
}

type attachedJSON struct {
	Name  string `json:"name"`
	Match string `json:"match"`
}

type decidedJSON struct {
	Server    string `json:"server"`
	Workspace string `json:"workspace"`
	Agent     string `json:"agent"`
	Ask       string `json:"ask"`
	Round     int    `json:"round"`
	Kind      string `json:"kind"`
	Verdict   string `json:"verdict,omitempty"`
	Chosen    string `json:"chosen,omitempty"`
	Text      string `json:"text,omitempty"`
	By        string `json:"by"`
	Email     string `json:"email,omitempty"`
	Made      string `json:"made"`

	Remarks  []receipt.Remark `json:"remarks,omitempty"`  // that the text makes about single places
	Resolved []int            `json:"resolved,omitempty"` // remarks of the previous round
}

func (c ReceiptCommand) print(a *cmd.App, r *receipt.Report) error {
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, receiptObject(r))
	}
	paint := a.Paint.Green
	switch r.Verdict() {
	case receipt.VerdictRefused:
		paint = a.Paint.Red
	case receipt.VerdictConsistent, receipt.VerdictNotCompared:
		paint = a.Paint.Yellow
	}
	var b strings.Builder
	fmt.Fprintln(&b, paint(r.Sentence()))
	for _, sentence := range append(r.Faults(), r.Limits()...) {
		fmt.Fprintln(&b, "  "+cmd.Clean(sentence))
	}
	b.WriteString("\n" + cmd.Table(receiptRows(r)))
	_, err := io.WriteString(a.Stdout, b.String())
	return err
}

// receiptRows are what a receipt says, and how it compares, for people.
func receiptRows(r *receipt.Report) [][]string {
	d, event, ask := &r.Receipt.Decision, r.Receipt.Event(), r.Receipt.Folded()
	said := event.Verdict
	if said == "" {
		said = event.Kind
	}
	by := cmd.Clean(d.Who.Name)
	if d.Who.Email != "" {
		by += " <" + cmd.Clean(d.Who.Email) + ">"
	}
	word := "claimed" // who signed it is not known, or it was changed: it says what it says
	if r.Verdict() == receipt.VerdictSigned {
		word = "decided"
	}
	rows := [][]string{
		{word, cmd.Clean(said)}, {"by", by}, {"at", d.Made.String()}, {"on", cmd.Clean(strings.Join(strings.Fields(ask.Title), " "))},
		{"server", cmd.Clean(r.Receipt.Server)}, {"key", r.Key.Fingerprint()}, {"signature", r.Signature.String()}, {"ask", r.Ask.String()}, {"message", r.Message.String()},
	}
	for i, m := range r.Files {
		rows = append(rows, []string{"attachment", m.String() + "  " + cmd.Clean(r.Receipt.Attachments[i].Name)})
	}
	for _, m := range d.Remarks {
		rows = append(rows, []string{"remark " + strconv.Itoa(m.Number), cmd.Clean(m.Place) + "  " + m.Block})
	}
	return rows
}

func receiptObject(r *receipt.Report) ReceiptJSON {
	d, event := &r.Receipt.Decision, r.Receipt.Event()
	o := ReceiptJSON{Verdict: r.Verdict().String(), Sentence: r.Sentence(), Signature: r.Signature.String(), Fingerprint: strings.ReplaceAll(r.Key.Fingerprint(), " ", ""),
		Accepted: r.Accepted, Compared: r.Compared, Ask: r.Ask.String(), Message: r.Message.String(), Attachments: []attachedJSON{},
		Faults: append([]string{}, r.Faults()...), Limits: append([]string{}, r.Limits()...),
		Decision: decidedJSON{Server: r.Receipt.Server, Workspace: r.Receipt.Workspace.ID, Agent: r.Receipt.Agent.ID, Ask: r.Receipt.Ask.ID, Round: r.Receipt.Ask.Round,
			Kind: event.Kind, Verdict: event.Verdict, Chosen: event.Chosen, Text: event.Text, By: d.Who.Name, Email: d.Who.Email, Made: d.Made.String(), Remarks: d.Remarks, Resolved: d.Resolved}}
	for i, m := range r.Files {
		o.Attachments = append(o.Attachments, attachedJSON{r.Receipt.Attachments[i].Name, m.String()})
	}
	return o
}

// verdict is nil when the signature is good, its key is one of those wanted, and the folder, where one was given, was
// compared and contradicts nothing.
func (c ReceiptCommand) verdict(r *receipt.Report) error {
	switch {
	case r.Verdict() == receipt.VerdictRefused:
		return cmd.Fail(cmd.Found, "The receipt was refused.", "The reasons are listed under faults.")
	case len(c.Key) > 0 && !r.Accepted:
		return cmd.Fail(cmd.Found, "The receipt was not signed by any of the given keys.", "Compare its fingerprint with the one in the server's settings.")
	case r.Verdict() == receipt.VerdictNotCompared:
		return cmd.Fail(cmd.NotCompared, "The receipt could not be compared with this folder.", "The reason is listed under limits. Use the folder of the agent that the receipt names.")
	}
	return nil
}
