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

// MailFlags configure the mail server.
type MailFlags struct {
	MailURL      string `placeholder:"URL" help:"Mail server for outgoing email, as in smtp://user@mail.example.com:587 or smtps://user@mail.example.com. TLS is required unless the mail server runs on this machine or the URL ends in ?tls=none. Default: none; no email is sent."`
	MailPassword string `secret:"" placeholder:"PASSWORD" help:"Password of the user in --mail-url. Other users of this machine can read flags, so prefer a file: set FIGS_WEB_MAIL_PASSWORD_FILE to its path."`
	MailFrom     string `placeholder:"ADDRESS" help:"Sender of outgoing email, as in \"figs-web <figs@example.com>\"."`
}

// notifyFlags configure notifications.
type notifyFlags struct {
	NotifyOff   bool     `help:"Don't send notifications; show them only in figs-web."`
	NotifyAllow []string `placeholder:"CIDR" help:"Also allow webhooks, ntfy topics, push services and chat servers in this address range, as in 10.1.0.0/16, including over plain HTTP. Default: public addresses over HTTPS."`
}

// Sender returns the mail server, or nil if none is configured.
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

// guard allows the public internet and the ranges of --notify-allow.
func (f notifyFlags) guard() (*safedial.Guard, error) {
	g := &safedial.Guard{}
	for _, text := range f.NotifyAllow {
		p, err := netip.ParsePrefix(text)
		if a, one := netip.ParseAddr(text); err != nil && one == nil {
			p, err = netip.PrefixFrom(a, a.BitLen()), nil
		}
		if err != nil {
			return nil, cmd.Fail(cmd.Usage, cmd.Quote(text)+" is neither an IP address nor an address range.", "Use the form --notify-allow 10.1.0.0/16.")
		}
		g.Allow = append(g.Allow, p.Masked())
	}
	return g, nil
}

// notifier sends notifications until its context ends, and calls tried, if it isn't nil, after each try.
func (s *settings) notifier(a *cmd.App, to notify.Store, changes *changefeed.Broker, tried func(store.DestinationKind, store.SendState)) func(context.Context) {
	if s.command.NotifyOff {
		return func(context.Context) {}
	}
	w := &notify.Worker{Store: to, Mail: s.mail, HTTP: s.guard.Client(), Near: len(s.guard.Allow) > 0, Public: s.public, Now: a.Now, Log: s.log, Tried: tried}
	heard := changes.Hear()
	return func(ctx context.Context) { w.Run(ctx, heard) }
}
