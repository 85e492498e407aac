package config

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// line is a command line with every sort of flag.
type line struct {
	Serve struct {
		Addr   string   `placeholder:"HOST:PORT" help:"Where to listen. Default: 127.0.0.1:8080."`
		Loud   bool     `help:"Say more."`
		Proxy  []string `placeholder:"CIDR" help:"Whom to believe."`
		Limit  int      `default:"7" help:"How many."`
		Way    string   `enum:"text,json," default:"" help:"How to write."`
		Secret string   `name:"mail-password" secret:"" placeholder:"WORD" help:"Of the mail server."`
		Mail   string   `placeholder:"URL" help:"The mail server."`
		Config string   `placeholder:"FILE" help:"The file."`
	} `cmd:""`
	Other struct {
		Addr string
	} `cmd:""`
}

// world answers with variables and files that are written out.
func world(variables, files map[string]string) System {
	return System{
		Getenv: func(name string) string { return variables[name] },
		Environ: func() []string {
			var all []string
			for name, value := range variables {
				all = append(all, name+"="+value)
			}
			return all
		},
		ReadFile: func(name string) ([]byte, error) {
			text, ok := files[name]
			if !ok {
				return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
			}
			return []byte(text), nil
		},
	}
}

// parsed reads a command line in a world.
func parsed(t testing.TB, w System, args ...string) (*line, *Resolver, *kong.Context, error) {
	t.Helper()
	var l line
	r := &Resolver{Command: "serve", World: w}
	p, err := kong.New(&l, kong.Resolvers(r))
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := p.Parse(args)
	return &l, r, ctx, err
}

func flags(t testing.TB) []*kong.Flag {
	t.Helper()
	p, err := kong.New(&line{})
	if err != nil {
		t.Fatal(err)
	}
	return p.Model.Children[0].Flags
}

// TestPrecedence: a flag counts before a variable, that before the file, and that before the
// default; and each value says where it comes from.
func TestPrecedence(t *testing.T) {
	file := map[string]string{"c": "addr = file:1\nlimit = 3\nproxy = 10.0.0.0/8, 192.0.2.1\nproxy = ::1\nloud = yes\n", "secret": "s3cret\n"}
	for _, test := range []struct {
		name      string
		args      string
		variables map[string]string
		setting   string
		want      string
		from      string
	}{
		{"default", "", nil, "limit", "7", "default"},
		{"nothing", "", nil, "addr", "", "default"},
		{"file", "--config c", nil, "addr", "file:1", "c:1"},
		{"file_named_by_variable", "", map[string]string{"FIGS_WEB_CONFIG": "c"}, "addr", "file:1", "c:1"},
		{"flag_names_another_file", "--config c", map[string]string{"FIGS_WEB_CONFIG": "nowhere"}, "limit", "3", "c:2"},
		{"variable_over_file", "--config c", map[string]string{"FIGS_WEB_ADDR": "env:1"}, "addr", "env:1", "FIGS_WEB_ADDR"},
		{"empty_variable_is_none", "--config c", map[string]string{"FIGS_WEB_ADDR": ""}, "addr", "file:1", "c:1"},
		{"flag_over_all", "--config c --addr flag:1", map[string]string{"FIGS_WEB_ADDR": "env:1"}, "addr", "flag:1", "flag"},
		{"list_in_file", "--config c", nil, "proxy", "10.0.0.0/8,192.0.2.1,::1", "c:3"},
		{"list_in_variable", "--config c", map[string]string{"FIGS_WEB_PROXY": "a, b"}, "proxy", "a,b", "FIGS_WEB_PROXY"},
		{"list_of_flags", "--config c --proxy x --proxy y", nil, "proxy", "x,y", "flag"},
		{"switch", "--config c", nil, "loud", "yes", "c:5"},
		{"secret_in_a_file", "", map[string]string{"FIGS_WEB_MAIL_PASSWORD_FILE": "secret"}, "mail-password", "s3cret", "FIGS_WEB_MAIL_PASSWORD_FILE"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, r, ctx, err := parsed(t, world(test.variables, file), append([]string{"serve"}, strings.Fields(test.args)...)...)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range r.Effective(ctx) {
				if s.Name == test.setting && (s.Value != test.want || s.Source.String() != test.from) {
					t.Errorf("%s = %q from %s, want %q from %s", s.Name, s.Value, s.Source, test.want, test.from)
				}
			}
		})
	}
}

