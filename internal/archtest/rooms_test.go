package archtest

// A room is a package, or with a final "/..." a tree of packages, relative to the module.
type room struct {
	path  string
	may   []string // what it may import directly, beside the standard library: rooms, and third parties by import path
	never []string // what it must not reach, not even through others; anyDependency stands for every third party
	why   string
}

// anyDependency in a room's never list stands for every package from outside the module and the standard library.
const anyDependency = "third parties"

// heavy is what the engine is kept free of: each of these alone makes it noticeably larger, and time would give
// the core a clock.
var heavy = []string{
	"io/fs", "os", "time", "embed", "reflect", "fmt", "syscall", "syscall/js",
	"crypto/...", "encoding/...", "net/...", anyDependency,
}

const (
	echo       = "github.com/labstack/echo/v4/..."
	templ      = "github.com/a-h/templ/..."
	goldmark   = "github.com/yuin/goldmark/..."
	bluemonday = "github.com/microcosm-cc/bluemonday/..."
	sqlite     = "modernc.org/..."
	pgx        = "github.com/jackc/pgx/v5/..."
	webauthn   = "github.com/go-webauthn/webauthn/..."
	kong       = "github.com/alecthomas/kong/..."
	kongplete  = "github.com/willabides/kongplete"
)

// engineFree is what neither the engine nor its bridge may carry into the browser.
var engineFree = append([]string{
	"figs/folder", "figs/lessons", "figs/figstest", "components/...", "internal/store/...", "handlers/...", "sandbox/...",
}, heavy...)

// withoutDrivers keeps databases and browsers out of commands.
var withoutDrivers = []string{sqlite, pgx, "github.com/chromedp/..."}

// belowPages is what no page may reach: a page takes values, wherever they come from.
var belowPages = []string{"handlers/...", "internal/store/...", "sandbox", "static", echo, sqlite, pgx}

