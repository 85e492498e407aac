package handlers

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// entrance is with what somebody comes to a route.
type entrance int

const (
	bySession entrance = iota // a page, and what its forms are sent to: a token is nothing there
	byToken                   // a call of clients: a session is nothing there
	byEither
)

// right is what a route takes in the workspace of its address.
type right struct {
	action accounts.Action
	door   entrance
	gone   bool // whoever may is told that there is nothing: what the row names is somebody else's
}

// read is what every page of a workspace takes.
var read = right{action: accounts.ReadWorkspace}

// rights say which action each route of a workspace is. A new route needs a row here.
var rights = map[string]right{
	"GET /w/:workspace":                                          read,
	"GET /w/:workspace/:page":                                    read,
	"GET /w/:workspace/events":                                   read,
	"GET /w/:workspace/go":                                       read,
	"GET /w/:workspace/settings":                                 read,
	"GET /w/:workspace/settings/agents":                          read,
	"GET /w/:workspace/settings/audit":                           {action: accounts.ReadAudit},
	"POST /w/:workspace/views":                                   read,
	"POST /w/:workspace/views/remove":                            read,
	"GET /w/:workspace/news":                                     read,
	"GET /w/:workspace/news/:news":                               {accounts.ReadWorkspace, bySession, true}, // whoever was told
	"POST /w/:workspace/news/read":                               {action: accounts.ReadWorkspace},
	"POST /w/:workspace/settings/invite":                         {action: accounts.InviteMembers},
	"POST /w/:workspace/settings/invite/revoke":                  {action: accounts.InviteMembers},
	"POST /w/:workspace/agents/:agent/archive":                   {action: accounts.ArchiveAgent},
	"POST /w/:workspace/agents/:agent/rename":                    {action: accounts.RenameAgent},
	"GET /w/:workspace/agents/:agent/move":                       {action: accounts.MoveAgent},
	"POST /w/:workspace/agents/:agent/move":                      {action: accounts.MoveAgent},
	"GET /w/:workspace/agents/:agent/erase":                      {action: accounts.Erase},
	"POST /w/:workspace/agents/:agent/erase":                     {action: accounts.Erase},
	"GET /w/:workspace/settings/policy":                          read,
	"GET /w/:workspace/decisions":                                read,
	"GET /w/:workspace/reports":                                  read,
	"GET /w/:workspace/reports/:days/:table":                     read,
	"GET /w/:workspace/agents/:agent":                            read,
	"GET /w/:workspace/agents/:agent/:section":                   read,
	"GET /w/:workspace/agents/:agent/:section/:key":              read,
	"GET /w/:workspace/agents/:agent/:section/:key/:of":          read,
	"GET /w/:workspace/agents/:agent/receipts/:key":              read,
	"GET /w/:workspace/agents/:agent/receipts/:key/receipt.json": read,
	"GET /v/:workspace/:file":                                    read,
	"GET /v/:workspace/:file/:other":                             read,
	"GET /a/:workspace/:sha256/:name":                            read,
	"GET /api/messages":                                          {accounts.ReadWorkspace, byToken, false},

	"POST /api/validate":         {accounts.PushAgent, byToken, false},
	"POST /api/ingest":           {accounts.PushAgent, byToken, false},
	"POST /api/artifacts/upload": {accounts.PushAgent, byToken, false},

	"POST /w/:workspace/demo":                             {action: accounts.FillDemo},
	"POST /w/:workspace/settings/policy/name":             {action: accounts.RenameWorkspace},
	"POST /w/:workspace/settings/policy":                  {action: accounts.SetPolicy},
	"GET /w/:workspace/settings/chat":                     {action: accounts.SetUpChat},
	"POST /w/:workspace/settings/chat":                    {action: accounts.SetUpChat},
	"POST /w/:workspace/settings/chat/choose":             {accounts.SetUpChat, bySession, true},
	"POST /w/:workspace/settings/chat/test":               {accounts.SetUpChat, bySession, true},
	"POST /w/:workspace/settings/chat/remove":             {action: accounts.SetUpChat},
	"POST /w/:workspace/settings/chat/resend":             {action: accounts.SetUpChat},
	"GET /w/:workspace/settings/data":                     read,
	"GET /w/:workspace/settings/data/export":              {action: accounts.ExportWorkspace},
	"POST /w/:workspace/settings/data/export":             {action: accounts.ExportWorkspace},
	"POST /w/:workspace/settings/data/delete":             {action: accounts.DeleteWorkspace},
	"GET /w/:workspace/agents/:agent/share/:key":          {action: accounts.ExportAgent},
	"POST /w/:workspace/agents/:agent/share/:key":         {action: accounts.ExportAgent},
	"GET /w/:workspace/agents/:agent/export":              {action: accounts.ExportAgent},
	"POST /w/:workspace/agents/:agent/export":             {action: accounts.ExportAgent},
	"POST /w/:workspace/settings/add":                     {action: accounts.ChangeMembers},
	"POST /w/:workspace/settings/role":                    {action: accounts.ChangeMembers},
	"GET /w/:workspace/settings/remove":                   {action: accounts.ChangeMembers},
	"POST /w/:workspace/settings/remove":                  {action: accounts.ChangeMembers},
	"GET /w/:workspace/settings/feedback":                 {action: accounts.ReadFeedback},
	"POST /w/:workspace/settings/feedback/remove":         {action: accounts.RemoveFeedback},
	"GET /w/:workspace/agents/:agent/assign":              {action: accounts.AssignAgent},
	"POST /w/:workspace/agents/:agent/assign":             {action: accounts.AssignAgent},
	"POST /w/:workspace/agents/:agent/asks/:ask/decide":   {action: accounts.ReplyToAsk},
	"POST /w/:workspace/agents/:agent/asks/:ask/remark":   {action: accounts.ReplyToAsk},
	"POST /w/:workspace/agents/:agent/asks/:ask/claim":    {action: accounts.ReplyToAsk},
	"POST /w/:workspace/agents/:agent/asks/:ask/snooze":   {action: accounts.ReplyToAsk},
	"POST /w/:workspace/agents/:agent/asks/:ask/viewed":   {action: accounts.ReplyToAsk},
	"POST /w/:workspace/agents/:agent/asks/:ask/draft":    {action: accounts.ReplyToAsk},
	"POST /w/:workspace/agents/:agent/asks/:ask/undo":     {accounts.ReadWorkspace, bySession, true}, // whoever decided, and nobody else
	"POST " + draftsRoute:                                 {accounts.DraftReply, byToken, false},
	"GET " + draftsRoute:                                  {accounts.ReadWorkspace, byEither, false},
	"GET " + draftsRoute + "/:draft":                      {accounts.ReadWorkspace, byEither, true}, // the owner's
	"DELETE " + draftsRoute + "/:draft":                   {accounts.ReadWorkspace, byToken, true},
	"GET /api/v1/workspaces/:workspace":                   {accounts.ReadWorkspace, byEither, false},
	"GET /api/v1/workspaces/:workspace/inbox":             {accounts.ReadWorkspace, byEither, false},
	"GET /api/v1/workspaces/:workspace/activity":          {accounts.ReadWorkspace, byEither, false},
	"GET /api/v1/workspaces/:workspace/search":            {accounts.ReadWorkspace, byEither, false},
	"GET /api/v1/workspaces/:workspace/events":            {accounts.ReadWorkspace, byEither, false},
	"POST /mcp/:workspace":                                {accounts.ReadWorkspace, byToken, false},
	"GET /api/v1/workspaces/:workspace/agents":            {accounts.ReadWorkspace, byEither, false},
	"GET " + agentRoute:                                   {accounts.ReadWorkspace, byEither, false},
	"GET " + agentRoute + "/jobs":                         {accounts.ReadWorkspace, byEither, false},
	"GET " + agentRoute + "/jobs/:id":                     {accounts.ReadWorkspace, byEither, false},
	"GET " + agentRoute + "/asks":                         {accounts.ReadWorkspace, byEither, false},
	"GET " + agentRoute + "/asks/:id":                     {accounts.ReadWorkspace, byEither, false},
	"GET " + agentRoute + "/files":                        {accounts.ReadWorkspace, byEither, false},
	"GET " + agentRoute + "/files/:id":                    {accounts.ReadWorkspace, byEither, false},
	"GET " + agentRoute + "/files/:id/content":            {accounts.ReadWorkspace, byEither, false},
	"GET " + agentRoute + "/findings":                     {accounts.ReadWorkspace, byEither, false},
	"GET " + agentRoute + "/messages":                     {accounts.ReadWorkspace, byEither, false},
	"GET " + agentRoute + "/refusals":                     {accounts.ReadWorkspace, byEither, false},
	"POST /w/:workspace/agents/:agent/asks/:ask/handover": {action: accounts.HandOverAsk},
	"POST /w/:workspace/agents/:agent/asks/:ask/note":     {action: accounts.NoteAsk},
	"POST /w/:workspace/agents/:agent/asks/:ask/nudge":    {action: accounts.NudgeAgent},
	"GET /w/:workspace/inbox/selected":                    read,
	"POST /w/:workspace/inbox/selected":                   {action: accounts.ReadWorkspace}, // each ask is checked by itself
}