// What the resolver finds reaches the command's own fields, and no other command's.
func TestResolverSetsFlags(t *testing.T) {
	w := world(map[string]string{"FIGS_WEB_PROXY": "a,b", "FIGS_WEB_LOUD": "1", "FIGS_WEB_ADDR": "env:1"}, nil)
	l, _, _, err := parsed(t, w, "serve")
	if err != nil || len(l.Serve.Proxy) != 2 || !l.Serve.Loud || l.Serve.Limit != 7 || l.Serve.Addr != "env:1" {
		t.Errorf("serve is told %+v, %v", l.Serve, err)
	}
	if l, _, _, err := parsed(t, w, "other"); err != nil || l.Other.Addr != "" {
		t.Errorf("another command is told %q, %v, want nothing", l.Other.Addr, err)
	}
}

// TestProblems: what is wrong is said with its place and the way out, and secrets are not repeated.
func TestProblems(t *testing.T) {
	for _, test := range []struct {
		name, file string
		variables  map[string]string
		want, hint string
	}{
		{"misspelt", "adr = x", nil, `f:1:1: There is no setting "adr".`, "Did you mean addr?"},
		{"dashes", "\n  --addr = x", nil, `f:2:3: There is no setting "--addr".`, "Did you mean addr?"},
		{"variable's_name", "FIGS_WEB_ADDR = x", nil, `f:1:1: There is no setting "FIGS_WEB_ADDR".`, "Did you mean addr?"},
		{"unlike_any", "colour = red", nil, `f:1:1: There is no setting "colour".`, "config show --example"},
		{"of_the_call", "config = x", nil, `f:1:1: There is no setting "config".`, "command-line flag"},
		{"twice", "addr = a\n# c\naddr = b", nil, `f:3:1: addr is already set in line 1.`, "Keep one"},
		{"yaml", "addr: x", nil, `f:1:1: "addr…" is no setting.`, "name = value"},
		{"no_value", "addr =  # none", nil, `f:1:1: "addr" has no value.`, "#"},
		{"number", "limit = many", nil, `f:1:9: "many" isn't a valid value for limit.`, "It takes"},
		{"switch", "  loud = perhaps", nil, `f:1:10: "perhaps" is neither true nor false.`, "loud = true"},
		{"choice", "way = loud", nil, `f:1:7: "loud" isn't a valid value for way.`, "text, json"},
		{"open_quote", `addr = "x`, nil, "f:1:8: The closing quote is missing.", "same line"},
		{"behind_quote", `addr = "é" y`, nil, "f:1:11: There is text after the closing quote.", "one pair"},
		{"no_text", "addr = \xff", nil, "f:1:1: This line isn't valid UTF-8.", "UTF-8"},
		{"variable_number", "", map[string]string{"FIGS_WEB_LIMIT": "x"}, `FIGS_WEB_LIMIT: "x" isn't a valid value for limit.`, "It takes"},
		{"both", "", map[string]string{"FIGS_WEB_MAIL_PASSWORD": "hush", "FIGS_WEB_MAIL_PASSWORD_FILE": "f"}, "FIGS_WEB_MAIL_PASSWORD and FIGS_WEB_MAIL_PASSWORD_FILE are both set.", "Keep one"},
		{"secret_missing", "mail-password-file = nowhere", nil, `f:1:22: The file of mail-password doesn't exist: "nowhere".`, "spelling"},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := Load(flags(t), "f", world(test.variables, map[string]string{"f": test.file}))
			if len(l.Problems) != 1 {
				t.Fatalf("%q has the problems %v, want one", test.file, l.Problems)
			}
			if p := l.Problems[0]; p.Error() != test.want || !strings.Contains(p.Hint, test.hint) {
				t.Errorf("%q: %s | %s, want %s | …%s", test.file, p, p.Hint, test.want, test.hint)
			}
			_, _, _, err := parsed(t, world(test.variables, map[string]string{"f": test.file}), "serve", "--config", "f")
			var p *Problem
			if !errors.As(err, &p) {
				t.Errorf("serve takes it: %v", err)
			}
		})
	}
	if l := Load(flags(t), "nowhere", world(nil, nil)); len(l.Problems) != 1 || !errors.Is(l.Problems[0], fs.ErrNotExist) {
		t.Errorf("a file that is not there has the problems %v", l.Problems)
	}
}

