package api

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/httperr"
)

// call is one address: how it is found, what it takes and what it gives. The routes, the checks
// of queries and the description are all made from these.
type call struct {
	path    string // below Base, with its variable parts after colons
	name    string // of the operation
	summary string
	takes   []param
	gives   string // name of its schema; "" is what answer sends by itself
	answer  func(*request) (any, error)
}

// param is a key that the query of an address may have.
type param struct {
	name, about string
	number      bool
	most        int      // of a number; 0 is any
	words       []string // that it may be; nil: any text
	required    bool
	moment      bool // it is a day or a time
}

// beside reports whether the answer tells of what does not raise the workspace's number, so that its
// tag must be made of it.
func (k *call) beside() bool { return strings.HasPrefix(k.path, draftsAt) }

var (
	fromParam = param{name: "from", about: "How many items to skip.", number: true, most: 1 << 30}
	nParam    = param{name: "n", about: "How many items to give, 50 unless said.", number: true, most: 200}
	qParam    = param{name: "q", about: "Words that must all occur."}
	atParam   = param{name: "at", about: "What had arrived at the server by then: a day, to its end in UTC, as 2026-05-04, or a time as 2026-05-04T10:00:00Z. With it, q is not taken.", moment: true}
	agentOnly = param{name: "agent", about: "Only what belongs to this agent, by its key."}
)

var jobStates = figs.OutcomeWords()

var tabs = []string{"needs", "waiting", "closed"}

// inboxTabs are also what is only reported, and what who asks has put off.
var inboxTabs = []string{"needs", "reported", "waiting", "closed", "snoozed"}

const (
	inWorkspace = "/workspaces/:workspace"
	ofAgent     = inWorkspace + "/agents/:agent"
	draftsAt    = ofAgent + "/asks/:id/drafts"
	tokensAt    = "/tokens"
)

var calls = []call{
	{"/workspaces", "listWorkspaces", "The workspaces of who asks.", nil, "Workspaces", listWorkspaces},
	{tokensAt, "listTokens", "Your tokens that are good, newest first. What a token is, only its holder knows.", nil, "Tokens", listTokens},
	{tokensAt + "/:id", "showToken", "One of them.", nil, "Token", showToken},
	{inWorkspace, "showWorkspace", "One workspace.", nil, "Workspace", showWorkspace},
	{inWorkspace + "/inbox", "listInbox", "Asks of all agents: those that need a human, longest wait first; the other tabs newest first. By default only what is asked of who asks.", []param{
		{name: "tab", about: "Which part; needs unless said.", words: inboxTabs},
		{name: "everybody", about: "1 gives what is asked of anybody.", words: []string{"1"}},
		agentOnly,
		{name: "department", about: "Only agents of this department."},
		{name: "type", about: "Only this type of ask.", words: []string{"question", "sign-off"}},
		{name: "to", about: "Only what is put to the agent's manager, or to its builder.", words: []string{"manager", "builder"}},
		{name: "age", about: "Only what has waited for so many hours.", number: true, most: 1 << 20},
		fromParam, nParam,
	}, "Inbox", listInbox},
	{inWorkspace + "/activity", "showActivity", "What happened in a period that ends today. Days and hours are those of UTC.", []param{
		{name: "days", about: "Length of the period, 28 unless said.", words: []string{"28", "91", "364"}}, agentOnly,
	}, "Activity", showActivity},
	{inWorkspace + "/search", "search", "Records, replies and text attachments of all agents that hold the words, newest first.", []param{
		{name: "q", about: "Words that must all occur.", required: true}, fromParam, nParam,
	}, "Found", search},
	{inWorkspace + "/agents", "listAgents", "All agents of the workspace.", nil, "Agents", listAgents},
	{ofAgent, "showAgent", "One agent, with its charter as it wrote it.", nil, "AgentAlone", showAgent},
	{ofAgent + "/jobs", "listJobs", "Jobs, newest first.", []param{qParam, {name: "state", about: "Only jobs in flight, or those that settled so.", words: jobStates}, atParam, fromParam, nParam}, "Jobs", listJobs},
	{ofAgent + "/jobs/:id", "showJob", "One job with its trail and the asks that it raised.", []param{atParam}, "JobAlone", showJob},
	{ofAgent + "/asks", "listAsks", "Asks: those that need a human first, then those that wait for the agent, then closed ones.", []param{qParam, {name: "state", about: "Only asks of this tab.", words: tabs}, atParam, fromParam, nParam}, "Asks", listAsks},
	{ofAgent + "/asks/:id", "showAsk", "One ask with its trail, its thread, its attachments, and the reply that decides where it stands.", []param{atParam}, "AskAlone", showAsk},
	{draftsAt, "listDrafts", "What you have begun to write to an ask: one draft, or none.", nil, "Drafts", listDrafts},
	{draftsAt + "/:draft", "showDraft", "That draft.", nil, "Draft", showDraft},
	{ofAgent + "/messages", "listMessages", "Replies, newest first.", []param{atParam, fromParam, nParam}, "Messages", listMessages},
	{ofAgent + "/files", "listFiles", "Attachments, in the order in which they came.", []param{{name: "q", about: "Words of the name."}, fromParam, nParam}, "Files", listFiles},
	{ofAgent + "/files/:id", "showFile", "One attachment.", nil, "FileAlone", showFile},
	{ofAgent + "/files/:id/content", "sendContent", "The bytes of an attachment, exactly as they came.", nil, "", sendContent},
	{ofAgent + "/findings", "listFindings", "What the last push breaks of the protocol's rules.", []param{
		{name: "severity", about: "Only findings of this severity.", words: []string{"error", "warning", "info"}},
		{name: "code", about: "Only findings of this rule."}, {name: "file", about: "Only findings in this file, as runs.jsonl."}, fromParam, nParam,
	}, "Findings", listFindings},
	{ofAgent + "/refusals", "listRefusals", "Records that pushes could not bring and still cannot, newest first.", nil, "Refusals", listRefusals},
}

