package handlers

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/safedial"
	"github.com/figs-web/figs-web/internal/store"
)

const slackWebhook = "https://hooks.slack.com/services/T0AAAAAAA/B0AAAAAAA/slacksecret"

// TestChatSettings sets up channels with forms alone, as a browser without scripts does.
func TestChatSettings(t *testing.T) {
	c := newClub(t)
	ada, bob, eve := c.person("ada"), c.person("bob"), c.person("eve")
	w := c.workspace("acme", ada)
	c.member(w, bob, store.Admin)
	c.member(w, eve, store.Member)
	c.workspace("globex", ada)
	owner, admin, member := c.as(ada), c.as(bob), c.as(eve)
	const at = "/w/acme/settings/chat"
	c.h.Notifications.Dials = (&safedial.Guard{}).Check

	owner.get(at).says(t, 200).part(t, "#channels p", "chat-none").has(t, "#add a[href=/w/acme/settings/chat?service=slack#add]", "nav.tabs a[href=/w/acme/settings/chat][aria-current=page]").lacks(t, "#add form")
	for service, fields := range map[string][]string{"slack": {"url"}, "teams": {"url"}, "discord": {"url"}, "mattermost": {"url"}, "googlechat": {"url"}, "telegram": {"room", "token"}, "matrix": {"url", "room", "token"}} {
		page := owner.get(at+"?service="+service).says(t, 200).has(t, "#add form input[name=called]", "#add form input[name=service][value="+service+"]")
		for _, f := range []string{"url", "room", "token"} {
			if got := strings.Contains(page.body, `name="`+f+`"`); got != strings.Contains(strings.Join(fields, " "), f) {
				t.Errorf("%s: the field %s is there: %v", service, f, got)
			}
		}
	}
	owner.get(at+"?service=irc").says(t, 200).lacks(t, "#add form")
	member.get(at).says(t, 403)
	member.get("/w/acme/settings").says(t, 200).lacks(t, "nav.tabs a[href=/w/acme/settings/chat]")

	for name, bad := range map[string][]string{
		"chat-no-service": {"called", "Ops", "url", slackWebhook}, "chat-no-name": {"service", "slack", "url", slackWebhook},
		"chat-no-url": {"service", "slack", "called", "Ops"}, "chat-other-host": {"service", "slack", "called", "Ops", "url", "https://hooks.example/services/T1/B1/x"},
		"chat-inside":  {"service", "mattermost", "called", "Ops", "url", "https://127.0.0.1/hooks/abc"},
		"chat-no-room": {"service", "telegram", "called", "Ops", "token", "123456789:AAabcdefghijklmnopqrstuvwxyz0123456"}, "chat-no-token": {"service", "matrix", "called", "Ops", "url", "https://matrix.example.org", "room", "!a:example.org"},
	} {
		german := *owner
		german.headers = map[string]string{"Accept-Language": "de"}
		noEnglish(t, german.post(at, bad...).words())
		page := owner.post(at, bad...).says(t, 422, name)
		if strings.Contains(page.body, "slacksecret") || strings.Contains(page.body, "AAabcdefghijklmnopqrstuvwxyz") {
			t.Errorf("%s: the form shows the secret", name)
		}
	}
	admin.post(at, "service", "slack", "topic", "sign-off", "topic", "open", "called", "<b>Ops", "url", " "+slackWebhook+" ", "room", "ignored", "token", "ignored").leads(t, at+"?notice=chat-added")
	c.now = c.now.Add(time.Second)
	admin.post(at, "service", "matrix", "topic", "question", "called", "Room", "url", "https://matrix.example.org", "room", "!abc:example.org", "token", "matrixsecret").leads(t, at+"?notice=chat-added")
	channels, err := c.store.ChatChannels(t.Context(), w.ID)
	c.must(err)
	if len(channels) != 2 || channels[0].URL != slackWebhook || channels[0].Room+channels[0].Token != "" || channels[1].Token != "matrixsecret" || channels[1].By != bob.ID {
		t.Fatalf("%+v", channels)
	}
	page := admin.get(at + "?notice=chat-added")
	page.says(t, 200, "chat-added").shows(t, "&lt;b&gt;Ops", "hooks.slack.com", "matrix.example.org !abc:example.org").part(t, "#text p", "chat-says-link")
	for _, secret := range []string{"slacksecret", "T0AAAAAAA", "matrixsecret"} {
		if strings.Contains(page.body, secret) || strings.Contains(admin.get("/w/acme/settings/audit").body, secret) {
			t.Errorf("%q is shown", secret)
		}
	}

	id := channels[0].ID
	admin.post(at+"/test", "id", id).leads(t, at+"?notice=chat-test")
	admin.get(at+"?notice=chat-test").says(t, 200, "chat-test").part(t, "#sent li", "chat-sent-test")
	owner.post("/w/globex/settings/chat/test", "id", id).says(t, 404)
	owner.post("/w/globex/settings/chat/remove", "id", id).leads(t, "/w/globex/settings/chat?notice=chat-removed")
	sent, err := c.store.SentToChat(t.Context(), w.ID, 0, 10)
	c.must(err)
	due, err := c.store.ClaimNotifications(t.Context(), "lease", c.at(), c.at()+100, 10)
	c.must(err)
	if len(sent) != 1 || len(due) != 1 || due[0].Chat.URL != slackWebhook || due[0].Slug != "acme" {
		t.Fatalf("%+v, %+v", sent, due)
	}
	x := due[0].QueuedNotification
	x.State, x.Tries, x.Answer, x.Ended = store.SendDead, 1, "HTTP 404: no_service", c.at()
	c.must(c.store.FinishNotification(t.Context(), "lease", x))
	admin.get(at).says(t, 200).shows(t, "HTTP 404: no_service").part(t, "#channels li", "chat-failing")
	admin.post(at+"/resend", "id", x.ID).leads(t, at+"?notice=chat-resent")
	if sent, err = c.store.SentToChat(t.Context(), w.ID, 0, 10); err != nil || sent[0].State != store.SendWaiting {
		t.Errorf("it is not sent again: %+v, %v", sent, err)
	}

	// A message's link leads every member to the ask, and nobody else anywhere.
	n := store.Notification{ID: store.NewID(), Destination: id, Workspace: w.ID, Event: store.EventAsk, Name: "ask x", Agent: "0d4f2a3c-1111-4222-8333-000000000009", Ask: "send", Round: 1, At: c.at(), Next: c.at()}
	c.must(c.store.AddNotification(t.Context(), n))
	member.get("/w/acme/news/"+n.ID).leads(t, "/w/acme/agents/"+n.Agent+"/asks/send")
	member.get("/w/acme/news/"+x.ID).leads(t, "/w/acme/inbox")
	owner.get("/w/globex/news/"+n.ID).leads(t, "/w/globex/inbox")

	// Owners and admins are told of a channel that fails.
	if due, err = c.store.ClaimNotifications(t.Context(), "again", c.at()+1, c.at()+200, 10); err != nil {
		t.Fatal(err)
	}
	for _, d := range due {
		d.State, d.Ended = store.SendDead, c.at()+1
		c.must(c.store.FinishNotification(t.Context(), "again", d.QueuedNotification))
	}
	list, err := c.store.ListNotifications(t.Context(), bob.ID, w.ID, store.NotificationQuery{})
	c.must(err)
	if len(list.Items) != 1 {
		t.Fatalf("the admin was told %d times", len(list.Items))
	}
	admin.get("/w/acme/news").says(t, 200).part(t, "main li .title", "news-chat-failing")
	admin.get("/w/acme/news/"+list.Items[0].ID).leads(t, at)

	admin.post(at+"/remove", "id", id).leads(t, at+"?notice=chat-removed")
	admin.post(at+"/remove", "id", id).leads(t, at+"?notice=chat-removed")
	admin.get(at+"?notice=chat-removed").says(t, 200, "chat-removed")
	log := admin.get("/w/acme/settings/audit").says(t, 200)
	log.shows(t, "added the Slack channel", "removed the Slack channel", "sent a message to a chat channel again")
}

