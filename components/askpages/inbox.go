package askpages

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// Inbox is one tab of the inbox, by default with the asks of the signed-in person.
func Inbox(ctx context.Context, site ui.Site, w journal.Workspace, query string) (ui.View, error) {
	q := journal.ParseInboxQuery(query)
	inbox, err := listed(ctx, site, w, &q)
	if err != nil {
		return ui.View{}, err
	}
	body := InboxPage(site, q, inbox)
	if len(inbox.Items) > 0 {
		body = panes(site, q, body, nil)
	}
	return ui.View{Status: ui.StatusOK, Title: i18n.Say(ctx, "Inbox"), Body: body}, nil
}

// inboxAt is the address of the inbox under a query.
func inboxAt(site ui.Site, q journal.InboxQuery) templ.SafeURL {
	page := "inbox"
	if query := q.String(); query != "" {
		page += "?" + query
	}
	return site.Shell.To(page)
}

// under is the first page of the same query in another tab, and of everyone's asks or mine.
func under(q journal.InboxQuery, tab journal.Tab, everybody bool) journal.InboxQuery {
	q.Tab, q.Everybody, q.After, q.Before = tab, everybody, "", ""
	return q
}

// inboxTurned is the same query at another page.
func inboxTurned(q journal.InboxQuery, after, before string) journal.InboxQuery {
	q.After, q.Before = after, before
	return q
}

// inboxSorted is the first page of the same query in another order.
func inboxSorted(q journal.InboxQuery, sort string) journal.InboxQuery {
	q.Sort = sort
	return inboxTurned(q, "", "")
}

// itemCost is how long an ask has waited in all its rounds, where that is more than it waits now; "" elsewhere.
func itemCost(ctx context.Context, site ui.Site, item *journal.InboxItem) string {
	if item.EarlierWait < ui.Minute || item.Since == figs.NoTime || !site.HasClock() {
		return ""
	}
	return i18n.Say(ctx, "%s over all rounds", LongSpan(ctx, item.EarlierWait+max(0, site.Now-item.Since)))
}

// mostAgents is how many agents are suggested as a filter.
const mostAgents = 100

// agentCalled is the name of the agent with that key.
func agentCalled(inbox *journal.Inbox, key string) string {
	for i := range inbox.Agents {
		if inbox.Agents[i].Key == key {
			return agenttext.Plain(inbox.Agents[i].DisplayName())
		}
	}
	return agenttext.Plain(key)
}

// narrowed counts the filters that are on, beside whose asks are shown.
func narrowed(q journal.InboxQuery) int {
	n := 0
	for _, on := range []bool{q.Text != "", q.Agent != "", q.Department != "", q.Type != "", q.To != "", q.MinWaitHours > 0} {
		if on {
			n++
		}
	}
	return n
}

// inboxNews is the headline of a tab.
func inboxNews(ctx context.Context, site ui.Site, q journal.InboxQuery, inbox *journal.Inbox) (news, lede string) {
	whole := inbox.Prev == "" && inbox.Next == ""
	switch {
	case narrowed(q) > 0 && len(inbox.Items) == 0: // what the filters leave out may need someone
		news = i18n.Say(ctx, "Inbox")
	case q.Tab == journal.TabWaiting && whole:
		news = i18n.CountWords(ctx, len(inbox.Items), "One ask is waiting for its agent", "%s asks are waiting for their agents")
	case q.Tab == journal.TabWaiting:
		news = i18n.Say(ctx, "Asks waiting for their agents")
	case q.Tab == journal.TabReported:
		news = i18n.CountWords(ctx, inbox.Reported, "One reported reply is not confirmed", "%s reported replies are not confirmed")
	case q.Tab == journal.TabSnoozed:
		news = i18n.CountWords(ctx, inbox.Snoozed, "One ask is snoozed", "%s asks are snoozed")
	case q.Tab == journal.TabClosed && whole:
		news = i18n.CountWords(ctx, len(inbox.Items), "One ask is closed", "%s asks are closed")
	case q.Tab == journal.TabClosed:
		news = i18n.Say(ctx, "Closed asks")
	case q.Everybody:
		news = i18n.CountWords(ctx, inbox.Needs, "One decision needs a human", "%s decisions need a human")
	default:
		news = recordviews.WaitsNews(ctx, inbox.Needs, "decision", inboxAsks(inbox))
	}
	return news, inboxLede(ctx, site, q, inbox)
}

func inboxAsks(inbox *journal.Inbox) []journal.Ask {
	asks := make([]journal.Ask, len(inbox.Items))
	for i := range inbox.Items {
		asks[i] = inbox.Items[i].Ask
	}
	return asks
}