// rooms is the import table of the house. The first row that matches a package is its rule; a package without a row
// fails, so that every new room is a decision.
var rooms = []room{
	{
		path:  "figs/jsonl",
		never: append([]string{"figs", "internal/..."}, heavy...),
		why:   "it reads positioned JSON Lines and knows no protocol; the engine's size and speed rest on it",
	},
	{
		path:  "figs",
		may:   []string{"figs/jsonl"},
		never: append([]string{"figs/folder", "figs/lessons", "internal/..."}, heavy...),
		why:   "the core takes bytes and gives values: no files, no clock, nothing that would make the engine heavy",
	},
	{
		path:  "figs/find",
		may:   []string{"figs", "figs/jsonl"},
		never: append([]string{"figs/folder", "figs/lessons", "internal/..."}, heavy...),
		why:   "the syntax of a search and what it matches, which the engine carries into the browser",
	},
	{
		path:  "figs/find/findtest",
		never: []string{"internal/...", anyDependency},
		why:   "one table of searches that every door's tests run",
	},
	{
		path:  "figs/folder",
		may:   []string{"figs"},
		never: []string{"components/...", "handlers/...", "net/http", anyDependency},
		why:   "it walks a folder or a zip and feeds the core, for whoever has a file system",
	},
	{
		path:  "figs/lessons",
		may:   []string{"figs"},
		never: []string{"components/...", "handlers/...", "net/http", anyDependency},
		why:   "a rule's lesson is text that pages, the terminal and tests share; anyone may import it",
	},
	{
		path:  "figs/figstest",
		may:   []string{"figs", "figs/folder", "github.com/rogpeppe/go-internal/txtar"},
		never: []string{"components/...", "handlers/...", "internal/..."},
		why:   "other implementations run the vectors: they must not inherit our pages or server",
	},
	{
		path:  "internal/report",
		never: []string{"figs", "components/...", "internal/store/...", "handlers/...", anyDependency},
		why:   "figures of what was decided: numbers in, numbers out",
	},
	{
		path:  "internal/listquery",
		may:   []string{"figs/find"},
		never: []string{"components/...", "internal/store/...", "handlers/...", anyDependency},
		why:   "the query of a list, and lists in memory: it knows neither pages nor databases",
	},
	{
		path:  "internal/journal",
		may:   []string{"figs", "internal/listquery"},
		never: []string{"components/...", "internal/store/...", "handlers/...", "net/http", anyDependency},
		why:   "what a page may ask, whoever answers: it knows neither pages nor databases",
	},
	{
		path:  "internal/journal/journaltest",
		may:   []string{"figs", "internal/journal", "github.com/google/go-cmp/..."},
		never: []string{"components/...", "internal/store/...", "handlers/...", "net/http", "wasm/..."},
		why:   "the answers that every journal must give, whoever keeps it",
	},
	{
		path:  "internal/journal/selected",
		may:   []string{"figs", "figs/jsonl", "internal/journal", "wasm/bridge"},
		never: []string{"components/...", "internal/store/...", "handlers/...", "net/http", anyDependency},
		why:   "the journal over one selection of the engine: it folds the selected lines again and knows neither pages nor databases",
	},
	{
		path:  "internal/provenance",
		may:   []string{"figs", "figs/jsonl", "internal/journal"},
		never: []string{"components/...", "internal/store/...", "handlers/...", "net/http", "wasm/...", anyDependency},
		why:   "what made a derived value, told from what a journal answers, whoever keeps it",
	},
	{
		path:  "internal/local",
		may:   []string{"figs", "figs/find", "internal/attachtext", "figs/folder", "internal/journal", "internal/journal/selected", "internal/kind", "internal/lock", "internal/project", "internal/reply", "internal/wholefile", "github.com/google/uuid", "wasm/bridge"},
		never: []string{"components/...", "internal/store/...", "handlers/...", "net/http", templ, echo, sqlite, pgx},
		why:   "the journal and the attachments of folders on this machine, for whoever shows them",
	},
	{
		path:  "internal/lock",
		never: []string{"figs", anyDependency},
		why:   "one of our processes at a time, on every system",
	},
	{
		path:  "internal/wholefile",
		may:   []string{"internal/lock"},
		never: []string{"figs", anyDependency},
		why:   "every file that is written on this machine appears whole, whoever writes it",
	},
	{
		path:  "internal/kind",
		may:   []string{"figs", "figs/jsonl"},
		never: heavy,
		why:   "what the other folders of agents have in common: bytes are pushed in, as in the core",
	},
	{
		path:  "internal/artifacts",
		may:   []string{"figs", "figs/jsonl", "internal/kind"},
		never: heavy,
		why:   "another kind of folder under the rules of the core: any door can afford it",
	},
	{
		path:  "internal/artifacts/publish",
		may:   []string{"figs", "internal/artifacts", "internal/kind", "internal/project", "internal/wholefile"},
		never: []string{"components/...", "handlers/...", "internal/store/...", "net/http", anyDependency},
		why:   "it writes records, for the command alone: nothing else of ours publishes an artifact",
	},
	{
		path:  "internal/findings",
		may:   []string{"figs", "figs/jsonl", "internal/kind"},
		never: heavy,
		why:   "another kind of folder under the rules of the core: any door can afford it",
	},
	{
		path:  "internal/findings/ledger",
		may:   []string{"figs", "internal/findings", "internal/kind", "internal/lock", "internal/wholefile"},
		never: []string{"components/...", "handlers/...", "internal/store/...", "net/http", anyDependency},
		why:   "it writes a registry, for the commands alone",
	},
	{
		path:  "internal/agentfile",
		may:   []string{"figs", "figs/jsonl", "internal/kind", "go.yaml.in/yaml/v3"},
		never: []string{"components/...", "handlers/...", "internal/store/...", "net/http", "os/exec"},
		why:   "workflow files are YAML, which the reader can afford and the engine cannot",
	},
	{
		path:  "internal/project",
		may:   []string{"figs", "internal/journal", "internal/kind", "internal/artifacts", "internal/findings", "internal/agentfile"},
		never: []string{"components/...", "handlers/...", "internal/store/...", "net/http"},
		why:   "it finds the other kinds and drives their readers, whoever has the files",
	},
	{
		path:  "internal/recordjson",
		may:   []string{"figs", "internal/journal", "internal/remark"},
		never: []string{"components/...", "handlers/...", "internal/store/...", "net/http", anyDependency},
		why:   "the JSON of a record, which the read API, MCP and the command line share: it knows none of them",
	},
	{
		path:  "internal/comparison",
		may:   []string{"figs"},
		never: []string{"components/...", "handlers/...", "internal/store/...", "net/http", anyDependency},
		why:   "what became of agents, and its JSON: bytes of files are compared by whoever has them",
	},
	{
		path:  "internal/recordjson/recordjsontest",
		may:   []string{"figs"},
		never: []string{"internal/...", "components/...", "handlers/...", anyDependency},
		why:   "records with every field of the protocol, for the tests of whatever sends records",
	},
	{
		path:  "internal/remote",
		may:   []string{"figs", "internal/journal", "internal/safedial", "internal/version"},
		never: []string{"components/...", "handlers/...", "internal/store/...", anyDependency},
		why:   "a client of the read API, which knows a server by its answers alone",
	},
	{
		path: "internal/mcp",
		may: []string{"figs", "figs/folder", "figs/jsonl", "figs/lessons", "internal/journal", "internal/local", "internal/project", "internal/recordjson", "internal/artifacts", "internal/findings", "internal/agentfile", "internal/version",
			"github.com/modelcontextprotocol/go-sdk/...", "github.com/google/jsonschema-go/..."},
		never: []string{"components/...", "handlers/...", "internal/store/...", "internal/findings/ledger", "internal/artifacts/publish"},
		why:   "models read and validate through it: nothing that writes or decides is within its reach",
	},
	{path: "sandbox/report", never: []string{"figs", "components/...", anyDependency}, why: "the result of the sandbox, so that pages can show it without linking the sandbox"},
	{path: "sandbox/visible", never: []string{"figs", "components/...", anyDependency}, why: "one set of hidden characters, in documents and on pages, which don't link the sandbox for it"},
	{
		path: "sandbox/...",
		may: []string{"sandbox/report", "sandbox/visible", "sandbox/internal/...", goldmark, bluemonday, "golang.org/x/net/html/...", "golang.org/x/net/idna",
			"golang.org/x/image/...", "golang.org/x/text/...", "github.com/tdewolff/parse/v2/...", "github.com/lucasb-eyer/go-colorful", "github.com/mtibben/confusables"},
		never: []string{"figs", "components/...", "internal/store/...", "net/http", echo, templ},
		why:   "it turns untrusted bytes into safe documents and stands alone, so that it can be judged alone",
	},
	{
		path:  "components/words",
		may:   []string{"github.com/leonelquinteros/gotext/plurals"},
		never: []string{"figs", "components", "internal/...", "net/http", "encoding/...", "github.com/leonelquinteros/gotext"},
		why:   "sentences in other languages, in the program and in the inspector alike",
	},
	{path: "components/i18n", may: []string{"components/words", templ}, never: belowPages, why: "our sentences in the reader's language"},
	{path: "components/agenttext", may: []string{"components/i18n", "sandbox/visible", templ}, never: belowPages, why: "what an agent wrote, isolated: the only way onto a page"},
	{path: "components/ui", may: []string{"components/agenttext", "components/i18n", "figs", "internal/findings", "internal/journal", "internal/listquery", "internal/project", "internal/receipt", "internal/remark", "internal/reply", "internal/sentence", "internal/share", "sandbox/report", templ}, never: belowPages, why: "what all pages are made of"},
	{path: "components/pagetest", may: []string{"components/ui", "figs", "figs/jsonl", "internal/journal", "golang.org/x/net/html"}, never: belowPages, why: "for tests of pages: a journal in memory, selectors, the golden file of what pages tell"},
	{path: "components/emails", may: []string{"components/agenttext", "components/i18n", templ}, never: append([]string{"figs", "internal/..."}, belowPages...), why: "the one layout of the emails that people get"},
	{path: "components/charts", may: []string{"components/agenttext", "components/i18n", "components/ui", "figs", "internal/journal", templ}, never: belowPages, why: "drawings"},
	{path: "components/viewer", may: []string{"components/agenttext", "components/i18n", "components/ui", "figs", "internal/journal", "internal/receipt", "internal/remark", "internal/reply", "sandbox/report", "sandbox/visible", templ}, never: belowPages, why: "the page's side of the attachment viewer"},
	{path: "components/listview", may: []string{"components/agenttext", "components/i18n", "components/ui", "internal/listquery", templ}, never: belowPages, why: "a list as a table, whatever it lists"},
	{path: "components/reportpages", may: []string{"components/agenttext", "components/charts", "components/i18n", "components/listview", "components/ui", "internal/journal", "internal/listquery", "internal/report", templ}, never: belowPages, why: "what a period shows about decisions; whoever reads it decides what it may see"},
	{path: "components/accountpages", may: []string{"components/agenttext", "components/i18n", "components/listview", "components/ui", "figs", "internal/journal", "internal/listquery", "internal/receipt", templ}, never: belowPages, why: "people, their settings and those of a workspace; it knows no record"},
	{path: "components/recordviews", may: []string{"components/agenttext", "components/i18n", "components/ui", "components/viewer", "figs", "figs/jsonl", "figs/lessons", "internal/journal", "internal/remark", templ}, never: belowPages, why: "views of records that several pages share"},
	{path: "components/askpages", may: []string{"components/agenttext", "components/i18n", "components/listview", "internal/listquery", "components/recordviews", "components/ui", "components/viewer", "figs", "internal/journal", "internal/receipt", "internal/remark", "internal/reply", "sandbox/report", templ}, never: belowPages, why: "asks and their decisions"},
	{path: "components/agentpages", may: []string{"components/agenttext", "components/askpages", "components/charts", "components/i18n", "components/recordviews", "components/ui", "components/viewer", "figs", "figs/find", "figs/jsonl", "internal/journal", "internal/provenance", "internal/redact", "internal/share", "sandbox/report", templ}, never: belowPages, why: "one agent"},
	{path: "components/workspacepages", may: []string{"components/agentpages", "components/agenttext", "components/askpages", "components/charts", "components/i18n", "components/listview", "components/recordviews", "components/ui", "figs", "figs/find", "internal/journal", "internal/listquery", templ}, never: belowPages, why: "all agents of a workspace"},
	{path: "components/projectpages", may: []string{"components/agenttext", "components/charts", "components/i18n", "components/recordviews", "components/ui", "components/viewer", "figs", "figs/jsonl", "internal/agentfile", "internal/artifacts", "internal/findings", "internal/journal", "internal/project", templ}, never: belowPages, why: "other folders of agents beside .figs"},
	{
		path:  "components",
		may:   []string{"components/...", "figs", "internal/journal", templ},
		never: belowPages,
		why:   "pages are built from Journal values alone, so that the browser and the server show the same; this finds the page of a path",
	},
	{
		path:  "internal/hiddentext",
		may:   []string{"figs", "figs/jsonl", "figs/folder", "sandbox", "sandbox/report"},
		never: []string{"components/...", "handlers/...", "internal/store/...", "net/http", templ, echo},
		why:   "what a model reads of a folder and a person does not see, for every door",
	},
	{
		path:  "internal/redact",
		may:   []string{"figs", "figs/jsonl", "golang.org/x/text/unicode/norm"},
		never: []string{"components/...", "handlers/...", "internal/store/...", "internal/journal/...", "net/http"},
		why:   "what is a secret and what stands in its place, the same at every door: it opens nothing and sends nothing",
	},
	{
		path:  "internal/share",
		may:   []string{"figs", "figs/jsonl", "internal/receipt", "internal/redact", "golang.org/x/text/unicode/norm"},
		never: []string{"components/...", "handlers/...", "internal/store/...", "internal/journal/...", "archive/zip", "net/http"},
		why:   "a copy for somebody else, pushed its bytes, so that the page and the terminal make the same one",
	},
	{
		path:  "internal/share/parcel",
		may:   []string{"figs", "figs/folder", "internal/inspector", "internal/inspector/artifact", "internal/receipt", "internal/redact", "internal/share"},
		never: []string{"components/...", "handlers/...", "internal/store/...", "net/http"},
		why:   "the copy as a zip or a page, for whoever has files",
	},
	{
		path:  "internal/sentence",
		never: []string{"figs", anyDependency},
		why:   "sentences with arguments, which errors carry and pages say in the reader's language",
	},
	{
		path:  "internal/remark",
		may:   []string{"figs", "internal/sentence"},
		never: []string{"components/...", "handlers/...", "internal/store/...", "internal/journal/...", "net/http", anyDependency},
		why:   "what a person says about one place, as it travels in a reply's note",
	},
	{
		path:  "internal/reply",
		may:   []string{"figs", "internal/remark", "internal/sentence"},
		never: []string{"components/...", "handlers/...", "internal/store/...", "internal/journal/...", "net/http", anyDependency},
		why:   "what a person says to an ask, the same at every door: the form, what an approval waits for, the event",
	},
	{
		path:  "internal/receipt",
		may:   []string{"figs", "internal/journal", "internal/remark"},
		never: []string{"components/...", "handlers/...", "internal/store/...", "net/http", anyDependency},
		why:   "what proves a decision, written by a server and checked without one: in the browser, at the terminal",
	},
	{
		path:  "internal/store",
		may:   []string{"figs"},
		never: []string{"components/...", "handlers/...", sqlite, pgx},
		why:   "the contract of what is kept; it knows no driver",
	},
	{
		path:  "internal/store/storejournal",
		may:   []string{"figs", "figs/find", "figs/jsonl", "internal/export", "internal/journal", "internal/journal/selected", "internal/listquery", "internal/store", "internal/cache", "wasm/bridge"},
		never: []string{"components/...", "handlers/...", "internal/store/sqlstore", anyDependency},
		why:   "pages from any store: it knows the contract and no database",
	},
	{
		path:  "internal/cache",
		never: []string{"figs", "internal/store", anyDependency},
		why:   "one bounded cache for whatever is costly to make",
	},
	{
		path:  "internal/foldercache",
		may:   []string{"internal/journal", "internal/store", "internal/store/storejournal", "internal/cache"},
		never: []string{"components/...", "handlers/...", "internal/store/sqlstore", anyDependency},
		why:   "agents that were read whole, kept as long as nothing about them changes",
	},
	{
		path:  "internal/store/storetest",
		may:   []string{"figs", "figs/find", "figs/find/findtest", "internal/store", "internal/testenv", "github.com/google/go-cmp/...", pgx},
		never: []string{"components/...", "handlers/...", echo, sqlite},
		why:   "the answers that every store must give, whichever database keeps it",
	},
	{
		path:  "internal/store/...",
		may:   []string{"figs", "figs/find", "figs/jsonl", "internal/journal", "internal/listquery", "internal/accounts", "internal/store", "internal/cache", sqlite, pgx},
		never: []string{"components/...", "handlers/...", echo},
		why:   "databases keep and never decide; who may reply, the one table says",
	},
	{
		path:  "internal/blob",
		may:   []string{"internal/wholefile"},
		never: []string{"components/...", "handlers/...", "internal/store/...", anyDependency},
		why:   "attachment bytes by hash, nothing else",
	},
	{path: "internal/blob/blobtest", may: []string{"internal/blob"}, never: []string{anyDependency}, why: "what every keeper of bytes must do, wherever it keeps them"},
	{path: "internal/blob/s3", may: []string{"internal/blob", "internal/safedial", "github.com/minio/minio-go/v7/..."}, never: []string{"components/...", "handlers/...", "internal/store/...", echo}, why: "the same bytes in a bucket"},
	{path: "internal/blob/s3/s3test", may: []string{"internal/blob/s3", "internal/testenv", "github.com/minio/minio-go/v7/..."}, why: "a bucket for tests, and all that goes wrong on the way to one"},
	{path: "handlers/viewer", may: []string{"figs", "handlers/httperr", "internal/blob", "internal/cache", "internal/journal", "internal/reply", "sandbox", "sandbox/report"}, never: []string{sqlite, pgx}, why: "attachments as documents, which know no visitor"},
	{path: "handlers/web", may: []string{"components/...", "handlers/httperr", "handlers/parcel", "handlers/viewer", "handlers/auth", "internal/blob", "internal/inspector", "internal/journal", "internal/changefeed", "internal/accounts", "internal/receipt", "internal/reply", "internal/share", "internal/share/parcel", "internal/store", "sandbox/report", "static", echo, templ}, never: []string{sqlite, pgx}, why: "what every server does, which knows no workspace"},
	{path: "handlers/hosted", may: []string{"components/...", "figs", "internal/chat", "handlers/httperr", "handlers/viewer", "handlers/auth", "handlers/web", "internal/blob", "internal/cache", "internal/export", "internal/listquery", "internal/journal", "internal/hiddentext", "internal/changefeed", "internal/mail", "internal/oidc", "internal/passkey", "internal/provision", "internal/accounts", "internal/project", "internal/receipt", "internal/foldercache", "internal/remark", "internal/safedial", "internal/share", "internal/share/parcel", "internal/store", "internal/store/storejournal", "sandbox/report", echo, templ}, never: []string{sqlite, pgx}, why: "what the areas of the hosted reader share"},
	{path: "handlers/account", may: []string{"components/...", "handlers/httperr", "handlers/hosted", "handlers/viewer", "handlers/auth", "handlers/web", "internal/mail", "internal/oidc", "internal/passkey", "internal/provision", "internal/accounts", "internal/store", echo}, never: []string{sqlite, pgx}, why: "people and how they sign in"},
	{path: "handlers/workspaces", may: []string{"components/...", "figs", "handlers/httperr", "handlers/hosted", "handlers/parcel", "handlers/viewer", "handlers/auth", "handlers/web", "internal/demo", "internal/export", "internal/journal", "internal/listquery", "internal/accounts", "internal/report", "internal/share", "internal/store", "sandbox/report", echo, templ}, never: []string{sqlite, pgx}, why: "settings of a workspace, and its reports"},
	{path: "handlers/decide", may: []string{"internal/attachtext", "components/...", "figs", "handlers/api", "handlers/httperr", "handlers/hosted", "handlers/parcel", "handlers/viewer", "handlers/auth", "handlers/web", "internal/listquery", "internal/journal", "internal/accounts", "internal/receipt", "internal/remark", "internal/reply", "internal/store", "sandbox/report", "sandbox/visible", echo}, never: []string{sqlite, pgx}, why: "replies to asks"},
	{path: "handlers/notifications", may: []string{"components/...", "figs", "internal/chat", "handlers/hosted", "handlers/viewer", "handlers/auth", "handlers/web", "internal/journal", "internal/listquery", "internal/mail", "internal/notify", "internal/accounts", "internal/store", "static", echo}, never: []string{sqlite, pgx}, why: "how people are told"},
	{path: "handlers/local", may: []string{"components/...", "figs", "handlers/decide", "handlers/httperr", "handlers/hosted", "handlers/viewer", "handlers/web", "internal/journal", "internal/changefeed", "internal/project", "internal/receipt", "internal/remark", "internal/reply", "internal/share", "internal/share/parcel", "internal/store", "sandbox/report", "sandbox/visible", echo}, never: []string{sqlite, pgx}, why: "an open folder, which has no accounts"},
	{
		path: "handlers/...",
		may: []string{"handlers/...", "figs", "figs/find", "internal/attachtext", "figs/jsonl", "figs/lessons", "internal/feed", "internal/journal", "internal/listquery", "internal/mcp", "internal/recordjson", "internal/hiddentext", "internal/safedial", "internal/share", "internal/share/parcel", "internal/remark", "internal/reply", "internal/receipt", "internal/sentence", "internal/store", "internal/store/storejournal", "internal/foldercache", "internal/cache", "internal/blob", "internal/project", "internal/accounts", "internal/changefeed", "internal/demo", "internal/inspector", "internal/version", "internal/mail", "internal/passkey", "internal/oidc", "internal/notify", "internal/export", "components/...",
			"sandbox", "sandbox/report", "static", echo, templ},
		never: []string{sqlite, pgx},
		why:   "a handler parses, asks and shows; which database answers is not its business",
	},
	{
		path:  "internal/accounts",
		may:   []string{"internal/sentence", "internal/store", "golang.org/x/crypto/argon2"},
		never: []string{"components/...", "handlers/...", "net/http", sqlite, pgx},
		why:   "passwords, tokens, codes and who may do what: the same for pages and the terminal",
	},
	{
		path:  "internal/changefeed",
		may:   []string{"internal/store"},
		never: []string{"components/...", "handlers/...", "net/http", sqlite, pgx},
		why:   "it tells open pages that a workspace has changed; what changed, they ask for",
	},
	{
		path:  "internal/client",
		may:   []string{"figs", "figs/folder"},
		never: []string{"components/...", "handlers/...", "internal/store/...", anyDependency},
		why:   "a client of the wire contract, which knows the server by its answers alone",
	},
	{
		path:  "internal/demo",
		may:   []string{"figs", "internal/client", "static"},
		never: []string{"components/...", "handlers/...", sqlite, pgx},
		why:   "the demo workspace comes through the same door as every push",
	},
	{
		path:  "internal/yearfixture/...",
		may:   []string{"internal/yearfixture"},
		never: []string{"components/...", "handlers/...", "net/http", sqlite, pgx},
		why:   "a year of five agents is made of nothing but its numbers, for tests and for people who try things out",
	},
	{
		path:  "wasm/bridge",
		may:   []string{"figs", "figs/find", "figs/jsonl"},
		never: engineFree,
		why:   "it is the engine without its exports, tested natively: what it links, every visitor downloads",
	},
	{
		path:  "wasm/engine",
		may:   []string{"figs", "wasm/bridge"},
		never: engineFree,
		why:   "the engine is the core and nothing else: its size is a budget",
	},
	{
		path:  "wasm/jsonapi",
		may:   []string{"figs", "figs/find", "figs/folder", "internal/comparison", "internal/journal", "internal/journal/selected", "internal/recordjson", "internal/version", "wasm/bridge"},
		never: []string{"components/...", "handlers/...", "internal/store/...", "sandbox/...", "net/http", anyDependency},
		why:   "the engine for other programs: answers in JSON, and nothing that they don't need",
	},
	{path: "wasm/library", may: []string{"wasm/jsonapi"}, never: []string{"components/...", "handlers/...", "internal/store/...", "sandbox/...", "net/http", anyDependency}, why: "jsonapi as a module; its size is that of the npm package"},
	{
		path: "wasm/reader/...",
		may: []string{"figs", "internal/hiddentext", "internal/attachtext", "figs/jsonl", "figs/lessons", "internal/journal", "internal/journal/selected", "wasm/bridge", "components/...", "sandbox", "sandbox/report", "internal/project", "internal/kind", "internal/artifacts", "internal/findings", "internal/agentfile",
			"internal/redact", "internal/remark", "internal/share", "internal/reply", "internal/receipt", "internal/sarif", "internal/version"},
		never: []string{"handlers/...", "internal/store/...", "wasm/engine", echo, sqlite, pgx, kong},
		why:   "the reader turns selections into pages in the browser: it has no server and no database",
	},
	{
		path:  "static",
		never: []string{"figs", "components/...", "handlers/...", "net/http", anyDependency},
		why:   "embedded files and nothing that could run",
	},
	{
		path:  "internal/sarif",
		may:   []string{"figs", "figs/lessons"},
		never: []string{"components/...", "handlers/...", "net/http", anyDependency},
		why:   "a report in the format of code scanning, for the terminal and the page alike",
	},
	{path: "internal/annotate", may: []string{"figs"}, never: []string{"components/...", "handlers/...", "net/http", anyDependency}, why: "findings in the formats of CI services: it writes bytes and opens nothing"},
	{path: "internal/schema", may: []string{"figs"}, never: []string{"components/...", "handlers/...", "net/http", anyDependency}, why: "the rules of shape as JSON Schema: constants, and lists of the core"},
	{path: "internal/attachtext", may: []string{"figs/find"}, never: []string{"components/...", "handlers/...", "internal/store/...", "net/http", anyDependency}, why: "the words of files that are text, read in one way wherever they are searched"},
	{path: "internal/mail", may: []string{"internal/safedial", "github.com/wneessen/go-mail/...", "github.com/emersion/..."}, never: []string{"figs", "internal/store", "handlers/...", "components"}, why: "emails to people, independent of who writes them"},
	{path: "internal/safedial", may: []string{"golang.org/x/net/dns/dnsmessage"}, never: []string{"figs", "internal/store", "handlers/..."}, why: "it reaches addresses that people typed, and nothing inside the network; it says which hosts are this machine"},
	{path: "internal/passkey/...", may: []string{"internal/passkey/...", "internal/accounts", "internal/store", "internal/store/sqlstore", webauthn}, never: []string{echo, sqlite, pgx}, why: "ceremonies of passkeys, without their pages"},
	{path: "internal/provision", may: []string{"internal/accounts", "internal/oidc", "internal/store"}, never: []string{"internal/store/sqlstore", "handlers/...", "components/...", echo}, why: "the rules by which a provider's person gets an account and roles, for sign-ins and for their test"},
	{path: "internal/oidc/...", may: []string{"internal/oidc/...", "internal/safedial", "github.com/coreos/go-oidc/v3/...", "golang.org/x/oauth2/..."}, never: []string{"internal/store", "handlers/...", "components/...", echo}, why: "it asks a provider who somebody is, keeps nothing and knows no pages"},
	{path: "internal/chat", never: []string{"figs", "components/...", "internal/store/...", "handlers/...", anyDependency}, why: "messages as each chat service wants them; it sends nothing and knows no store"},
	{path: "internal/notify/...", may: []string{"figs", "internal/chat", "internal/reply", "internal/report", "internal/store", "internal/store/sqlstore", "internal/mail", "internal/safedial", "internal/accounts", "internal/changefeed", "internal/blob", "components/emails", "components/i18n", "github.com/SherClockHolmes/webpush-go", "github.com/emersion/..."}, never: []string{"handlers/...", "components/ui", echo}, why: "who is notified of what, and how it gets there; emails are in the recipient's language, and in the one layout of emails, but it knows no pages"},
	{path: "internal/metrics", may: []string{"internal/store", "internal/store/sqlstore", "internal/version", "figs", "handlers", "github.com/prometheus/..."}, never: []string{sqlite, pgx}, why: "figures for machines, on a listener of their own"},
	{path: "internal/config", may: []string{"figs", kong}, never: []string{"internal/store", "handlers/...", "components/...", "net/http"}, why: "flags, environment and file are one table"},
	{path: "internal/backup", may: []string{"internal/store", "internal/blob", "internal/lock", "internal/store/sqlstore", "internal/version", "internal/wholefile"}, never: []string{"handlers/...", echo}, why: "a copy of everything that a reader keeps, and the proof of it"},
	{path: "internal/upgrade", may: []string{}, never: []string{anyDependency, "net/http", "os/exec"}, why: "what signed checksums say: bytes in, an answer out"}, {path: "internal/clock", may: []string{"internal/store"}, never: []string{anyDependency}, why: "one clock for all nodes"}, {path: "internal/export", may: []string{"figs", "figs/folder", "internal/store", "internal/store/sqlstore", "internal/blob", "internal/project"}, never: []string{"handlers/...", echo, sqlite, pgx}, why: "agents as the folders that they came from"},
	{path: "internal/feed", may: []string{"figs"}, never: []string{anyDependency}, why: "lines of ledgers as events in words, the same in a folder and on a server"},
	{path: "internal/fswatch", may: []string{"github.com/fsnotify/fsnotify"}, never: []string{"figs"}, why: "it tells that folders changed, and knows nothing of what is in them"},
	{path: "internal/cli/cmd", may: []string{"figs", "figs/folder", "handlers", "internal/blob", "internal/blob/s3", "internal/config", "internal/lock", "internal/remote", "internal/store", "internal/wholefile", "golang.org/x/text/width", "github.com/schollz/progressbar/..."}, never: withoutDrivers, why: "one call of the program: it takes its terminal, clock and version as values, so that tests can give them"},
	{path: "internal/cli/input", may: []string{"figs", "figs/folder", "internal/cli/cmd", "internal/fswatch", "internal/local", "internal/project"}, never: withoutDrivers, why: "folders, zip files and ledgers that are named to be read"},
	{path: "internal/cli/datadir", may: []string{"internal/backup", "internal/cli/cmd", "internal/clock", "internal/config", "internal/lock", "internal/store"}, never: withoutDrivers, why: "opens what a hosted reader keeps"},
	{path: "internal/cli/check", may: []string{"figs", "figs/find", "figs/folder", "figs/lessons", "internal/annotate", "internal/cli/cmd", "internal/cli/input", "internal/provenance", "internal/inspector", "internal/inspector/artifact", "internal/journal", "internal/journal/selected", "internal/hiddentext", "internal/local", "internal/project", "internal/receipt", "internal/redact", "internal/sarif", "internal/schema", "internal/share", "internal/share/parcel", "internal/wholefile", "sandbox", "sandbox/report", "wasm/bridge", "internal/comparison", "internal/recordjson"}, never: withoutDrivers, why: "commands that read a folder"},
	{path: "internal/cli/serve", may: []string{"components/words", "handlers", "internal/cli/cmd", "internal/cli/datadir", "internal/cli/input", "internal/clock", "internal/config", "internal/demo", "internal/safedial", "internal/inspector", "internal/changefeed", "internal/local", "internal/mail", "internal/metrics", "internal/notify", "internal/oidc", "internal/provision", "internal/accounts", "internal/share/parcel", "internal/store", "golang.org/x/crypto/acme/...", kong}, never: withoutDrivers, why: "commands that run a server"},
	{path: "internal/cli/admin", may: []string{"internal/cli/cmd", "internal/cli/datadir", "internal/cli/serve", "internal/config", "internal/mail", "internal/oidc", "internal/provision", "internal/accounts", "internal/store"}, never: withoutDrivers, why: "commands that look after a hosted reader"},
	{path: "internal/cli/backup", may: []string{"internal/backup", "internal/blob", "internal/cli/cmd", "internal/cli/datadir", "internal/export", "internal/lock", "internal/store", "internal/wholefile"}, never: withoutDrivers, why: "commands that copy a hosted reader"},
	{path: "internal/cli/tree", may: []string{"figs", "figs/folder", "internal/agentfile", "internal/cli/cmd", "internal/cli/input", "internal/feed", "internal/findings", "internal/artifacts", "internal/journal", "internal/lock", "internal/mcp", "internal/project", "internal/recordjson", "internal/remote", "internal/upgrade", "internal/wholefile"}, never: withoutDrivers, why: "commands that work on paths"},
	{path: "internal/cli/kinds", may: []string{"figs", "internal/cli/check", "internal/cli/cmd", "internal/cli/input", "internal/findings", "internal/findings/ledger", "internal/artifacts", "internal/artifacts/publish", "internal/kind", "internal/project"}, never: withoutDrivers, why: "commands for other folders that agents write"},
	{path: "internal/cli", may: []string{"internal/cli/...", "internal/config", "internal/schema", kong, kongplete, "github.com/posener/complete"}, never: withoutDrivers, why: "the grammar of the command line, and what runs it"},
	{
		path:  "cmd/figs-web",
		may:   []string{"figs/...", "internal/...", "components/...", "handlers", "sandbox/...", "static", kong, "golang.org/x/term"},
		never: []string{"github.com/chromedp/..."},
		why:   "the only place where the parts are wired together",
	},
	{
		path:  "internal/inspector/artifact",
		never: []string{"figs", "components/...", "handlers/...", "static", "net/http", anyDependency},
		why:   "it describes the one file, for the program that builds it and the command that verifies one",
	},
	{
		path:  "internal/inspector",
		may:   []string{"internal/inspector/artifact", "static"},
		never: []string{"figs", "components/...", "handlers/...", "net/http", anyDependency},
		why:   "it hands out the file that the binary carries; whoever serves or writes it comes to it",
	},

	// What builds, measures and checks the rest; nothing that is shipped imports it.
	{path: "internal/archtest", may: []string{"internal/testenv", "github.com/andybalholm/brotli/..."}, why: "these rules"},
	{path: "internal/version", never: []string{"figs", anyDependency}, why: "one constant, for whoever names the release"},
	{path: "internal/testenv/effort", why: "tests of costly inputs measure with it"},
	{path: "internal/testenv/headless", may: []string{"github.com/chromedp/..."}, why: "how tests and benchmarks start Chromium"},
	{path: "internal/testenv", never: []string{"figs", anyDependency}, why: "every test may use it, so it uses nothing"},
	{path: "internal/setup/...", may: []string{"internal/testenv"}, never: []string{anyDependency}, why: "it runs on a machine with only Go, before anything is downloaded"},
	{path: "internal/build/man", may: []string{"internal/cli"}, never: withoutDrivers, why: "manual pages, from the model of the command line"},
	{path: "internal/build/i18ncheck", may: []string{"components/words", "figs/lessons", "internal/build/sentences"}, why: "every English sentence that pages show, the lessons too"},
	{path: "internal/build/icons", may: []string{"static", "golang.org/x/image/vector"}, why: "the icons of the installed app, drawn from the SVG file"},
	{path: "internal/build/npm", may: []string{"internal/testenv", "internal/version"}, never: []string{"figs", anyDependency}, why: "it assembles the npm package from what is built"},
	{path: "internal/build/typescript", may: []string{"figs", "internal/comparison", "internal/recordjson", "internal/remark", "internal/testenv", "wasm/jsonapi"}, never: []string{"handlers/..."}, why: "types of the npm package, from the Go types"},
	{path: "internal/build/corpus", may: []string{"figs/figstest", "internal/testenv", "internal/version"}, never: []string{"handlers/..."}, why: "the conformance vectors as a file to download"},
	{path: "internal/build/...", may: []string{"components/words", "internal/build/sentences", "internal/inspector/artifact", "internal/version", "static", "golang.org/x/net/html", "github.com/andybalholm/brotli/...", "github.com/evanw/esbuild/..."}, never: []string{"handlers/..."}, why: "what make runs to assemble files"},
	{path: "internal/attack/...", may: []string{"figs", "sandbox", "sandbox/report", "handlers", "internal/journal", "internal/testenv/...", "github.com/chromedp/..."}, why: "hostile attachments against the viewer, in a real browser"},
	{path: "internal/clustertest", may: []string{"figs", "internal/client", "internal/accounts", "internal/reply", "internal/store", "internal/store/sqlstore", "internal/store/storetest", "internal/blob", "internal/blob/s3", "internal/blob/s3/s3test", "internal/testenv", pgx}, why: "three real nodes, what goes wrong between them, and nothing that is shipped"},
	{path: "internal/load/...", may: []string{"figs", "internal/accounts", "internal/blob", "internal/load/...", "internal/store", "internal/store/sqlstore", "internal/testenv", "internal/bench/table", "internal/blob/s3/s3test", echo, pgx}, why: "it drives what is shipped, as many agents and people at once"},
	{path: "internal/fidelity/...", may: []string{"sandbox", "sandbox/report", "internal/testenv/...", "github.com/chromedp/..."}, why: "realistic reports against what the viewer makes of them"},
	{path: "internal/hiding", never: []string{"sandbox", anyDependency}, why: "a collection of documents that any test may use"},
	{path: "internal/hiding/prove", may: []string{"internal/hiding", "sandbox", "sandbox/report", "internal/testenv", "static"}, never: []string{"handlers"}, why: "what browsers draw of the collection, and what is said about it"},
	{path: "internal/e2e", never: []string{"figs", "handlers", anyDependency}, why: "tests in real browsers and nothing else"},
	{path: "internal/bench/...", may: []string{"figs/...", "sandbox", "sandbox/report", "internal/attack/corpus", "golang.org/x/net/html/...", "wasm/bridge", "internal/testenv/...", "internal/build/...", "static", "handlers", "internal/store", "internal/store/sqlstore", "internal/blob", echo, "github.com/chromedp/...", "github.com/andybalholm/brotli/..."}, why: "it measures what is shipped"},
}

// toolRooms are never part of what is shipped: no room outside this list may import them (tests may).
var toolRooms = []string{"internal/store/storetest", "figs/find/findtest", "internal/archtest", "internal/testenv/...", "internal/setup/...", "internal/build/...", "internal/bench/...", "internal/e2e", "internal/attack/...", "internal/fidelity/...", "internal/hiding/...", "internal/clustertest", "internal/load/...", "internal/blob/blobtest", "internal/blob/s3/s3test"}

// topLevel lists the folders that may stand beside go.mod.
var topLevel = map[string]string{
	"cmd": "programs", "figs": "the importable core", "wasm": "the modules", "handlers": "routes",
	"components": "pages", "sandbox": "untrusted attachments", "static": "embedded files", "internal": "everything else",
	"docs": "longer texts and pictures", "tools": "pinned tools", "packaging": "what is shipped around the program", "packages": "libraries for other languages", "examples": "agents that report in a folder", "api": "what importers may rely on", ".ci": "what continuous integration runs", ".github": "the forge's own settings",
}
