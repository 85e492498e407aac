package accounts

import "github.com/figs-web/figs-web/internal/store"

// Action is something that a member does in a workspace.
type Action string

// The actions. Pages, the API and tests ask for them by these names.
const (
	ReadWorkspace   Action = "workspace.read"
	PushAgent       Action = "agent.push"
	ReplyToAsk      Action = "ask.reply"
	ConfirmReport   Action = "ask.confirm"
	DraftReply      Action = "ask.draft"
	HandOverAsk     Action = "ask.handover"
	NoteAsk         Action = "ask.note"
	NudgeAgent      Action = "ask.nudge"
	FillDemo        Action = "demo.fill"
	RenameWorkspace Action = "workspace.rename"
	SetPolicy       Action = "workspace.policy"
	AllowText       Action = "workspace.policy.text"
	SetUpChat       Action = "workspace.chat"
	DeleteWorkspace Action = "workspace.delete"
	ExportWorkspace Action = "workspace.export"
	ShareViews      Action = "views.share"
	ReadAudit       Action = "audit.read"
	ReadFigures     Action = "reports.people"
	ReadFeedback    Action = "feedback.read"
	RemoveFeedback  Action = "feedback.remove"
	ChangeMembers   Action = "members.change"
	InviteMembers   Action = "members.invite"
	AssignAgent     Action = "agent.assign"
	RenameAgent     Action = "agent.rename"
	ArchiveAgent    Action = "agent.archive"
	MoveAgent       Action = "agent.move"
	ExportAgent     Action = "agent.export"
	Erase           Action = "record.erase"
)

// Actions on one's own account take no role, and all of them take a fresh proof.
const (
	MakeToken      Action = "token.make"
	ApproveDevice  Action = "device.approve"
	MakePasskey    Action = "passkey.make"
	RemovePasskey  Action = "passkey.remove"
	SetPassword    Action = "password.first" // where there is none yet; changing one takes the old one
	MakeRecovery   Action = "recovery.make"
	LinkIdentity   Action = "identity.link"
	UnlinkIdentity Action = "identity.unlink"
)

// These take a fresh proof only in some cases: approving where the workspace's policy says so, and setting a policy that
// protects less than the present one.
const (
	ApproveAsk   Action = "ask.approve"
	WeakenPolicy Action = "workspace.policy.weaken"
)

// Rule says who may do one thing.
type Rule struct {
	Action  Action
	Least   store.Role // this role and every higher one may
	Manager bool       // and so may a member who manages the agent that it is about
	Builder bool       // and one who built it
	StepUp  bool       // it takes a fresh proof of who the person is
	Token   bool       // the holder of a token may do it too
	Says    string     // in words, for people: "Erase a record's text or an attachment"
}

