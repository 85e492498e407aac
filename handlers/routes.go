package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/account"
	"github.com/figs-web/figs-web/handlers/api"
	"github.com/figs-web/figs-web/handlers/decide"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/notifications"
	"github.com/figs-web/figs-web/handlers/pushapi"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/handlers/workspaces"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store/storejournal"
)

// app registers the routes of a hosted reader, area by area.
type app struct {
	*hosted.Host
	account       account.Handlers
	workspaces    workspaces.Handlers
	decide        decide.Handlers
	notifications notifications.Handlers
}

func newApp(host *hosted.Host) app {
	return app{host, account.New(host), workspaces.New(host), decide.New(host), notifications.New(host)}
}

// routes are all of them.
func (h app) routes() *echo.Echo {
	e := h.front()
	h.PublicRoutes(e)
	pushapi.New(pushapi.Config{Store: h.Store, Blobs: h.Blobs, Public: h.Public, Now: h.Now, MaxIngest: h.MaxIngest, Temp: h.Temp, Changed: h.Live.Changed}).Routes(e)
	h.api(e)

	browser := hosted.NewRouting(e, "", h.PageHeaders, h.CheckForms, h.Recognise, web.WithLanguage, h.account.ExtendSession)
	w := browser.Under("/w/:workspace", h.SignedIn, h.Auth.Member, hosted.RedirectID, h.account.RememberWorkspace, hosted.RejectPast)
	h.peopleRoutes(browser, w)
	h.operatorRoutes(browser)
	h.deskRoutes(e)
	h.receiptRoutes(e, w)
	h.shareRoutes(w)
	h.feedbackRoutes(w)
	h.dataRoutes(w)
	h.notifyRoutes(browser, w)
	h.agentRoutes(w)
	w.POST("/demo", h.workspaces.FillDemo, h.May(accounts.FillDemo))
	w.GET("", h.showWorkspace)
	w.GET("/reports", h.workspaces.ShowReports)
	w.GET("/reports/:days/:table", h.workspaces.ShowReportList)
	w.GET("/events", h.SendEvents)
	w.GET("/go", h.workspaces.ShowGoTo)
	w.GET("/:page", h.showWorkspace)
	w.GET("/inbox/selected", h.decide.LeaveBulk)
	w.GET("/agents/:agent", h.showAgent, h.workspaces.RedirectMoved)
	w.GET("/agents/:agent/:section", h.showAgent, h.workspaces.RedirectMoved)
	w.GET("/agents/:agent/:section/:key", h.showAgent, h.workspaces.RedirectMoved)
	w.GET("/agents/:agent/:section/:key/:of", h.showAgent, h.workspaces.RedirectMoved)
	files := browser.Under("", h.Auth.Member)
	files.GET("/v/:workspace/:file", h.ShowFrame)
	files.GET("/v/:workspace/:file/:other", h.ShowFrame)
	files.GET("/a/:workspace/:sha256/:name", h.SendDownload)
	return e
}

// front is the router with what every request goes through.
func (h app) front() *echo.Echo {
	e := h.Echo(web.RecoverPanic, h.StrictTransport, h.OwnNamesOnly, h.LongStreams, web.Compress, h.SettleFirst)
	if len(h.Proxies) > 0 {
		e.IPExtractor = echo.ExtractIPFromXFFHeader(web.Trusted(h.Proxies)...)
	}
	for _, method := range []string{http.MethodGet, http.MethodHead} { // which probes ask, differs
		e.Add(method, "/healthz", h.Alive)
		e.Add(method, "/readyz", h.Ready)
	}
	return e
}

// api registers the API for programs, which asks the journal that the pages ask.
func (h app) api(e *echo.Echo) {
	api.New(api.Config{Auth: h.Auth, Store: h.Store, Blobs: h.Blobs, Public: h.Public, Journal: func(workspace string) journal.Workspace {
		return storejournal.New(h.Store, workspace, h.Now().UnixMicro()).WithFolderCache(h.Whole).WithPastCache(h.Pasts)
	}}).Routes(e)
}

