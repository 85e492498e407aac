package cmd

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Summary says in a line what the program is.
const Summary = "figs-web reads the .figs folders that agents write, and serves them to people."

// Description is what the manual says of the program.
const Description = `figs-web reads the .figs folders that AI agents write: what they did, what they ask you, and what you answered. It reads folders on this machine, and contacts a server only if you name one.

Examples:

  figs-web open                       show the .figs folder here in your browser
  figs-web serve                      open the inspector in your browser
  figs-web serve --data figs-data     run a server: agents push, a team reads
  figs-web doctor                     check the .figs folder here
  figs-web doctor agents.zip --json   check every agent in a zip, as JSON
  figs-web ls acme:/agents            list the agents on a server
  figs-web wait send-statement        wait until someone has decided an ask

Exit codes: 0 success, 1 findings or failure, 2 invalid usage or not found.
`

// MachinePage is the help that --agent --help prints: these three parts and nothing else.
type MachinePage struct {
	Usage    string
	Patterns []string // three to five
	Codes    []Kind
}

// MachinePages has a page for the program ("") and one for each command.
var MachinePages = map[string]MachinePage{
	"": {
		"", // it names all commands
		[]string{
			"figs-web --agent ls /agents",
			"figs-web --agent cat /agents/ID/asks/ASK",
			"figs-web --agent wait ASK --timeout 10m",
			"figs-web --agent doctor .figs",
			"figs-web --agent sync --from acme:/agents/ID/messages --to .figs",
		},
		[]Kind{General, Usage, NotFound, Denied, BadFormat, TimedOut, Network, AddressInUse, Interrupted, AlreadyExists, ChangesWanted, Declined, Withdrawn},
	},
	"doctor": {
		"figs-web --agent doctor [DIR|ZIP|FILE] [--format json|sarif|gitlab] [--fail-on error|warning|never] [--base REV [--changed]] [--now TS] [--explain CODE]",
		[]string{
			"figs-web --agent doctor .figs",
			"figs-web --agent doctor . --strict --now 2026-11-20T12:00:00Z",
			"figs-web --agent doctor .figs/asks.jsonl",
			"figs-web --agent doctor . --base HEAD~1 --changed",
			"figs-web --agent doctor --explain ask_type_unknown",
		},
		[]Kind{General, Usage, NotFound, Denied, Found, AlreadyExists, Interrupted},
	},
	"fold": {
		"figs-web --agent fold [DIR|ZIP|FILE] [--ledger runs|asks|messages]",
		[]string{
			"figs-web --agent fold .figs",
			"figs-web --agent fold .figs --ledger asks",
			"figs-web --agent fold .figs --ledger messages",
		},
		[]Kind{General, Usage, NotFound, Denied, BadFormat, Interrupted},
	},
	"search": {
		"figs-web --agent search SEARCH [DIR|ZIP|FILE] [--limit N]",
		[]string{
			"figs-web --agent search 'bank statement' .figs",
			"figs-web --agent search 'is:needs type:sign-off' .figs",
			"figs-web --agent search 'status:fail after:2026-05' . --limit 200",
		},
		[]Kind{General, Usage, NotFound, Denied, BadFormat, Interrupted},
	},
	"hidden-text": {
		"figs-web --agent hidden-text [DIR|ZIP|FILE] [--strict]",
		[]string{
			"figs-web --agent hidden-text .figs",
			"figs-web --agent hidden-text report.html",
			"figs-web --agent hidden-text .figs --strict",
		},
		[]Kind{General, Usage, NotFound, Denied, Found, Interrupted},
	},
	"why": {
		"figs-web --agent why (ID | jobs/ID | asks/ID) [DIR|ZIP|FILE] [--value NAME]",
		[]string{
			"figs-web --agent why send-statement .figs",
			"figs-web --agent why send-statement .figs --value state",
			"figs-web --agent why jobs/close-2026-10 .figs --value status",
		},
		[]Kind{General, Usage, NotFound, Denied, BadFormat, Interrupted},
	},
	"compare": {
		"figs-web --agent compare OLD (NEW | --since POINT)",
		[]string{
			"figs-web --agent compare backup/.figs .figs",
			"figs-web --agent compare monday.zip .figs",
			"figs-web --agent compare .figs --since 2026-05-04",
		},
		[]Kind{General, Usage, NotFound, Denied, BadFormat, Found, Interrupted},
	},
	"receipt": {
		"figs-web --agent receipt FILE [DIR|ZIP] [--key KEY]",
		[]string{
			"figs-web --agent receipt receipt.json",
			"figs-web --agent receipt receipt.json .figs",
			"figs-web --agent receipt receipt.json .figs --key server-key.json",
		},
		[]Kind{General, Usage, NotFound, Denied, Found, NotCompared, Interrupted},
	},
	"open": {
		"figs-web --agent open [DIR|ZIP|FILE] [--addr HOST:PORT] [--viewer-addr HOST:PORT [--viewer-origin URL]]",
		[]string{
			"figs-web --agent open .figs",
			"figs-web --agent open . --addr 127.0.0.1:9090",
			"figs-web --agent open . --viewer-addr 127.0.0.1:0",
			"figs-web --agent open . --viewer-addr 127.0.0.1:9091 --viewer-origin https://viewer.example",
		},
		[]Kind{General, Usage, NotFound, Denied, BadFormat, AddressInUse, Interrupted},
	},
	"serve": {
		"figs-web --agent serve [--addr HOST:PORT] [(--data DIR | --database URL --blobs URL) [--public-url URL] [--insecure-http] [--tls-cert FILE --tls-key FILE | --tls-auto HOST] [--max-ingest SIZE] [--trust-proxy CIDR] [--log text|json]] [--config FILE]",
		[]string{
			"figs-web --agent serve --addr 127.0.0.1:0",
			"figs-web --agent serve --data figs-data --addr 127.0.0.1:0",
			"figs-web --agent serve --data figs-data --tls-auto figs.example.com",
			"figs-web --agent serve --data figs-data --public-url https://figs.example.com --trust-proxy 127.0.0.1",
			"figs-web --agent serve --database postgres://figs@db.example.com/figs --blobs s3://figs?endpoint=https://s3.example.com --public-url https://figs.example.com --drain 10s",
		},
		[]Kind{General, Usage, NotFound, Denied, BadFormat, AddressInUse, TimedOut, Network},
	},
	"config": {
		"figs-web --agent config (check [--config FILE] | show [--config FILE] [--example])",
		[]string{
			"figs-web --agent config check",
			"figs-web --agent config check --config /etc/figs-web/figs-web.conf",
			"figs-web --agent config show --example",
		},
		[]Kind{General, Usage, NotFound, Denied, BadFormat},
	},
	"reindex": {
		"figs-web --agent reindex (--data DIR | --database URL --blobs URL)",
		[]string{
			"figs-web --agent reindex --data figs-data",
			"figs-web --agent reindex --data /var/lib/figs-web",
			"figs-web --agent reindex --help",
		},
		[]Kind{General, Usage, NotFound, Denied, Interrupted, TimedOut, Network},
	},
	"backup": {
		"figs-web --agent backup (--data DIR | --database URL --blobs URL) (FOLDER | FILE.tar | FILE.tar.gz | -) [--keep N]",
		[]string{
			"figs-web --agent backup --data figs-data /mnt/backup/figs",
			"figs-web --agent backup --data figs-data figs.tar.gz",
			"figs-web --agent backup --data figs-data /mnt/backup/figs --keep 6",
		},
		[]Kind{General, Usage, NotFound, Denied, BadFormat, Interrupted, AlreadyExists, TimedOut, Network},
	},
	"export": {
		"figs-web --agent export (--data DIR | --database URL --blobs URL) --workspace W [--agent-id ID] (FOLDER | FILE.zip | FILE.tar | FILE.tar.gz | -)",
		[]string{
			"figs-web --agent export --data figs-data --workspace acme acme.zip",
			"figs-web --agent export --data figs-data --workspace acme --agent-id 0d4f2a3c-1111-4222-8333-000000000001 closer",
			"figs-web --agent export --data figs-data --workspace acme acme.tar.gz",
		},
		[]Kind{General, Usage, NotFound, Denied, Interrupted, AlreadyExists, TimedOut, Network},
	},
	"restore": {
		"figs-web --agent restore BACKUP (--data DIR | --database URL --blobs URL | --verify) [--restart] [--audit-hash WORKSPACE=HASH] [--digest HASH] [--partial]",
		[]string{
			"figs-web --agent restore --verify /mnt/backup/figs",
			"figs-web --agent restore /mnt/backup/figs --data figs-data",
			"figs-web --agent restore figs.tar.gz --data figs-data --partial",
			"figs-web --agent restore /mnt/backup/figs --database postgres://figs@db.example.com/figs --blobs s3://figs?endpoint=https://s3.example.com",
		},
		[]Kind{General, Usage, NotFound, Denied, BadFormat, Interrupted, AlreadyExists, TimedOut, Network},
	},
	"migrate": {
		"figs-web --agent migrate (removed: use backup, then restore)",
		[]string{
			"figs-web --agent backup --data figs-data /mnt/backup/figs",
			"figs-web --agent restore /mnt/backup/figs --database postgres://figs@db.example.com/figs --blobs s3://figs?endpoint=https://s3.example.com",
			"figs-web --agent restore /mnt/backup/figs --data figs-data",
		},
		[]Kind{Usage},
	},
	"admin": {
		"figs-web --agent admin (--data DIR | --database URL --blobs URL) <workspace create|workspace list|workspace delete|workspace restore|workspace purge|user create|user password|user reset|user operator|user list|invite create|invite list|invite revoke|member add|member list|token create|token list|agent assign|agent list|agent archive|agent restore|agent move|agent rename-grant|agent erase|mail test|oidc test|audit verify|audit export> [flags]",
		[]string{
			"figs-web --agent admin --data figs-data workspace create --name Acme --slug acme",
			"figs-web --agent admin --data figs-data user create --email ada@acme.example --name Ada --password-stdin",
			"figs-web --agent admin --data figs-data member add --workspace acme --email ada@acme.example --role owner",
			"figs-web --agent admin --data figs-data token create --email ada@acme.example --name ci",
			"figs-web --agent admin --data figs-data agent assign --workspace acme --agent-id 0d4f2a3c-1111-4222-8333-000000000001 --manager ada@acme.example",
		},
		[]Kind{General, Usage, NotFound, Denied, BadFormat, Interrupted, AlreadyExists, Network, TimedOut},
	},
	"inspector": {
		"figs-web --agent inspector (-o FILE | --check FILE)",
		[]string{
			"figs-web --agent inspector -o inspector.html",
			"figs-web --agent inspector --check inspector.html",
			"figs-web --agent inspector --help",
		},
		[]Kind{General, Usage, NotFound, Denied, BadFormat},
	},
	"version": {
		"figs-web --agent version",
		[]string{
			"figs-web --agent version",
			"figs-web --agent --version",
			"figs-web --agent --help",
		},
		[]Kind{General, Usage},
	},
}