// inboxLede says in which order, and how long the oldest has waited.
func inboxLede(ctx context.Context, site ui.Site, q journal.InboxQuery, inbox *journal.Inbox) string {
	var parts []string
	switch {
	case q.Tab == journal.TabWaiting:
		parts = append(parts, i18n.Say(ctx, "Someone replied. The agent has to act on the reply and close the ask. Replies that the agent hasn't confirmed come first, the longest wait first."))
	case q.Tab == journal.TabReported && inbox.Reported > 0:
		parts = append(parts, i18n.Say(ctx, "Agents report that people gave these replies. Until you confirm or contradict them, nothing is decided."))
	case q.Tab == journal.TabSnoozed && inbox.Snoozed > 0:
		parts = append(parts, i18n.Say(ctx, "They return when their time is up or something changes."))
	case q.Tab == journal.TabClosed:
		parts = append(parts, i18n.Say(ctx, "Newest first."))
	case inbox.Needs > 1 && q.Sort != "":
		parts = append(parts, i18n.Say(ctx, "Longest total wait over all rounds first."))
	case inbox.Needs > 1:
		parts = append(parts, i18n.Say(ctx, "Longest wait first."))
	}
	if q.Tab == journal.TabNeeds && inbox.Needs > 0 && inbox.Oldest != figs.NoTime && site.HasClock() {
		wait := ui.Span(ctx, site.Now-inbox.Oldest)
		switch {
		case inbox.Needs == 1 && blocksAny(inbox):
			parts = append(parts, i18n.Say(ctx, "It has blocked a job for %s.", wait))
		case inbox.Needs == 1:
			parts = append(parts, i18n.Say(ctx, "It has been waiting for %s.", wait))
		case inbox.Prev == "" && q.Sort == "" && len(inbox.Items) > 0 && inbox.Items[0].Blocks:
			parts = append(parts, i18n.Say(ctx, "The oldest has blocked a job for %s.", wait))
		default:
			parts = append(parts, i18n.Say(ctx, "The oldest has been waiting for %s.", wait))
		}
	}
	if narrowed(q) > 0 {
		parts = append(parts, i18n.Say(ctx, "Filters are on."))
	}
	return strings.Join(parts, " ")
}

func blocksAny(inbox *journal.Inbox) bool { return len(inbox.Items) > 0 && inbox.Items[0].Blocks }

// itemSign is the status of an ask for the signed-in person.
func itemSign(ctx context.Context, item *journal.InboxItem) (kind, word string) {
	s := ui.AskSign(ctx, &item.Ask)
	switch {
	case item.Pending != nil:
		s = ui.Sign{Kind: "wait", Word: i18n.Say(ctx, "decided, can be undone")}
	case item.Ask.State.Reported && item.Mine:
		s = ui.Sign{Kind: "need", Word: i18n.Say(ctx, "Confirm or contradict")}
	case item.Ask.State.Phase == figs.NeedsYou && !item.Mine:
		s = ui.Sign{Kind: "wait", Word: i18n.Say(ctx, "needs someone else")}
	}
	return s.Kind, s.Word
}

// itemReported is the sentence about a reply that an agent reported for {0}, as far as the state of the ask tells it.
func itemReported(item *journal.InboxItem) string {
	switch phase := item.Ask.State.Phase; {
	case phase == figs.BeingRevised:
		return "the agent reports that {0} requested changes; not confirmed"
	case phase == figs.Declined || phase == figs.Rejected:
		return "the agent reports that {0} declined; not confirmed"
	case viewer.IsSignOff(&item.Ask):
		return "the agent reports that {0} approved; not confirmed"
	}
	return "the agent reports that {0} answered; not confirmed"
}

// ages are the waits to filter by, in hours.
var ages = []int{4, 24, 72, 168}

func ageWord(ctx context.Context, hours int) string {
	return i18n.Say(ctx, "at least %s", ui.Span(ctx, int64(hours)*ui.Hour))
}

// inboxEmpty says why nothing is here, and what comes next.
func inboxEmpty(ctx context.Context, shell *ui.Shell, q journal.InboxQuery) (news, next string) {
	switch {
	case narrowed(q) > 0:
		return i18n.Say(ctx, "No asks match these filters."), ""
	case q.Tab == journal.TabWaiting:
		return i18n.Say(ctx, "No asks are waiting for an agent."), i18n.Say(ctx, "After a reply, an ask is listed here until the agent acts on it and closes it.")
	case q.Tab == journal.TabReported:
		return i18n.Say(ctx, "No reported replies to confirm."), i18n.Say(ctx, "When an agent reports someone's reply, it is listed here until a person confirms or contradicts it.")
	case q.Tab == journal.TabSnoozed:
		return i18n.Say(ctx, "No snoozed asks."), i18n.Say(ctx, "Asks you snooze are listed here until their time is up or something changes.")
	case q.Tab == journal.TabClosed:
		return i18n.Say(ctx, "No closed asks yet."), i18n.Say(ctx, "Asks appear here once the agent closes them.")
	case q.Everybody:
		return i18n.Say(ctx, "No decisions are waiting."), i18n.Say(ctx, "When an agent needs an answer or a sign-off, it appears here immediately.")
	case shell != nil && shell.Role == "viewer":
		return i18n.Say(ctx, "As a viewer you can read everything, but agents don't ask you. An owner or admin can change your role in the workspace settings."), ""
	case shell != nil && shell.Role == "member":
		return i18n.Say(ctx, "As a member you decide what the agents you manage or built ask. An owner or admin can make you the manager of an agent."), ""
	}
	return i18n.Say(ctx, "When an agent needs an answer or a sign-off from you, it appears here immediately."), ""
}

// inboxRowClass says whether a row's ask needs the person who looks.
func inboxRowClass(item *journal.InboxItem) templ.OrderedAttributes {
	names := "row"
	if item.Mine && item.Ask.State.Phase == figs.NeedsYou {
		names += " is-needed"
	}
	if item.Mine && !item.Ask.State.Reported {
		names += " is-plain"
	}
	return ui.Class(names)
}

func LiveAsk(a *journal.Agent, ask *journal.Ask) string { return ui.AskRow(a.Key, ask.Key) }