// peopleRoutes are the pages on people: browser is open to everybody, w to members of the
// workspace of the address.
func (h app) peopleRoutes(browser, w *hosted.Routing) {
	browser.GET("/", h.account.ShowStartPage)
	browser.HEAD("/", h.account.ShowStartPage)
	browser.GET("/sign-in", h.account.ShowSignIn, h.KeepsCookies)
	browser.POST("/sign-in", h.account.SignIn, h.KeepsCookies)
	browser.POST("/sign-out", h.account.SignOut)
	browser.GET(hosted.ManifestPath, h.SendManifest)
	browser.GET("/setup", h.account.ShowSetup, h.KeepsCookies)
	browser.POST("/setup", h.account.SetUp, h.KeepsCookies)

	mine := browser.Under("", h.SignedIn)
	mine.GET("/device", h.account.ShowDevice)
	mine.POST("/device", h.account.DecideDevice)
	mine.GET("/confirm", h.ShowConfirm)
	mine.POST("/confirm", h.Confirm)
	mine.GET("/settings", h.account.ShowSettings)
	mine.POST("/settings/name", h.account.RenameMe)
	mine.POST("/settings/language", h.account.SetLanguage)
	h.keyRoutes(browser, mine)
	h.securityRoutes(browser, mine)
	h.tokenRoutes(mine)

	members, assigns := h.May(accounts.ChangeMembers), h.May(accounts.AssignAgent)
	h.inviteRoutes(browser)
	h.oidcRoutes(browser, mine)
	w.GET("/settings", h.workspaces.ShowMembers)
	w.POST("/settings/invite", h.account.MakeInvite, h.May(accounts.InviteMembers))
	w.POST("/settings/invite/revoke", h.account.RevokeInvite, h.May(accounts.InviteMembers))
	w.POST("/settings/add", h.workspaces.AddMember, members)
	w.POST("/settings/role", h.workspaces.ChangeRole, members)
	w.GET("/settings/remove", h.workspaces.ShowRemove)
	w.POST("/settings/remove", h.workspaces.RemoveMember) // who leaves needs no right: the handler asks of others
	w.GET("/settings/audit", h.ShowAudit, h.May(accounts.ReadAudit))
	w.POST("/views", h.SaveView)
	w.POST("/views/remove", h.RemoveView)
	h.policyRoutes(w)
	w.GET("/agents/:agent/assign", h.workspaces.ShowAssign, assigns)
	w.POST("/agents/:agent/assign", h.workspaces.Assign, assigns)
}

// keyRoutes are those of passkeys: browser is open to everybody, mine to who is signed in.
func (h app) keyRoutes(browser, mine *hosted.Routing) {
	browser.POST("/sign-in/passkey/begin", h.account.Challenge(h.account.BeginSignIn))
	browser.POST("/sign-in/passkey", h.account.SignInByKey)
	mine.POST("/confirm/begin", h.account.Challenge(h.account.BeginConfirm))
	mine.POST("/settings/passkeys/begin", h.account.Challenge(h.account.BeginRegister), h.RequireProof(accounts.MakePasskey))
	mine.POST("/settings/passkeys", h.account.AddPasskey, h.RequireProof(accounts.MakePasskey))
	mine.POST("/settings/passkeys/remove", h.account.RemovePasskey, h.RequireProof(accounts.RemovePasskey))
}

// securityRoutes are those of the page on how one signs in, and of what leads back in.
func (h app) securityRoutes(browser, mine *hosted.Routing) {
	browser.GET("/sign-in/recovery", h.account.ShowRecovery, h.KeepsCookies)
	browser.POST("/sign-in/recovery", h.account.Recover, h.KeepsCookies)
	browser.GET("/reset", h.account.ShowReset, h.KeepsCookies)
	browser.POST("/reset", h.account.Reset, h.KeepsCookies)
	mine.GET("/settings/signing-in", h.account.ShowSecurity)
	mine.POST("/settings/password", h.account.ChangePassword)
	mine.POST("/settings/password/first", h.account.SetFirstPassword, h.RequireProof(accounts.SetPassword))
	mine.POST("/settings/sessions/end", h.account.EndSession)
	mine.POST("/settings/recovery", h.account.MakeRecovery, h.RequireProof(accounts.MakeRecovery))
}

// inviteRoutes are where the link of an invite leads. To look at it uses nothing up.
func (h app) inviteRoutes(browser *hosted.Routing) {
	browser.GET("/invite", h.account.ShowInvite, h.KeepsCookies)
	browser.POST("/invite", h.account.AcceptInvite)
	browser.POST("/invite/join", h.account.JoinByInvite, h.KeepsCookies)
	browser.POST("/invite/provider", h.account.InviteToProvider)
}