// commandNames lists the commands.
func commandNames() []string {
	names := slices.Sorted(maps.Keys(MachinePages))
	return names[1:] // without the program itself
}

// commandIn returns the first argument that is a command; "" when there is none.
func commandIn(args []string) string {
	for _, arg := range args {
		if _, ok := MachinePages[arg]; ok && arg != "" {
			return arg
		}
	}
	return ""
}

// AgentHelp is the help for machines: of the command that args name, or of the program.
func AgentHelp(args []string) string {
	page := MachinePages[commandIn(args)]
	if page.Usage == "" {
		page.Usage = "figs-web --agent COMMAND [arguments]; COMMAND --help tells of one: " + strings.Join(commandNames(), ", ")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "USAGE:\n  %s\n\nCOMMON PATTERNS:\n", page.Usage)
	for _, p := range page.Patterns {
		fmt.Fprintf(&b, "  %s\n", p)
	}
	b.WriteString("\nERROR CODES:\n  0   Success\n")
	codes := slices.Clone(page.Codes)
	slices.SortFunc(codes, func(x, y Kind) int { return Kinds[x].Agent - Kinds[y].Agent })
	for _, k := range codes {
		fmt.Fprintf(&b, "  %-3d %s\n", Kinds[k].Agent, Kinds[k].about)
	}
	return b.String()
}
