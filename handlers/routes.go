package handlers

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/account"
	"github.com/figs-web/figs-web/handlers/api"
	"github.com/figs-web/figs-web/handlers/decide"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/notifications"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/handlers/workspaces"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store/storejournal"
)

// app registers the routes of a hosted reader, area by area.
type app struct{ *hosted.Host }

// newApp returns the routes of x.
func newApp(x *hosted.Host) app { return app{x} }

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
	api.New(api.Config{Desk: h.Desk, Store: h.Store, Blobs: h.Blobs, Public: h.Public, Journal: func(workspace string) journal.Workspace {
		return storejournal.New(h.Store, workspace, h.Now().UnixMicro()).Reading(h.Whole).Remembering(h.Pasts)
	}}).Routes(e)
}

// peopleRoutes are the pages on people: browser is open to everybody, w to members of the
// workspace of the address.
func (h app) peopleRoutes(browser, w *hosted.Routing) {
	workspace := workspaces.New(h.Host)
	acct := account.New(h.Host)
	browser.GET("/", acct.ShowStartPage)
	browser.HEAD("/", acct.ShowStartPage)
	browser.GET("/sign-in", acct.ShowSignIn, h.KeepsCookies)
	browser.POST("/sign-in", acct.SignIn, h.KeepsCookies)
	browser.POST("/sign-out", acct.SignOut)
	browser.GET("/setup", acct.ShowSetup, h.KeepsCookies)
	browser.POST("/setup", acct.SetUp, h.KeepsCookies)

	mine := browser.Under("", h.SignedIn)
	mine.GET("/device", acct.ShowDevice)
	mine.POST("/device", acct.DecideDevice)
	mine.GET("/confirm", h.ShowConfirm)
	mine.POST("/confirm", h.Confirm)
	mine.GET("/settings", acct.ShowSettings)
	mine.POST("/settings/name", acct.RenameMe)
	mine.POST("/settings/language", acct.SetLanguage)
	h.keyRoutes(browser, mine)
	h.securityRoutes(browser, mine)
	h.tokenRoutes(mine)

	members, assigns := h.May(accounts.ChangeMembers), h.May(accounts.AssignAgent)
	h.inviteRoutes(browser)
	h.oidcRoutes(browser, mine)
	w.GET("/settings", workspace.ShowMembers)
	w.POST("/settings/invite", acct.MakeInvite, h.May(accounts.InviteMembers))
	w.POST("/settings/invite/revoke", acct.RevokeInvite, h.May(accounts.InviteMembers))
	w.POST("/settings/add", workspace.AddMember, members)
	w.POST("/settings/role", workspace.ChangeRole, members)
	w.GET("/settings/remove", workspace.ShowRemove)
	w.POST("/settings/remove", workspace.RemoveMember) // who leaves needs no right: the handler asks of others
	h.policyRoutes(w)
	w.GET("/agents/:agent/assign", workspace.ShowAssign, assigns)
	w.POST("/agents/:agent/assign", workspace.Assign, assigns)
}

// keyRoutes are those of passkeys: browser is open to everybody, mine to who is signed in.
func (h app) keyRoutes(browser, mine *hosted.Routing) {
	acct := account.New(h.Host)
	browser.POST("/sign-in/passkey/begin", acct.Challenge(acct.BeginSignIn))
	browser.POST("/sign-in/passkey", acct.SignInByKey)
	mine.POST("/confirm/begin", acct.Challenge(acct.BeginConfirm))
	mine.POST("/settings/passkeys/begin", acct.Challenge(acct.BeginRegister), h.RequireProof(accounts.MakePasskey))
	mine.POST("/settings/passkeys", acct.AddPasskey, h.RequireProof(accounts.MakePasskey))
	mine.POST("/settings/passkeys/remove", acct.RemovePasskey, h.RequireProof(accounts.RemovePasskey))
}

// securityRoutes are those of the page on how one signs in, and of what leads back in.
func (h app) securityRoutes(browser, mine *hosted.Routing) {
	acct := account.New(h.Host)
	browser.GET("/sign-in/recovery", acct.ShowRecovery, h.KeepsCookies)
	browser.POST("/sign-in/recovery", acct.Recover, h.KeepsCookies)
	browser.GET("/reset", acct.ShowReset, h.KeepsCookies)
	browser.POST("/reset", acct.Reset, h.KeepsCookies)
	mine.GET("/settings/signing-in", acct.ShowSecurity)
	mine.POST("/settings/password", acct.ChangePassword)
	mine.POST("/settings/password/first", acct.SetFirstPassword, h.RequireProof(accounts.SetPassword))
	mine.POST("/settings/sessions/end", acct.EndSession)
	mine.POST("/settings/recovery", acct.MakeRecovery, h.RequireProof(accounts.MakeRecovery))
}