// rules is the one place that says who may do what. That owners alone make and unmake owners, and
// that the last owner stays, is CheckRoleChange's and the store's.
var rules = []Rule{
	{Action: ReadWorkspace, Least: store.Viewer, Token: true, Says: "Read everything in the workspace"},
	{Action: PushAgent, Least: store.Member, Token: true, Says: "Push agents"},
	{Action: ReplyToAsk, Least: store.Admin, Manager: true, Builder: true, Says: "Reply to asks: answer, approve, request changes, decline"},
	{Action: DraftReply, Least: store.Admin, Manager: true, Builder: true, Token: true, Says: "Save a draft of your own reply"},
	{Action: HandOverAsk, Least: store.Admin, Manager: true, Builder: true, Says: "Hand an ask to someone who may reply to it, and take it back"},
	{Action: NoteAsk, Least: store.Member, Says: "Write notes to colleagues on an ask"},
	{Action: NudgeAgent, Least: store.Member, Says: "Remind an agent's manager and builder of a reply that wasn't picked up"},
	{Action: ConfirmReport, Least: store.Member, Says: "Confirm or contradict replies that an agent reports in your name"},
	{Action: FillDemo, Least: store.Admin, Says: "Add the demo to an empty workspace"},
	{Action: RenameWorkspace, Least: store.Admin, Says: "Rename the workspace"},
	{Action: SetPolicy, Least: store.Admin, Says: "Change the policy for approvals and notifications"},
	{Action: AllowText, Least: store.Owner, Says: "Let notifications name agents and asks to chat and other services"},
	{Action: SetUpChat, Least: store.Admin, Says: "Set up chat channels for notifications"},
	{Action: ShareViews, Least: store.Admin, Says: "Save views of lists for everyone"},
	{Action: DeleteWorkspace, Least: store.Owner, StepUp: true, Says: "Delete workspace"},
	{Action: ExportWorkspace, Least: store.Owner, StepUp: true, Says: "Export the whole workspace"},
	{Action: ReadAudit, Least: store.Admin, Says: "Read the audit log"},
	{Action: ReadFigures, Least: store.Owner, Says: "See everyone's figures in reports"},
	{Action: ReadFeedback, Least: store.Admin, Says: "Read feedback from tools"},
	{Action: RemoveFeedback, Least: store.Owner, Says: "Remove feedback from tools"},
	{Action: ChangeMembers, Least: store.Admin, StepUp: true, Says: "Add and remove members, and change their roles"},
	{Action: InviteMembers, Least: store.Admin, StepUp: true, Says: "Invite people"},
	{Action: AssignAgent, Least: store.Admin, StepUp: true, Says: "Assign an agent's manager and builder"},
	{Action: RenameAgent, Least: store.Admin, Manager: true, Builder: true, Says: "Approve an agent's new name"},
	{Action: ArchiveAgent, Least: store.Admin, Manager: true, Says: "Archive and restore agents"},
	{Action: MoveAgent, Least: store.Admin, StepUp: true, Says: "Move an agent to another workspace where you are an owner or admin"},
	{Action: ExportAgent, Least: store.Admin, Manager: true, Builder: true, StepUp: true, Says: "Export an agent as a folder"},
	{Action: Erase, Least: store.Owner, StepUp: true, Says: "Erase the text of a record or the content of an attachment"},
}

// Rules lists who may do what, from what most may do to what few may.
func Rules() []Rule { return rules }

// RuleOf is the rule of an action; it panics for one that has none.
func RuleOf(a Action) Rule {
	for _, r := range rules {
		if r.Action == a {
			return r
		}
	}
	panic("people: no rule says who may " + string(a))
}

// ActionsNeedingProof lists everything that takes a fresh proof of who somebody is.
func ActionsNeedingProof() []Action {
	all := []Action{MakeToken, ApproveDevice, MakePasskey, RemovePasskey, SetPassword, MakeRecovery, LinkIdentity, UnlinkIdentity, ApproveAsk, WeakenPolicy}
	for _, r := range rules {
		if r.StepUp {
			all = append(all, r.Action)
		}
	}
	return all
}

// AgentRelation is how a member of a workspace stands to an agent.
type AgentRelation struct{ Manager, Builder bool }

// RelationTo says how a person stands to an agent.
func RelationTo(person string, a *store.Agent) AgentRelation {
	return AgentRelation{person != "" && a.Manager == person, person != "" && a.Builder == person}
}

// CanAnswer reports whether a member with a role can answer for an agent, as its manager or builder.
func CanAnswer(role store.Role) bool {
	return Can(role, AgentRelation{Manager: true}, ReplyToAsk) && Can(role, AgentRelation{Builder: true}, ReplyToAsk)
}

// Can reports whether who has a role in a workspace may do something there; s is how they stand to
// the agent that it is about, and is empty where it is about none. A viewer who manages an agent
// is still a viewer.
func Can(role store.Role, s AgentRelation, a Action) bool {
	r := RuleOf(a)
	return role.AtLeast(r.Least) || role.AtLeast(store.Member) && (r.Manager && s.Manager || r.Builder && s.Builder)
}