// TestTextLevel tests who may let notifications say how much.
func TestTextLevel(t *testing.T) {
	c := newClub(t)
	ada, bob := c.person("ada"), c.person("bob")
	w := c.workspace("acme", ada)
	c.member(w, bob, store.Admin)
	owner, admin := c.as(ada), c.as(bob)
	const at = "/w/acme/settings/policy"
	is := func(want store.TextLevel) {
		t.Helper()
		now, err := c.store.Workspace(t.Context(), w.ID)
		if c.must(err); now.Text != want {
			t.Errorf("it is %s, want %s", now.Text, want)
		}
	}
	admin.post(at, "text", "members").leads(t, at+"?notice=policy-saved")
	is(store.TextMembers)
	admin.get(at).says(t, 200).has(t, "#text input[value=everywhere][disabled]", "#text input[value=members][checked]").part(t, "#text .help", "text-example")
	admin.post(at, "text", "everywhere").says(t, 403, "text-owners-only")
	admin.post(at, "text", "everything").leads(t, at+"?notice=policy-saved")
	is(store.TextLink)
	owner.post(at, "text", "everywhere").leads(t, at+"?notice=policy-saved")
	is(store.TextEverywhere)
	admin.post(at, "all", "1").leads(t, at+"?notice=policy-saved") // the form of one who may not choose it has no level
	is(store.TextEverywhere)
	admin.get("/w/acme/settings/chat").says(t, 200).part(t, "#text p", "chat-says-all")
	admin.post(at, "text", "link").leads(t, at+"?notice=policy-saved")
	is(store.TextLink)
	admin.get("/w/acme/settings/audit").says(t, 200).shows(t, "all notifications name agents and asks", "notifications contain only a link")
}