const (
	agentRoute  = "/api/v1/workspaces/:workspace/agents/:agent"
	draftsRoute = agentRoute + "/asks/:id/drafts"
)

// inWorkspaces are the calls of clients that name their workspace elsewhere than in their address.
var inWorkspaces = map[string]bool{"/api/messages": true, "/api/validate": true, "/api/ingest": true, "/api/artifacts/upload": true}

// standing is somebody who asks: from whom nothing is expected to those who run everything.
var standing = []struct {
	who    string
	role   store.Role
	stands accounts.AgentRelation
}{
	{who: ""}, {who: "foreign"}, {"viewer", store.Viewer, accounts.AgentRelation{}}, {"member", store.Member, accounts.AgentRelation{}},
	{"builder", store.Member, accounts.AgentRelation{Builder: true}}, {"manager", store.Member, accounts.AgentRelation{Manager: true}},
	{"admin", store.Admin, accounts.AgentRelation{}}, {"owner", store.Owner, accounts.AgentRelation{}},
}

// TestRoleTable walks role by role through every route of a workspace, by session and by token: the
// table of package accounts says who passes, and nothing else does.
func TestRoleTable(t *testing.T) {
	reads := newStaffedTown(t)
	rows, walked := hostedRows(reads), map[string]bool{}
	for _, route := range reads.routes.Routes() {
		name := route.Method + " " + route.Path
		of, ok := rights[strings.Replace(name, "HEAD ", "GET ", 1)]
		switch {
		case strings.HasPrefix(route.Method, "echo_") || !strings.Contains(route.Path, ":workspace") && !inWorkspaces[route.Path]:
			continue
		case !ok:
			t.Errorf("%s has no row in rights: say which action of package accounts it is", name)
			continue
		}
		walked[strings.Replace(name, "HEAD ", "GET ", 1)] = true
		t.Run(name, func(t *testing.T) {
			w, row := reads, rows[strings.Replace(name, "HEAD ", "GET ", 1)]
			if route.Method != http.MethodGet && route.Method != http.MethodHead {
				w = newStaffedTown(t)
				row = hostedRows(w)[name]
			}
			w.t = t
			w.walkRight(t, route.Method, row, of)
		})
	}
	for name := range rights {
		if !walked[name] {
			t.Errorf("%s has rights and is no route", name)
		}
	}
}