// check holds a query to what the call takes: a key that is spelled wrong must not be passed
// over in silence, for then the answer is to another question.
func (k *call) check(query string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return refuse("query_malformed", "The query of the address cannot be read", "Percent-encode its values.")
	}
	for name, given := range values {
		at := slices.IndexFunc(k.takes, func(p param) bool { return p.name == name })
		switch {
		case at < 0:
			return refuse("parameter_unknown", "The query has a key that this address does not take: "+strconv.Quote(name), k.taken())
		case len(given) > 1:
			return refuse("parameter_repeated", "The query has the key "+name+" several times", "Give it once.")
		case !isText(given[0]):
			return refuse("parameter_invalid", "The value of the key "+name+" is no text", "Send UTF-8, percent-encoded, without the character U+0000.")
		case given[0] != "":
			if err := k.takes[at].check(given[0]); err != nil {
				return err
			}
		}
	}
	for _, p := range k.takes {
		if p.required && strings.TrimSpace(values.Get(p.name)) == "" {
			return refuse("parameter_missing", "The query needs the key "+p.name, p.about)
		}
	}
	return nil
}

func (p *param) check(value string) error {
	if p.number {
		if n, err := strconv.Atoi(value); err != nil || n < 0 || n > p.most || value[0] == '+' || value[0] == '-' {
			return refuse("parameter_invalid", "The key "+p.name+" takes a number from 0 to "+strconv.Itoa(p.most), p.about)
		}
	}
	if _, ok := parseInstant(value); p.moment && !ok {
		return refuse("parameter_invalid", "The key "+p.name+" takes a day or a time", "Write it as 2026-05-04, which is the end of that day in UTC, or as 2026-05-04T10:00:00Z.")
	}
	if p.words != nil && !slices.Contains(p.words, value) {
		return refuse("parameter_invalid", "The key "+p.name+" takes "+strings.Join(p.words, ", ")+" and nothing else", p.about)
	}
	return nil
}

// taken names the keys that the call takes.
func (k *call) taken() string {
	if len(k.takes) == 0 {
		return "It takes none."
	}
	names := make([]string, len(k.takes))
	for i := range k.takes {
		names[i] = k.takes[i].name
	}
	return "It takes " + strings.Join(names, ", ") + "."
}

func refuse(code, title, hint string) error {
	return &httperr.Problem{Status: http.StatusBadRequest, Code: code, Title: title, Hint: hint}
}