// TestChatChoice chooses what a channel is told about, with forms alone.
func TestChatChoice(t *testing.T) {
	c := newClub(t)
	ada, eve := c.person("ada"), c.person("eve")
	w := c.workspace("acme", ada)
	c.member(w, eve, store.Member)
	const other = "0d4f2a3c-1111-4222-8333-000000000008"
	for id, more := range map[string]string{closer: `"name":"Closer","org":{"department":"Finance"}`, other: `"name":"Seller\u200b","org":{"department":"Sales"}`} {
		body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,%s}}`, w.ID, id, more))
		c.must(err)
		_, err = c.store.Push(t.Context(), store.Push{Workspace: w.ID, Act: store.Act{At: c.at()}, Body: body})
		c.must(err)
	}
	owner, member := c.as(ada), c.as(eve)
	const at = "/w/acme/settings/chat"
	finance, sales := (&journal.Department{Name: "Finance"}).Key(), (&journal.Department{Name: "Sales"}).Key()
	owner.get(at+"?service=slack").says(t, 200).has(t, "#add input[name=topic][value=question][checked]", "#add input[name=topic][value=picked]", "#add input[name=department][value="+finance+"]", "#add input[name=add][list=chat-names]").
		lacks(t, "#add input[name=topic][value=picked][checked]", "#add input[name=department][checked]", "#choose")
	owner.post(at, "service", "slack", "called", "Ops", "url", slackWebhook).says(t, 422, "chat-no-topic").lacks(t, "#add input[name=topic][checked]")
	owner.post(at, "service", "slack", "called", "Ops", "url", slackWebhook, "topic", "open", "add", "Nobody").says(t, 422, "chat-no-such-name").has(t, "#add input[name=add][value=Nobody]", "#add input[name=topic][value=open][checked]")
	owner.post(at, "service", "slack", "called", "Ops", "url", slackWebhook, "topic", "open", "topic", "everything", "add", " closer ").leads(t, at+"?notice=chat-added")
	only := func(topics []store.ChatTopic, agents, departments []string) string {
		t.Helper()
		all, err := c.store.ChatChannels(t.Context(), w.ID)
		c.must(err)
		if got := all[0].ChatChoice; !slices.Equal(got.Topics, topics) || !slices.Equal(got.Agents, agents) || !slices.Equal(got.Departments, departments) {
			t.Errorf("it is told about %v, of %v and %v", got.Topics, got.Agents, got.Departments)
		}
		return all[0].ID
	}
	id := only([]store.ChatTopic{store.ChatReminders}, []string{closer}, nil)
	owner.get(at).says(t, 200).part(t, "#channels .told", "chat-told-one").lacks(t, "#choose")
	owner.get(at+"?channel="+id).says(t, 200).has(t, "#choose input[name=topic][value=open][checked]", "#choose input[name=agent][value="+closer+"][checked]").lacks(t, "#choose input[name=topic][value=claim][checked]", "#add")
	owner.get(at+"?channel="+other).says(t, 200).lacks(t, "#choose").has(t, "#add")

	owner.post(at+"/choose", "id", id, "topic", "open", "agent", closer, "add", "seller").leads(t, at+"?notice=chat-chosen&channel="+id+"#choose")
	only([]store.ChatTopic{store.ChatReminders}, []string{closer, other}, nil)
	owner.post(at+"/choose", "id", id, "topic", "open", "add", "Seller[U+200B]").leads(t, at+"?notice=chat-chosen&channel="+id+"#choose") // as the suggestions spell it
	only([]store.ChatTopic{store.ChatReminders}, []string{other}, nil)
	owner.post(at+"/choose", "id", id, "topic", "claim", "topic", "sign-off", "department", sales, "department", sales, "department", "elsewhere", "agent", store.NewID(), "add", "FINANCE").leads(t, at+"?notice=chat-chosen&channel="+id+"#choose")
	only([]store.ChatTopic{store.ChatSignOffs, store.ChatReported}, nil, []string{"Sales", "Finance"})
	owner.get(at+"?notice=chat-chosen&channel="+id).says(t, 200, "chat-chosen").has(t, "#choose input[name=department][value="+finance+"][checked]")
	owner.post(at+"/choose", "id", id, "department", sales).says(t, 422, "chat-no-topic").has(t, "#choose input[name=department][value="+sales+"][checked]").lacks(t, "#choose input[name=department][value="+finance+"][checked]")
	owner.post(at+"/choose", "id", id, "topic", "open", "add", "<b>Nobody").says(t, 422, "chat-no-such-name")
	only([]store.ChatTopic{store.ChatSignOffs, store.ChatReported}, nil, []string{"Sales", "Finance"})
	many := []string{"id", id, "topic", "open"}
	for i := range store.MaxChatAgents + 1 {
		x := fmt.Sprintf("0d4f2a3c-1111-4222-8333-0000000001%02d", i)
		if i == 100 {
			x = "0d4f2a3c-1111-4222-8333-000000000200"
		}
		c.agent(w, x, "Many")
		many = append(many, "agent", x)
	}
	owner.post(at+"/choose", many...).says(t, 422, "chat-too-many")
	owner.post(at+"/choose", "id", id, "topic", "open").leads(t, at+"?notice=chat-chosen")
	only([]store.ChatTopic{store.ChatReminders}, nil, nil)
	owner.get(at).says(t, 200).part(t, "#channels .told", "chat-told-all")
	member.post(at+"/choose", "id", id, "topic", "open").says(t, 403)
	owner.post(at+"/choose", "id", store.NewID(), "topic", "open").says(t, 404)
	owner.get("/w/acme/settings/audit").says(t, 200).shows(t, "changed what the Slack channel", "is told about")
}