// oidcRoutes are the ways to the provider and back. Without a provider there are no such pages.
func (h app) oidcRoutes(browser, mine *hosted.Routing) {
	browser.GET("/sign-in/oidc", h.account.ToProvider, h.account.WithProvider)
	browser.GET(account.CallbackPath, h.account.FromProvider, h.account.WithProvider)
	mine.GET("/sign-in/oidc/again", h.account.ToProviderAgain, h.account.WithProvider)
	mine.POST("/settings/signing-in/link", h.account.LinkProvider, h.account.WithProvider, h.RequireProof(accounts.LinkIdentity))
	mine.POST("/settings/signing-in/unlink", h.account.UnlinkIdentity, h.RequireProof(accounts.UnlinkIdentity))
}

// tokenRoutes are the page of one's tokens. Making one takes a fresh proof of who one is, because
// it acts for its person from then on; taking one away is made easy.
func (h app) tokenRoutes(mine *hosted.Routing) {
	mine.GET("/settings/tokens", h.account.ShowTokens)
	mine.POST("/settings/tokens", h.account.MakeToken, h.RequireProof(accounts.MakeToken))
	mine.POST("/settings/tokens/revoke", h.account.RevokeToken)
}

// policyRoutes are the page of what a workspace has set, which every member may read.
func (h app) policyRoutes(w *hosted.Routing) {
	w.GET("/settings/policy", h.workspaces.ShowPolicy)
	w.POST("/settings/policy", h.workspaces.SetPolicy, h.May(accounts.SetPolicy))
	w.POST("/settings/policy/name", h.workspaces.RenameWorkspace, h.May(accounts.RenameWorkspace))
}

// operatorRoutes are for those who run the whole server.
func (h app) operatorRoutes(browser *hosted.Routing) {
	operators := browser.Under("", h.SignedIn, h.workspaces.Operates)
	operators.GET("/admin", h.workspaces.ShowOperator)
	operators.POST("/settings/workspaces", h.account.AddWorkspace)
}

// agentRoutes are what those who run a workspace do with its agents, and with what those wrote.
func (h app) agentRoutes(w *hosted.Routing) {
	w.GET("/settings/agents", h.workspaces.ShowAgentsSettings)
	one, moves, erases := w.Under("/agents/:agent"), h.May(accounts.MoveAgent), h.May(accounts.Erase)
	one.POST("/archive", h.workspaces.ArchiveAgent, h.May(accounts.ArchiveAgent))
	one.POST("/rename", h.workspaces.GrantName, h.May(accounts.RenameAgent))
	one.GET("/move", h.workspaces.ShowMove, moves)
	one.POST("/move", h.workspaces.MoveAgent, moves)
	one.GET("/erase", h.workspaces.ShowErase, erases)
	one.POST("/erase", h.workspaces.Erase, erases)
}

// dataRoutes are the pages on what a workspace keeps, and how it comes out and goes away.
func (h app) dataRoutes(w *hosted.Routing) {
	w.GET("/settings/data", h.workspaces.ShowData)
	w.GET("/settings/data/export", h.workspaces.ShowExport)
	w.POST("/settings/data/export", h.workspaces.SendExport, h.May(accounts.ExportWorkspace))
	w.POST("/settings/data/delete", h.workspaces.DeleteWorkspace, h.May(accounts.DeleteWorkspace))
	w.GET("/agents/:agent/export", h.workspaces.ShowExport)
	w.POST("/agents/:agent/export", h.workspaces.SendExport, h.May(accounts.ExportAgent))
}

