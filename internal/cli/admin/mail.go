package admin

import (
	"context"
	"time"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/cli/serve"
	"github.com/figs-web/figs-web/internal/config"
	"github.com/figs-web/figs-web/internal/mail"
)

type adminMailCommand struct {
	Test mailTestCommand `cmd:"" help:"Send a test email and print the mail server's answer."`
}

type mailTestCommand struct {
	To string `required:"" placeholder:"ADDRESS" help:"Email address to send the test email to."`
	serve.MailFlags
}

// mailTestJSON is the test email, for programs.
type mailTestJSON struct {
	Sent string `json:"sent"` // the recipient
}

// mostMailTest is how long sending may take.
const mostMailTest = time.Minute

// settle fills flags that aren't set from the server's configuration, so that the test uses the same settings.
func (c *mailTestCommand) settle(a *cmd.App, file string) error {
	l, err := serve.LoadConfig(a, file)
	if err != nil {
		return err
	}
	if len(l.Problems) > 0 {
		return serve.ProblemFailure(l.Problems[0])
	}
	for name, flag := range map[string]*string{"mail-url": &c.MailURL, "mail-password": &c.MailPassword, "mail-from": &c.MailFrom} {
		if s := l.Setting(name); *flag == "" && s != nil && s.Source.Kind != config.Default {
			*flag = s.Value
		}
	}
	return nil
}

// Run sends the test email.
func (c mailTestCommand) Run(a *cmd.App, admin *AdminCommand) error {
	if err := c.settle(a, admin.Config); err != nil {
		return err
	}
	sender, err := c.Sender()
	if err != nil {
		return err
	}
	if sender == nil {
		return cmd.Fail(cmd.Usage, "No mail server is set.", "Use the server's configuration file, as in --config figs-web.conf, or the flags of figs-web serve: --mail-url smtp://user@mail.example.com:587 --mail-from figs@example.com.")
	}
	ctx, cancel := context.WithTimeout(a.Ctx, mostMailTest)
	defer cancel()
	err = sender.Send(ctx, mail.Message{To: c.To, Subject: "Test email from figs-web", Text: "This is a test: emails from this figs-web arrive.\n"})
	if err != nil {
		return cmd.Fail(cmd.Network, "The email was not sent: "+cmd.Clean(err.Error())+".", "Check --mail-url, its user and password, and that this machine can reach the mail server.")
	}
	d := &datadir.Reader{App: a, JSON: a.PrintsJSON()}
	return print(d, mailTestJSON{c.To}, "The mail server accepted an email to %s. Check that it arrives.", c.To)
}
