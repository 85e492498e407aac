package components

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// inboxPage is one tab of the inbox: by default of what is asked of the person who looks.
func inboxPage(ctx context.Context, site Site, w journal.Workspace, query string) (view, error) {
	q := journal.ParseInboxQuery(query)
	if q.Tab == "" {
		q.Tab = journal.TabNeeds
	}
	q.Mine, q.Viewer = "", site.Shell.Person.ID
	if !q.Everybody {
		q.Mine = q.Viewer
	}
	inbox, err := w.Inbox(ctx, q)
	if err != nil {
		return view{}, err
	}
	return view{statusOK, say(ctx, "Inbox"), InboxPage(site, q, inbox)}, nil
}

// inboxAt is the address of the inbox under a query.
func inboxAt(site Site, q journal.InboxQuery) templ.SafeURL {
	page := "inbox"
	if query := q.String(); query != "" {
		page += "?" + query
	}
	return site.Shell.To(page)
}

// under is the first page of the same query in another tab, and of everybody's asks or mine.
func under(q journal.InboxQuery, tab journal.Tab, everybody bool) journal.InboxQuery {
	q.Tab, q.Everybody, q.From = tab, everybody, 0
	return q
}

// inboxTurned is the same query at another page.
func inboxTurned(q journal.InboxQuery, from int) journal.InboxQuery {
	q.From = from
	return q
}

// inboxSorted is the first page of the same query in another order.
func inboxSorted(q journal.InboxQuery, sort string) journal.InboxQuery {
	q.Sort, q.From = sort, 0
	return q
}

// itemCost is how long an ask has waited in all its rounds, where that is more than it waits now; "" elsewhere.
func itemCost(ctx context.Context, site Site, item *journal.InboxItem) string {
	if item.Past < minute || item.Since == figs.NoTime || !site.clocked() {
		return ""
	}
	return say(ctx, "%s in all rounds", fine(ctx, item.Past+max(0, site.Now-item.Since)))
}

// narrowed counts the filters that are on, beside whose asks are shown.
func narrowed(q journal.InboxQuery) int {
	n := 0
	for _, on := range []bool{q.Agent != "", q.Department != "", q.Type != "", q.To != "", q.Age > 0} {
		if on {
			n++
		}
	}
	return n
}