// newStaffedTown is a town whose agent has a manager and a builder, who are members.
func newStaffedTown(t testing.TB) *town {
	w := newTown(t)
	ctx, now := context.Background(), hostedNow.UnixMicro()
	act := store.Act{At: now}
	for _, who := range []string{"manager", "builder"} {
		u := store.User{ID: store.NewID(), Email: who + "@example.org", Name: "The " + who, Created: now}
		w.people[who] = u
		w.ok(w.s.AddUser(ctx, act, u))
		s, err := w.s.Session(ctx, store.Hash("session-owner"), now) // as those of all others
		w.ok(err)
		s.Hash, s.User, s.Created, s.Expires = store.Hash("session-"+who), u.ID, now, now+time.Hour.Microseconds()
		w.ok(w.s.SaveSession(ctx, s))
		w.ok(w.s.AddToken(ctx, act, store.Token{ID: store.NewID(), User: u.ID, Name: "t", Hash: store.Hash("token-" + who), Created: now}))
		w.ok(w.s.SetMember(ctx, act, w.acme.ID, u.ID, store.Member))
	}
	w.ok(w.s.Assign(ctx, act, acmeAgent, w.people["manager"].ID, w.people["builder"].ID))
	return w
}

func (w *town) walkRight(t *testing.T, method string, row hostedRow, of right) {
	for _, with := range []entrance{bySession, byToken} {
		for _, x := range standing {
			who := x.who
			if with == byToken && who != "" {
				who = "token-" + who
			}
			want, rule := "passes", accounts.RuleOf(of.action)
			switch {
			case who == "" || of.door != byEither && of.door != with || with == byToken && !rule.Token:
				want = "unknown"
			case x.role == "":
				want = "stranger"
			case !accounts.Can(x.role, x.stands, of.action):
				want = "refused"
			}
			r := w.ask(method, row.address, who, row.body)
			if got := answered(r, want); got != want && !(got == "stranger" && want == "passes" && of.gone) {
				t.Errorf("%s %s as %q = %d: %s, want %s\n%.300s", method, row.address, who, r.StatusCode, got, want, text(t, r))
			}
		}
	}
}

// answered is what an answer tells who asks. Some answers are given for two reasons, so that it is
// held against what is expected: a frame does not exist for who is not signed in, a page of tokens is
// forbidden to sessions, and a push of a stranger is told that they are one.
func answered(r *http.Response, want string) string {
	switch code := r.StatusCode; {
	case code == http.StatusUnauthorized, code == http.StatusSeeOther && strings.HasPrefix(r.Header.Get("Location"), "/sign-in"):
		return "unknown"
	case code == http.StatusNotFound && want == "unknown", code == http.StatusForbidden && want == "unknown":
		return "unknown"
	case code == http.StatusForbidden && want == "stranger":
		return "stranger"
	case code == http.StatusNotFound:
		return "stranger"
	case code == http.StatusForbidden:
		return "refused"
	}
	return "passes"
}