// inviteRoutes are where the link of an invite leads. To look at it uses nothing up.
func (h app) inviteRoutes(browser *hosted.Routing) {
	acct := account.New(h.Host)
	browser.GET("/invite", acct.ShowInvite, h.KeepsCookies)
	browser.POST("/invite", acct.AcceptInvite)
	browser.POST("/invite/join", acct.JoinByInvite, h.KeepsCookies)
	browser.POST("/invite/provider", acct.InviteToProvider)
}

// oidcRoutes are the ways to the provider and back. Without a provider there are no such pages.
func (h app) oidcRoutes(browser, mine *hosted.Routing) {
	acct := account.New(h.Host)
	browser.GET("/sign-in/oidc", acct.ToProvider, acct.WithProvider)
	browser.GET(account.CallbackPath, acct.FromProvider, acct.WithProvider)
	mine.GET("/sign-in/oidc/again", acct.ToProviderAgain, acct.WithProvider)
	mine.POST("/settings/signing-in/link", acct.LinkProvider, acct.WithProvider, h.RequireProof(accounts.LinkIdentity))
	mine.POST("/settings/signing-in/unlink", acct.UnlinkIdentity, h.RequireProof(accounts.UnlinkIdentity))
}

// tokenRoutes are the page of one's tokens. Making one takes a fresh proof of who one is, because
// it acts for its person from then on; taking one away is made easy.
func (h app) tokenRoutes(mine *hosted.Routing) {
	acct := account.New(h.Host)
	mine.GET("/settings/tokens", acct.ShowTokens)
	mine.POST("/settings/tokens", acct.MakeToken, h.RequireProof(accounts.MakeToken))
	mine.POST("/settings/tokens/revoke", acct.RevokeToken)
}

// policyRoutes are the page of what a workspace has set, which every member may read.
func (h app) policyRoutes(w *hosted.Routing) {
	workspace := workspaces.New(h.Host)
	w.GET("/settings/policy", workspace.ShowPolicy)
	w.POST("/settings/policy", workspace.SetPolicy, h.May(accounts.SetPolicy))
	w.POST("/settings/policy/name", workspace.RenameWorkspace, h.May(accounts.RenameWorkspace))
}

// operatorRoutes are for those who run the whole server.
func (h app) operatorRoutes(browser *hosted.Routing) {
	workspace := workspaces.New(h.Host)
	operators := browser.Under("", h.SignedIn, workspace.Operates)
	operators.GET("/admin", workspace.ShowOperator)
	operators.POST("/settings/workspaces", account.New(h.Host).AddWorkspace)
}

// agentRoutes are what those who run a workspace do with its agents, and with what those wrote.
func (h app) agentRoutes(w *hosted.Routing) {
	workspace := workspaces.New(h.Host)
	w.GET("/settings/agents", workspace.ShowAgentsSettings)
	one, moves, erases := w.Under("/agents/:agent"), h.May(accounts.MoveAgent), h.May(accounts.Erase)
	one.POST("/archive", workspace.ArchiveAgent, h.May(accounts.ArchiveAgent))
	one.POST("/rename", workspace.GrantName, h.May(accounts.RenameAgent))
	one.GET("/move", workspace.ShowMove, moves)
	one.POST("/move", workspace.MoveAgent, moves)
	one.GET("/erase", workspace.ShowErase, erases)
	one.POST("/erase", workspace.Erase, erases)
}

// dataRoutes are the pages on what a workspace keeps, and how it comes out and goes away.
func (h app) dataRoutes(w *hosted.Routing) {
	workspace := workspaces.New(h.Host)
	w.GET("/settings/data", workspace.ShowData)
	w.GET("/settings/data/export", workspace.ShowExport)
	w.POST("/settings/data/export", workspace.SendExport, h.May(accounts.ExportWorkspace))
	w.POST("/settings/data/delete", workspace.DeleteWorkspace, h.May(accounts.DeleteWorkspace))
	w.GET("/agents/:agent/export", workspace.ShowExport)
	w.POST("/agents/:agent/export", workspace.SendExport, h.May(accounts.ExportAgent))
}