// inboxNews is the headline of a tab.
func inboxNews(ctx context.Context, site Site, q journal.InboxQuery, inbox *journal.Inbox) (news, lede string) {
	whole := inbox.From == 0 && !inbox.More
	switch {
	case q.Tab == journal.TabWaiting && whole:
		news = countSpelled(ctx, len(inbox.Items), "One ask waits on its agent", "%s asks wait on their agents")
	case q.Tab == journal.TabWaiting:
		news = say(ctx, "Asks that wait on their agents")
	case q.Tab == journal.TabReported:
		news = countSpelled(ctx, inbox.Reported, "One reply is reported and not confirmed", "%s replies are reported and not confirmed")
	case q.Tab == journal.TabSnoozed:
		news = countSpelled(ctx, inbox.Snoozed, "One ask is put off", "%s asks are put off")
	case q.Tab == journal.TabClosed && whole:
		news = countSpelled(ctx, len(inbox.Items), "One ask is closed", "%s asks are closed")
	case q.Tab == journal.TabClosed:
		news = say(ctx, "Asks that are closed")
	case q.Everybody:
		news = countSpelled(ctx, inbox.Needs, "One decision waits for a human", "%s decisions wait for humans")
	default:
		news = waitsNews(ctx, inbox.Needs, "decision", inboxAsks(inbox))
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
func inboxLede(ctx context.Context, site Site, q journal.InboxQuery, inbox *journal.Inbox) string {
	var parts []string
	switch {
	case q.Tab == journal.TabWaiting:
		parts = append(parts, say(ctx, "A human replied; the agent has to act on it and close the ask. Newest first."))
	case q.Tab == journal.TabReported && inbox.Reported > 0:
		parts = append(parts, say(ctx, "Agents reported these replies for someone. Confirm or contradict them: until then nothing is decided."))
	case q.Tab == journal.TabSnoozed && inbox.Snoozed > 0:
		parts = append(parts, say(ctx, "They come back when their time is up, or when something about them is new."))
	case q.Tab == journal.TabClosed:
		parts = append(parts, say(ctx, "Newest first."))
	case inbox.Needs > 1 && q.Sort != "":
		parts = append(parts, say(ctx, "What has waited longest, over all rounds, comes first."))
	case inbox.Needs > 1:
		parts = append(parts, say(ctx, "Longest wait first."))
	}
	if q.Tab == journal.TabNeeds && inbox.Needs > 0 && inbox.Oldest != figs.NoTime && site.clocked() {
		wait := span(ctx, site.Now-inbox.Oldest)
		switch {
		case inbox.Needs == 1 && blocksAny(inbox):
			parts = append(parts, say(ctx, "It has held up a job for %s.", wait))
		case inbox.Needs == 1:
			parts = append(parts, say(ctx, "It has waited %s.", wait))
		case inbox.From == 0 && q.Sort == "" && len(inbox.Items) > 0 && inbox.Items[0].Blocks:
			parts = append(parts, say(ctx, "The oldest has held up a job for %s.", wait))
		default:
			parts = append(parts, say(ctx, "The oldest has waited %s.", wait))
		}
	}
	if narrowed(q) > 0 {
		parts = append(parts, say(ctx, "Only what the filters let through."))
	}
	return strings.Join(parts, " ")
}

func blocksAny(inbox *journal.Inbox) bool { return len(inbox.Items) > 0 && inbox.Items[0].Blocks }

// itemSign says where an ask stands, to the person who looks.
func itemSign(ctx context.Context, item *journal.InboxItem) (kind, word string) {
	s := askSign(ctx, &item.Ask)
	switch {
	case item.Ask.State.Reported && item.Mine:
		s = sign{"need", say(ctx, "Confirm or contradict")}
	case item.Ask.State.Phase == figs.NeedsYou && !item.Mine:
		s = sign{"wait", say(ctx, "needs others")}
	}
	return s.Kind, s.Word
}

// itemReported is what an agent wrote down in somebody's name, {0}, as far as where the ask stands tells.
func itemReported(item *journal.InboxItem) string {
	switch phase := item.Ask.State.Phase; {
	case phase == figs.BeingRevised:
		return "the agent says that {0} requested changes; nobody has confirmed it"
	case phase == figs.Declined || phase == figs.Rejected:
		return "the agent says that {0} declined; nobody has confirmed it"
	case signOff(&item.Ask):
		return "the agent says that {0} approved; nobody has confirmed it"
	}
	return "the agent says that {0} answered; nobody has confirmed it"
}

// ages are the waits to filter by, in hours.
var ages = []int{4, 24, 72, 168}

func ageWord(ctx context.Context, hours int) string {
	return say(ctx, "at least %s", span(ctx, int64(hours)*hour))
}

// inboxEmpty says why nothing is here, and what comes next.
func inboxEmpty(ctx context.Context, shell *Shell, q journal.InboxQuery) (news, next string) {
	switch {
	case narrowed(q) > 0:
		return say(ctx, "Nothing matches these filters."), ""
	case q.Tab == journal.TabWaiting:
		return say(ctx, "No agent owes you an act."), say(ctx, "After a reply, an ask is listed here until the agent has acted on it and closed it.")
	case q.Tab == journal.TabReported:
		return say(ctx, "Nothing is only reported."), say(ctx, "When an agent writes a reply down in somebody's name, it stands here until a person has confirmed or contradicted it.")
	case q.Tab == journal.TabSnoozed:
		return say(ctx, "Nothing is put off."), say(ctx, "An ask that you snooze is listed here until its time is up.")
	case q.Tab == journal.TabClosed:
		return say(ctx, "Nothing is closed yet."), say(ctx, "What was asked, answered and acted on is kept here.")
	case q.Everybody:
		return say(ctx, "Nothing waits for anybody."), say(ctx, "When an agent needs an answer or a sign-off, it appears here at once.")
	case shell != nil && shell.Role == "viewer":
		return say(ctx, "Nothing needs you."), say(ctx, "You are a viewer here: you read everything, and no agent asks you. An owner or admin can give you another role under Workspace settings.")
	case shell != nil && shell.Role == "member":
		return say(ctx, "Nothing needs you."), say(ctx, "As a member you decide what those agents ask that you manage or built. An owner or admin can make you the manager of one.")
	}
	return say(ctx, "Nothing needs you."), say(ctx, "When an agent needs an answer or a sign-off from you, it appears here at once.")
}