// notifyRoutes are the pages on how people are told: browser is open to everybody, w to members of
// the workspace of the address.
func (h app) notifyRoutes(browser, w *hosted.Routing) {
	browser.GET("/"+notifications.PushWorker, h.notifications.SendPushWorker)
	mine := browser.Under("", h.SignedIn, h.notifications.PushPolicy)
	mine.GET(notifications.Notifications, h.notifications.ShowNotifications)
	mine.GET(notifications.Notifications+"/confirm", h.notifications.ShowConfirmPlace)
	mine.POST(notifications.Notifications+"/confirm", h.notifications.ConfirmPlace)
	mine.POST(notifications.Notifications+"/places", h.notifications.AddPlace)
	mine.POST(notifications.Notifications+"/remove", h.notifications.Counted("remove", h.notifications.RemovePlace))
	mine.POST(notifications.Notifications+"/test", h.notifications.Counted("test", h.notifications.TryPlace))
	mine.POST(notifications.Notifications+"/rotate", h.notifications.Counted("rotate", h.notifications.RotatePlace))
	mine.POST(notifications.Notifications+"/digest", h.notifications.Counted("digest", h.notifications.SetDigest))
	mine.POST(notifications.Notifications+"/wishes", h.notifications.Counted("wishes", h.notifications.SetWishes))
	mine.POST(notifications.Notifications+"/hours", h.notifications.Counted("hours", h.notifications.SetNewsHours))
	mine.POST(notifications.Notifications+"/replay", h.notifications.Counted("replay", h.notifications.ReplayNews))
	chat := h.May(accounts.SetUpChat)
	w.GET("/settings/chat", h.notifications.ShowChat, chat)
	w.POST("/settings/chat", h.notifications.AddChat, chat)
	w.POST("/settings/chat/choose", h.notifications.ChooseChat, chat)
	w.POST("/settings/chat/test", h.notifications.TestChat, chat)
	w.POST("/settings/chat/remove", h.notifications.RemoveChat, chat)
	w.POST("/settings/chat/resend", h.notifications.ResendChat, chat)
	w.GET("/news", h.notifications.ShowNews)
	w.POST("/news/read", h.notifications.ReadNews)
	w.GET("/news/:news", h.notifications.FollowNews)
}

// deskRoutes are what the forms of an ask's page are sent to. Nothing else here decides, and
// nothing but a session reaches them: no token of an agent is looked at.
func (h app) deskRoutes(e *echo.Echo) {
	at := hosted.NewRouting(e, "/w/:workspace/agents/:agent/asks/:ask", h.PageHeaders, web.SameOrigin(h.Public.String()), h.RetryForm, h.Recognise, h.decide.SignInAgain, h.decide.KeepText, h.Auth.Member, hosted.RejectPast)
	at.POST("/decide", h.decide.Decide)
	at.POST("/draft", h.decide.SaveDraft)
	at.POST("/remark", h.decide.Remark)
	at.POST("/undo", h.decide.Undo)
	at.POST("/claim", h.decide.Claim)
	at.POST("/snooze", h.decide.Snooze)
	at.POST("/viewed", h.decide.MarkViewed)
	at.POST("/handover", h.decide.HandOver)
	at.POST("/note", h.decide.AddNote)
	at.POST("/nudge", h.decide.Nudge)
	inbox := hosted.NewRouting(e, "/w/:workspace/inbox", h.PageHeaders, web.SameOrigin(h.Public.String()), h.Recognise, h.decide.SignInAgain, web.WithLanguage, h.Auth.Member, hosted.RejectPast)
	inbox.POST("/selected", h.decide.Bulk)
}

// receiptRoutes are the pages of decisions and their receipts, and the key that signs them.
func (h app) receiptRoutes(e *echo.Echo, w *hosted.Routing) {
	e.GET("/.well-known/figs-web-key", h.decide.SendKey)
	w.GET("/decisions", h.decide.ListDecisions)
	w.GET("/agents/:agent/receipts/:key", h.decide.ShowReceipt)
	w.GET("/agents/:agent/receipts/:key/receipt.json", h.decide.SendReceipt)
}

// shareRoutes are the pages that make a copy of one ask, to be shown to somebody who has no account. Who may export the
// agent may do that; before anything leaves, the person proves who they are, and the audit says so.
func (h app) shareRoutes(w *hosted.Routing) {
	w.GET("/agents/:agent/share/:key", h.workspaces.ShowShare)
	w.POST("/agents/:agent/share/:key", h.workspaces.SendShare, h.May(accounts.ExportAgent))
}

// feedbackRoutes are the page of what tools have sent, for those who run the workspace.
func (h app) feedbackRoutes(w *hosted.Routing) {
	w.GET("/settings/feedback", h.workspaces.ShowFeedback, h.May(accounts.ReadFeedback))
	w.POST("/settings/feedback/remove", h.workspaces.RemoveFeedback, h.May(accounts.RemoveFeedback))
}
