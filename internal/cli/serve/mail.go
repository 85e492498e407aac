package serve

import (
	"context"
	"errors"
	"net/netip"

	"github.com/figs-web/figs-web/internal/changefeed"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/mail"
	"github.com/figs-web/figs-web/internal/notify"
	"github.com/figs-web/figs-web/internal/safedial"
	"github.com/figs-web/figs-web/internal/store"
)

// MailFlags say where letters go out.
type MailFlags struct {
	MailURL      string `placeholder:"URL" help:"The mail server, as in smtp://user@mail.example.com:587 or smtps://user@mail.example.com. TLS is required unless the server is this machine or the URL ends in ?tls=none. Default: none; no email is sent."`
	MailPassword string `secret:"" placeholder:"WORDS" help:"The password of the user in --mail-url. Others on this machine can read flags, so a file is safer: FIGS_WEB_MAIL_PASSWORD_FILE names one."`
	MailFrom     string `placeholder:"ADDRESS" help:"The sender of emails, as in \"figs-web <figs@example.com>\"."`
}

// notifyFlags say whether and where people are told of what needs them.
type notifyFlags struct {
	NotifyOff   bool     `help:"Send no notifications. People see news on the pages only."`
	NotifyAllow []string `placeholder:"CIDR" help:"Allow webhooks, ntfy topics and push services in this range of IP addresses, as in 10.1.0.0/16, also over http. Default: public addresses over https only."`
}

// Sender is the mail server; nil when there is none.
func (f MailFlags) Sender() (mail.Sender, error) {
	switch {
	case f.MailURL == "" && f.MailFrom+f.MailPassword == "":
		return nil, nil
	case f.MailURL == "":
		return nil, cmd.Fail(cmd.Usage, "--mail-from and --mail-password need --mail-url.", "Add the mail server, as in --mail-url smtp://user@mail.example.com:587.")
	}
	x, err := mail.New(mail.Config{URL: f.MailURL, Password: f.MailPassword, From: f.MailFrom})
	var unusable *mail.UnavailableError
	if errors.As(err, &unusable) {
		return nil, cmd.Fail(cmd.Usage, unusable.Sentence, unusable.Hint)
	}
	if err != nil {
		return nil, err
	}
	return x, nil
}

// guard lets the public internet through, and what the operator allows.
func (f notifyFlags) guard() (*safedial.Guard, error) {
	g := &safedial.Guard{}
	for _, text := range f.NotifyAllow {
		p, err := netip.ParsePrefix(text)
		if a, one := netip.ParseAddr(text); err != nil && one == nil {
			p, err = netip.PrefixFrom(a, a.BitLen()), nil
		}
		if err != nil {
			return nil, cmd.Fail(cmd.Usage, cmd.Quote(text)+" is neither an IP address nor a range.", "Use --notify-allow 10.1.0.0/16, for example.")
		}
		g.Allow = append(g.Allow, p.Masked())
	}
	return g, nil
}

// notifier tells people of what needs them until its context ends, and tried, where there is one, of each try.
func (s *settings) notifier(a *cmd.App, to notify.Store, changes *changefeed.Broker, tried func(store.DestinationKind, store.SendState)) func(context.Context) {
	if s.command.NotifyOff {
		return func(context.Context) {}
	}
	w := &notify.Worker{Store: to, Mail: s.mail, HTTP: s.guard.Client(), Public: s.public, Now: a.Now, Log: s.log, Tried: tried}
	heard := changes.Hear()
	return func(ctx context.Context) { w.Run(ctx, heard) }
}
