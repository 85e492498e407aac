package cli

import (
	"context"
	"time"

	"github.com/figs-web/figs-web/internal/config"
	"github.com/figs-web/figs-web/internal/mail"
)

type adminMailCommand struct {
	Test mailTestCommand `cmd:"" help:"Send a letter, and say what the mail server answered."`
}

type mailTestCommand struct {
	To string `required:"" placeholder:"ADDRESS" help:"Who gets the letter."`
	mailFlags
}

// mailTestJSON is a letter that was sent, for programs.
type mailTestJSON struct {
	Sent string `json:"sent"` // to whom
}

// mostMailTest is how long the letter may take.
const mostMailTest = time.Minute

// settle takes what no flag says from where the server takes it, so that what is tried is what will run.
func (c *mailTestCommand) settle(a *app, file string) error {
	l, err := a.loadConfig(file)
	if err != nil {
		return err
	}
	if len(l.Problems) > 0 {
		return problemFailure(l.Problems[0])
	}
	for name, flag := range map[string]*string{"mail-url": &c.MailURL, "mail-password": &c.MailPassword, "mail-from": &c.MailFrom} {
		if s := l.Setting(name); *flag == "" && s != nil && s.Source.Kind != config.Default {
			*flag = s.Value
		}
	}
	return nil
}

// Run sends the letter.
func (c mailTestCommand) Run(a *app, admin *adminCommand) error {
	if err := c.settle(a, admin.Config); err != nil {
		return err
	}
	sender, err := c.sender()
	if err != nil {
		return err
	}
	if sender == nil {
		return fail(usage, "Say which mail server to try.", "Name the file with the server's settings, as in --config figs-web.conf, or say it as for figs-web serve: --mail-url smtp://user@mail.example.com:587 --mail-from figs@example.com.")
	}
	ctx, cancel := context.WithTimeout(a.ctx, mostMailTest)
	defer cancel()
	err = sender.Send(ctx, mail.Letter{To: c.To, Subject: "A letter from figs-web", Text: "This is a try: letters of this figs-web arrive.\n"})
	if err != nil {
		return fail(network, "The letter was not sent: "+clean(err.Error())+".", "Check --mail-url, its user and password, and that this machine may reach the mail server.")
	}
	d := &desk{app: a, json: admin.JSON || a.agent}
	return d.print(mailTestJSON{c.To}, "The mail server has taken a letter to %s. Look whether it arrives.", c.To)
}