// notifyRoutes are the pages on how people are told: browser is open to everybody, w to members of
// the workspace of the address.
func (h app) notifyRoutes(browser, w *hosted.Routing) {
	notices := notifications.New(h.Host)
	browser.GET("/"+notifications.PushWorker, notices.SendPushWorker)
	mine := browser.Under("", h.SignedIn, notices.PushPolicy)
	mine.GET(notifications.Notifications, notices.ShowNotifications)
	mine.GET(notifications.Notifications+"/confirm", notices.ShowConfirmPlace)
	mine.POST(notifications.Notifications+"/confirm", notices.ConfirmPlace)
	mine.POST(notifications.Notifications+"/places", notices.AddPlace)
	for what, does := range map[string]echo.HandlerFunc{
		"remove": notices.RemovePlace, "test": notices.TryPlace, "rotate": notices.RotatePlace, "digest": notices.SetDigest, "wishes": notices.SetWishes, "hours": notices.SetNewsHours, "replay": notices.ReplayNews,
	} {
		mine.POST(notifications.Notifications+"/"+what, notices.Counted(what, does))
	}
	w.GET("/news", notices.ShowNews)
	w.POST("/news/read", notices.ReadNews)
	w.GET("/news/:news", notices.FollowNews)
}

// deskRoutes are what the forms of an ask's page are sent to. Nothing else here decides, and
// nothing but a session reaches them: no token of an agent is looked at.
func (h app) deskRoutes(e *echo.Echo) {
	decisions := decide.New(h.Host)
	at := hosted.Under(e, "/w/:workspace/agents/:agent/asks/:ask", h.PageHeaders, web.SameOrigin(h.Public.String()), h.RetryForm, h.Recognise, decisions.SignInAgain, decisions.KeepText, h.Desk.Member, hosted.RejectPast)
	at.POST("/decide", decisions.Decide)
	at.POST("/draft", decisions.SaveDraft)
	at.POST("/quote", decisions.Quote)
	at.POST("/undo", decisions.Undo)
	at.POST("/claim", decisions.Claim)
	at.POST("/snooze", decisions.Snooze)
	at.POST("/viewed", decisions.MarkViewed)
}

// receiptRoutes are the pages of decisions and their receipts, and the key that signs them.
func (h app) receiptRoutes(e *echo.Echo, w *hosted.Routing) {
	decisions := decide.New(h.Host)
	e.GET("/.well-known/figs-web-key", decisions.SendKey)
	w.GET("/decisions", decisions.ListDecisions)
	w.GET("/agents/:agent/receipts/:key", decisions.ShowReceipt)
	w.GET("/agents/:agent/receipts/:key/receipt.json", decisions.SendReceipt)
}

// shareRoutes are the pages that make a copy of one ask, to be shown to somebody who has no account. Who may export the
// agent may do that; before anything leaves, the person proves who they are, and the audit says so.
func (h app) shareRoutes(w *hosted.Routing) {
	workspace := workspaces.New(h.Host)
	w.GET("/agents/:agent/share/:key", workspace.ShowShare)
	w.POST("/agents/:agent/share/:key", workspace.SendShare, h.May(accounts.ExportAgent))
}

// feedbackRoutes are the page of what tools have sent, for those who run the workspace.
func (h app) feedbackRoutes(w *hosted.Routing) {
	workspace := workspaces.New(h.Host)
	w.GET("/settings/feedback", workspace.ShowFeedback, h.May(accounts.ReadFeedback))
	w.POST("/settings/feedback/remove", workspace.RemoveFeedback, h.May(accounts.RemoveFeedback))
}

// keepSettling settles each second until the server stops: what other processes have decided
// counts here, too, and pages that only wait are told.
func (h app) keepSettling(stopping context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for n := 0; ; n++ {
		if n%60 == 0 {
			h.Viewer.Renders.Expire(time.Now().Add(-viewer.CacheLasts))
		}
		if err := h.Settle(stopping, func() bool { return true }); err != nil && h.Hosting.Log != nil && stopping.Err() == nil {
			h.Hosting.Log(web.Event{Route: "settle", Err: err})
		}
		h.Guesses.CatchUp()
		select {
		case <-stopping.Done():
			return
		case <-tick.C:
		}
	}
}
