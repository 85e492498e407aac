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
	afterParam = param{name: "after", about: "A place in the list, as next contains it: the items after it."}
	fromParam  = param{name: "from", about: "Only 0, for older clients: a list continues at next.", number: true}
	nParam     = param{name: "n", about: "How many items to return; default 50.", number: true, most: 200}
	qParam     = param{name: "q", about: "Words that must all occur."}
	atParam    = param{name: "at", about: "Show what the server had received by this point in time: a day, until its end in UTC, as in 2026-05-04, or a time as in 2026-05-04T10:00:00Z. Can't be combined with q.", moment: true}
	agentOnly  = param{name: "agent", about: "Only items of this agent, by its key."}
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
	{"/workspaces", "listWorkspaces", "Your workspaces.", nil, "Workspaces", listWorkspaces},
	{tokensAt, "listTokens", "Your valid tokens, newest first. Their values are never returned.", nil, "Tokens", listTokens},
	{tokensAt + "/:id", "showToken", "One token.", nil, "Token", showToken},
	{inWorkspace, "showWorkspace", "One workspace.", nil, "Workspace", showWorkspace},
	{inWorkspace + "/inbox", "listInbox", "Asks of all agents: those that need a human, longest wait first; the other tabs newest first. By default only asks that need you.", []param{
		{name: "tab", about: "Which tab; default needs.", words: inboxTabs},
		{name: "everybody", about: "1 lists asks for anyone, not only those that need you.", words: []string{"1"}},
		agentOnly,
		{name: "department", about: "Only agents of this department."},
		{name: "type", about: "Only this type of ask.", words: []string{"question", "sign-off"}},
		{name: "to", about: "Only asks for the agent's manager, or for its builder.", words: []string{"manager", "builder"}},
		{name: "age", about: "Only asks that have waited at least this many hours.", number: true, most: 1 << 20},
		fromParam, afterParam, nParam,
	}, "Inbox", listInbox},
	{inWorkspace + "/activity", "showActivity", "What happened in a period that ends today. Days and hours are in UTC.", []param{
		{name: "days", about: "Length of the period in days; default 28.", words: []string{"28", "91", "364"}}, agentOnly,
	}, "Activity", showActivity},
	{inWorkspace + "/events", "listEvents", "What happened, in the order in which it arrived, each as a sentence: lines of jobs and asks, and replies. Without after, the last n; with it, those after that place.", []param{
		{name: "after", about: "A place in the feed: the cursor of an event or of an earlier response."}, agentOnly, {name: "n", about: "How many events to return; default 50. With after, all events of the last push on the page are returned.", number: true, most: 200},
	}, "Events", listEvents},
	{inWorkspace + "/search", "search", "Records, replies and text attachments of all agents that contain the words, newest first.", []param{
		{name: "q", about: "A search, in the syntax of the search page.", required: true}, afterParam, nParam,
	}, "Found", search},
	{inWorkspace + "/agents", "listAgents", "Agents of the workspace, by name.", []param{afterParam, nParam}, "Agents", listAgents},
	{ofAgent, "showAgent", "One agent, with its charter.", nil, "AgentAlone", showAgent},
	{ofAgent + "/jobs", "listJobs", "Jobs, newest first.", []param{qParam, {name: "state", about: "Only running jobs, or jobs that ended with this status.", words: jobStates}, atParam, fromParam, afterParam, nParam}, "Jobs", listJobs},
	{ofAgent + "/jobs/:id", "showJob", "One job with its trail and the asks it raised.", []param{atParam}, "JobAlone", showJob},
	{ofAgent + "/asks", "listAsks", "Asks: those that need a human first, then those that wait for the agent, then closed ones.", []param{qParam, {name: "state", about: "Only asks of this tab.", words: tabs}, atParam, fromParam, afterParam, nParam}, "Asks", listAsks},
	{ofAgent + "/asks/:id", "showAsk", "One ask with its trail, its thread, its attachments, and the reply that determines its state.", []param{atParam}, "AskAlone", showAsk},
	{draftsAt, "listDrafts", "Your draft of a reply to an ask: a list of one draft, or none.", nil, "Drafts", listDrafts},
	{draftsAt + "/:draft", "showDraft", "Your draft.", nil, "Draft", showDraft},
	{ofAgent + "/messages", "listMessages", "Replies, newest first.", []param{atParam, fromParam, afterParam, nParam}, "Messages", listMessages},
	{ofAgent + "/files", "listFiles", "Attachments, in the order of their arrival.", []param{{name: "q", about: "Words in the name."}, fromParam, afterParam, nParam}, "Files", listFiles},
	{ofAgent + "/files/:id", "showFile", "One attachment.", nil, "FileAlone", showFile},
	{ofAgent + "/files/:id/content", "sendContent", "The bytes of an attachment, unchanged.", nil, "", sendContent},
	{ofAgent + "/findings", "listFindings", "Protocol rules that the last push breaks.", []param{
		{name: "severity", about: "Only findings of this severity.", words: []string{"error", "warning", "info"}},
		{name: "code", about: "Only findings of this rule."}, {name: "file", about: "Only findings in this file, such as runs.jsonl."}, fromParam, afterParam, nParam,
	}, "Findings", listFindings},
	{ofAgent + "/refusals", "listRefusals", "Records that pushes couldn't deliver and that are still missing, newest first.", nil, "Refusals", listRefusals},
}

// check holds a query to what the call takes: a key that is spelled wrong must not be passed
// over in silence, for then the answer is to another question.
func (k *call) check(query string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return refuse("query_malformed", "The URL's query string isn't valid", "Percent-encode its values.")
	}
	for name, given := range values {
		at := slices.IndexFunc(k.takes, func(p param) bool { return p.name == name })
		switch {
		case at < 0:
			return refuse("parameter_unknown", "The query has an unknown parameter: "+strconv.Quote(name), k.taken())
		case len(given) > 1:
			return refuse("parameter_repeated", "The query has the parameter "+name+" several times", "Send it only once.")
		case !isText(given[0]):
			return refuse("parameter_invalid", "The value of the parameter "+name+" isn't valid text", "Send percent-encoded UTF-8 without U+0000.")
		case given[0] != "":
			if err := k.takes[at].check(given[0]); err != nil {
				return err
			}
		}
	}
	for _, p := range k.takes {
		if p.required && strings.TrimSpace(values.Get(p.name)) == "" {
			return refuse("parameter_missing", "The query needs the parameter "+p.name, p.about)
		}
	}
	return nil
}

func (p *param) check(value string) error {
	if p.number {
		if n, err := strconv.Atoi(value); err != nil || n < 0 || n > p.most || value[0] == '+' || value[0] == '-' {
			if p.most == 0 {
				return refuse("parameter_invalid", "The parameter "+p.name+" takes only 0", "Continue a list at the URL in its next.")
			}
			return refuse("parameter_invalid", "The parameter "+p.name+" takes a number from 0 to "+strconv.Itoa(p.most), p.about)
		}
	}
	if _, ok := parseInstant(value); p.moment && !ok {
		return refuse("parameter_invalid", "The parameter "+p.name+" takes a day or a time", "Use a day, such as 2026-05-04 (until its end in UTC), or a time, such as 2026-05-04T10:00:00Z.")
	}
	if p.words != nil && !slices.Contains(p.words, value) {
		return refuse("parameter_invalid", "The parameter "+p.name+" takes one of "+strings.Join(p.words, ", "), p.about)
	}
	return nil
}

// taken names the keys that the call takes.
func (k *call) taken() string {
	if len(k.takes) == 0 {
		return "It takes no parameters."
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