// Every problem of a file is found at once, and what is fine is taken.
func TestProblemsAll(t *testing.T) {
	l := Load(flags(t), "f", world(nil, map[string]string{"f": "addr = \"a # b\" # c\nx\nlimit = y\nmail = m#1 # c"}))
	if len(l.Problems) != 2 || l.Setting("addr").Value != "a # b" || l.Setting("mail").Value != "m#1" {
		t.Errorf("problems %v, addr %q, mail %q", l.Problems, l.Setting("addr").Value, l.Setting("mail").Value)
	}
}

func TestShown(t *testing.T) {
	w := world(map[string]string{"FIGS_WEB_MAIL": "smtp://me:hush@mail.example:25", "FIGS_WEB_MAIL_PASSWORD": "hush"}, nil)
	l := Load(flags(t), "", w)
	if got := l.Setting("mail").Shown(); got != "smtp://me:xxxxx@mail.example:25" {
		t.Errorf("an address with a password is shown as %s", got)
	}
	if got := l.Setting("mail-password").Shown(); got != Mask {
		t.Errorf("a secret is shown as %s", got)
	}
	var b strings.Builder
	WriteSet(&b, l.Settings)
	if strings.Contains(b.String(), "hush") {
		t.Errorf("a secret is written:\n%s", &b)
	}
}

func TestUnknownVariables(t *testing.T) {
	l := Load(flags(t), "", world(map[string]string{"FIGS_WEB_ADRR": "x", "FIGS_WEB_TOKEN": "x", "figs_web_addr": "x", "FIGS_WEB_MAIL_PASSWORD_FILE": "f", "PATH": "x"}, map[string]string{"f": "x"}))
	if len(l.Warnings) != 2 || !strings.Contains(l.Warnings[0], "Did you mean FIGS_WEB_ADDR?") {
		t.Errorf("warnings %q, want one for each misspelt name", l.Warnings)
	}
}

// The example is a file that can be used: every line in it is understood once its # is taken away.
func TestExample(t *testing.T) {
	var b strings.Builder
	if err := WriteExample(&b, Of(flags(t))); err != nil {
		t.Fatal(err)
	}
	if entries, wrong := parse("f", []byte(b.String())); len(entries)+len(wrong) != 0 {
		t.Errorf("the example sets %v, %v", entries, wrong)
	}
	for _, name := range []string{"addr", "loud", "proxy", "mail-password"} {
		if !strings.Contains(b.String(), "\n#"+name+" = ") {
			t.Errorf("the example does not name %s:\n%s", name, &b)
		}
	}
}

// FuzzParse: whatever a file holds, it is read without a panic, and a problem points into it.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"addr = x", "a=\"\\\"\" # c\r\n", "\ufeff# c\nlimit = 1", "a = 'b'", "= x", "mail-password-file = /dev/null", "proxy = ,,", `proxy = "a\,b"`, "a\x00=b", "a = \"\\ud800\""} {
		f.Add([]byte(seed))
	}
	all := flags(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		l := Load(all, "f", world(nil, map[string]string{"f": string(text)}))
		lines := strings.Count(string(text), "\n") + 1
		for _, p := range l.Problems {
			if p.Line < 0 || p.Line > lines || p.Column < 0 || p.Sentence == "" || p.Hint == "" || strings.ContainsAny(p.Error(), "\n\x1b") {
				t.Errorf("%q: %+v", text, p)
			}
		}
		var b strings.Builder
		WriteSet(&b, l.Settings)
		again := Load(all, "g", world(nil, map[string]string{"g": b.String()}))
		for i := range l.Settings {
			if a, b := l.Settings[i], again.Settings[i]; !a.Secret && a.Shown() == a.Value && a.Source.Kind == File && len(l.Problems) == 0 && a.Value != b.Value {
				t.Errorf("%q: %s is %q, and written and read again %q", text, a.Name, a.Value, b.Value)
			}
		}
	})
}
