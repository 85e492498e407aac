package admin

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/cli/serve"
	"github.com/figs-web/figs-web/internal/oidc"
)

type adminOIDCCommand struct {
	Test oidcTestCommand `cmd:"" help:"Test sign-in with a provider, step by step."`
}

type oidcTestCommand struct {
	Claims    string `placeholder:"FILE|-" predictor:"file" help:"Show the account and the roles that these claims give: an ID token, or its claims as JSON, from FILE or standard input. Many providers have a preview of them."`
	PublicURL string `placeholder:"URL" help:"The server's public URL, as in https://figs.example.com, for the redirect URL. Default: the server's setting."`
	serve.OIDCFlags
}

// Help is what `admin oidc test --help` adds.
func (oidcTestCommand) Help() string {
	return `Tests the provider that figs-web serve uses, with the same settings: flags, the environment (FIGS_WEB_OIDC_ISSUER for --oidc-issuer) and the configuration file. It prints what it finds and what to change. It sends a made-up code to the provider and changes nothing. Secrets and tokens are never printed.

Examples:

  figs-web admin oidc test --config /etc/figs-web/figs-web.conf
  figs-web admin oidc test --data figs-data --claims claims.json --json
`
}

// oidcTestJSON is the test for programs.
type oidcTestJSON struct {
	Issuer      string      `json:"issuer"`
	RedirectURL string      `json:"redirect_url,omitempty"`
	Status      oidc.Status `json:"status"`
	Steps       []oidc.Step `json:"steps"`
	Person      *personJSON `json:"person,omitempty"` // with --claims
}

const (
	mostOIDCTest = time.Minute
	mostClaims   = 4 << 20
)

// Run makes the test and prints it; what failed makes the command fail.
func (c oidcTestCommand) Run(a *cmd.App, admin *AdminCommand) error {
	set, err := serve.ReadOIDC(a, admin.Config, c.PublicURL, c.OIDCFlags)
	if err != nil {
		return err
	}
	claims, err := c.readClaims(a)
	if err != nil {
		return err
	}
	p, err := oidc.New(set.Config)
	if err != nil {
		return err
	}
	d := &datadir.Reader{App: a, JSON: a.PrintsJSON()}
	if where, err := admin.At(); err == nil && where != (cmd.Where{}) {
		if d, err = admin.open(a, false); err != nil {
			return err
		}
		defer d.Close()
	}
	ctx, cancel := context.WithTimeout(a.Ctx, mostOIDCTest)
	defer cancel()
	result := oidcTestJSON{Issuer: set.Issuer, RedirectURL: set.Redirect, Steps: p.Check(ctx)}
	if set.Redirect == "" {
		result.Steps[0].Findings = append(result.Steps[0].Findings, oidc.Finding{Status: oidc.Warning, Code: "no_public_url",
			Found: "The public URL isn't set, so the redirect URL is not known.", Change: "Use --public-url, as in --public-url https://figs.example.com."})
	}
	mapping := preview{d: d, rules: set.Rules, step: oidc.Step{Name: "roles"}}
	if claims != nil {
		who, step, err := p.CheckClaims(ctx, claims, set.Rules.Groups())
		if err != nil {
			return cmd.Fail(cmd.BadFormat, cmd.Quote(c.Claims)+" is neither an ID token nor a JSON object with claims.", "Use the claims of one person, as in {\"sub\": \"42\", \"email\": \"ada@example.org\", \"email_verified\": true, \"groups\": [\"staff\"]}.")
		}
		result.Steps = append(result.Steps, step)
		if result.Person, err = mapping.person(who); err != nil {
			return err
		}
	} else if err := mapping.workspaces(); err != nil {
		return err
	}
	if len(mapping.step.Findings) > 0 {
		result.Steps = append(result.Steps, mapping.step)
	}
	return c.print(d, result)
}

func (c oidcTestCommand) readClaims(a *cmd.App) ([]byte, error) {
	var from io.Reader
	switch c.Claims {
	case "":
		return nil, nil
	case "-":
		if a.Stdin == nil {
			return nil, cmd.Fail(cmd.Usage, "There is no standard input to read claims from.", "Name a file, as in --claims claims.json.")
		}
		from = a.Stdin
	default:
		file, err := os.Open(c.Claims)
		if err != nil {
			return nil, cmd.FailureOf(err, c.Claims)
		}
		defer file.Close()
		from = file
	}
	text, err := io.ReadAll(io.LimitReader(from, mostClaims+1))
	switch {
	case err != nil:
		return nil, cmd.FailureOf(err, c.Claims)
	case len(text) > mostClaims:
		return nil, cmd.Fail(cmd.BadFormat, cmd.Quote(c.Claims)+" is larger than 4 MiB.", "Sign-ins read at most 1 MiB.")
	}
	return text, nil
}

// print prints the test, and fails if a finding has.
func (oidcTestCommand) print(d *datadir.Reader, result oidcTestJSON) error {
	result.Status = oidc.Worst(result.Steps)
	count := map[oidc.Status]int{}
	kind := cmd.Found
	for _, s := range result.Steps {
		for _, f := range s.Findings {
			if count[f.Status]++; f.Status == oidc.Failed && s.Name == "connection" {
				kind = cmd.Network
			}
		}
	}
	var err error
	if d.JSON {
		err = cmd.WriteJSON(d.Stdout, result)
	} else {
		_, err = io.WriteString(d.Stdout, oidcText(d.App, result.Steps))
	}
	summary := fmt.Sprintf("%d failed, %s, %d unknown", count[oidc.Failed], cmd.Plural(count[oidc.Warning], "warning"), count[oidc.Unknown])
	if err == nil && !d.JSON {
		_, err = fmt.Fprintf(d.Stdout, "\n%s\n", summary)
	}
	if err != nil || result.Status != oidc.Failed {
		return err
	}
	return cmd.Fail(kind, "The sign-in test found problems: "+summary+".", "Each finding on stdout says what to change.")
}

// oidcText is the test for people.
func oidcText(a *cmd.App, steps []oidc.Step) string {
	paint := map[oidc.Status]func(string) string{oidc.OK: a.Paint.Green, oidc.Warning: a.Paint.Yellow, oidc.Failed: a.Paint.Red, oidc.Unknown: a.Paint.Blue}
	var b strings.Builder
	for i, s := range steps {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(a.Paint.Bold(s.Name) + "\n")
		for _, f := range s.Findings {
			fmt.Fprintf(&b, "  %s  %s\n", paint[f.Status](fmt.Sprintf("%-7s", f.Status)), cmd.Clean(f.Found))
			if f.Change != "" {
				fmt.Fprintf(&b, "  %7s  %s\n", "", cmd.Clean(f.Change))
			}
		}
	}
	return b.String()
}
