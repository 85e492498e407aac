package chat

import (
	"html"
	"net/url"
	"strings"
)

// object is a JSON object.
type object = map[string]any

// slackBody lays a message out in blocks (https://docs.slack.dev/reference/block-kit). Text is plain_text, in which Slack
// reads no formatting and no mentions; text of the whole message is what a phone shows.
func slackBody(m *Message) object {
	plain := func(s string, n int) object {
		return object{"type": "plain_text", "text": slackText.Replace(cut(inert(s), n)), "emoji": false}
	}
	blocks := []any{object{"type": "header", "text": plain(m.Headline, 140)}}
	if m.Title != "" {
		blocks = append(blocks, object{"type": "section", "text": plain(m.Title, 500)})
	}
	link := func(name, to string) object {
		return object{"type": "mrkdwn", "text": "<" + slackText.Replace(to) + "|" + slackText.Replace(inert(name)) + ">", "verbatim": true}
	}
	for _, x := range m.Items {
		blocks = append(blocks, object{"type": "section", "fields": []any{plain(x.Text, 500), link(m.Open, x.Link)}})
	}
	if m.More != "" {
		blocks = append(blocks, object{"type": "section", "text": plain(m.More, 500)})
	}
	blocks = append(blocks, object{"type": "section", "text": link(m.Button, m.Link)})
	var facts []any
	for _, line := range factLines(m) {
		facts = append(facts, plain(line, 200))
	}
	if len(facts) > 0 {
		blocks = append(blocks, object{"type": "context", "elements": facts})
	}
	text := inert(m.Headline)
	if m.Title != "" {
		text += ": " + inert(m.Title)
	}
	return object{"text": slackText.Replace(text), "mrkdwn": false, "blocks": blocks, "unfurl_links": false, "unfurl_media": false}
}

// teamsBody is an adaptive card (https://adaptivecards.io/explorer) for the workflow "Post to a channel when a webhook request
// is received". Text runs read no Markdown; facts do, and are our own words.
func teamsBody(m *Message) object {
	run := func(s string, style object) object {
		style["type"], style["text"] = "TextRun", inert(s)
		return object{"type": "RichTextBlock", "inlines": []any{style}}
	}
	card := []any{run(m.Headline, object{"size": "Medium", "weight": "Bolder"})}
	if m.Title != "" {
		card = append(card, run(m.Title, object{}))
	}
	for _, x := range m.Items {
		card = append(card, run(x.Text, object{"selectAction": object{"type": "Action.OpenUrl", "url": x.Link}}))
	}
	if m.More != "" {
		card = append(card, run(m.More, object{}))
	}
	if len(m.Facts) > 0 {
		var facts []any
		for _, f := range m.Facts {
			facts = append(facts, object{"title": f.Name, "value": inert(f.Value)})
		}
		card = append(card, object{"type": "FactSet", "facts": facts})
	}
	if m.Workspace != "" {
		card = append(card, run(m.Workspace, object{"size": "Small", "isSubtle": true}))
	}
	return object{"type": "message", "attachments": []any{object{
		"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": nil,
		"content": object{
			"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4", "body": card,
			"actions": []any{object{"type": "Action.OpenUrl", "title": m.Button, "url": m.Link}},
		},
	}}}
}

// discordBody is an embed (https://discord.com/developers/docs/resources/webhook). allowed_mentions lets nothing ping.
func discordBody(m *Message) object {
	var lines []string
	if m.Title != "" {
		lines = append(lines, markdownText(m.Title))
	}
	lines = append(append(lines, markdownItems(m)...), markdownLink(m.Button, m.Link))
	embed := object{"title": cut(markdownText(m.Headline), 250), "url": m.Link, "description": strings.Join(lines, "\n")}
	var fields []any
	for _, f := range m.Facts {
		fields = append(fields, object{"name": f.Name, "value": markdownText(f.Value), "inline": true})
	}
	if fields != nil {
		embed["fields"] = fields
	}
	if m.Workspace != "" {
		embed["footer"] = object{"text": inert(m.Workspace)}
	}
	return object{"embeds": []any{embed}, "allowed_mentions": object{"parse": []any{}}}
}

// mattermostBody is Markdown (https://developers.mattermost.com/integrate/webhooks/incoming).
func mattermostBody(m *Message) object {
	lines := []string{"**" + markdownText(m.Headline) + "**"}
	if m.Title != "" {
		lines = append(lines, "> "+markdownText(m.Title), "")
	}
	for _, line := range factLines(m) {
		lines = append(lines, markdownText(line)+"  ")
	}
	if len(m.Items) > 0 {
		lines = append(append(append(lines, ""), markdownItems(m)...), "")
	}
	return object{"text": strings.Join(append(lines, markdownLink(m.Button, m.Link)), "\n")}
}

func markdownLink(name, to string) string { return "[" + markdownText(name) + "](" + to + ")" }

// markdownItems are the items of a message as a list for Discord and Mattermost. The text isn't the link, because a link whose
// name looks like another one isn't shown as one.
func markdownItems(m *Message) []string {
	var lines []string
	for _, x := range m.Items {
		lines = append(lines, "- "+markdownText(x.Text)+" "+markdownLink(m.Open, x.Link))
	}
	if m.More != "" {
		lines = append(lines, "- "+markdownText(m.More))
	}
	return lines
}

// telegramURL is where a bot's messages are sent.
func telegramURL(token string) string { return "https://api.telegram.org/bot" + token + "/sendMessage" }

// telegramBody is HTML (https://core.telegram.org/bots/api#sendmessage). A chat's id may be sent as text.
func telegramBody(m *Message, room string) object {
	return object{"chat_id": room, "text": strings.Join(htmlLines(m), "\n"), "parse_mode": "HTML", "link_preview_options": object{"is_disabled": true}}
}

// htmlLines is a message as HTML that Telegram and Matrix read.
func htmlLines(m *Message) []string {
	lines := []string{"<b>" + htmlText(m.Headline) + "</b>"}
	if m.Title != "" {
		lines = append(lines, htmlText(m.Title))
	}
	for _, x := range m.Items {
		lines = append(lines, `• <a href="`+html.EscapeString(x.Link)+`">`+htmlText(x.Text)+"</a>")
	}
	for _, line := range append(moreLines(m), factLines(m)...) {
		lines = append(lines, htmlText(line))
	}
	return append(lines, `<a href="`+html.EscapeString(m.Link)+`">`+htmlText(m.Button)+"</a>")
}

// matrixURL is where an event of a room is put. The id makes a message that is sent again the same event.
func matrixURL(server, room, id string) string {
	return strings.TrimRight(server, "/") + "/_matrix/client/v3/rooms/" + url.PathEscape(room) + "/send/m.room.message/" + url.PathEscape(id)
}

// matrixBody is an event of a room (https://spec.matrix.org/latest/client-server-api/#mroommessage-msgtypes). An empty
// An empty m.mentions keeps the text from mentioning anyone.
func matrixBody(m *Message) object {
	return object{
		"msgtype": "m.text", "body": strings.Join(plainLines(m), "\n"), "format": "org.matrix.custom.html",
		"formatted_body": strings.Join(htmlLines(m), "<br/>"), "m.mentions": object{},
	}
}

// googleBody is a card (https://developers.google.com/workspace/chat/api/reference/rest/v1/cards). Its header is plain text.
func googleBody(m *Message) object {
	header := object{"title": inert(m.Headline)}
	if m.Workspace != "" {
		header["subtitle"] = inert(m.Workspace)
	}
	var widgets []any
	if m.Title != "" {
		widgets = append(widgets, object{"textParagraph": object{"text": htmlText(m.Title)}})
	}
	for _, x := range m.Items {
		widgets = append(widgets, object{"decoratedText": object{"text": htmlText(x.Text), "wrapText": true, "onClick": object{"openLink": object{"url": x.Link}}}})
	}
	if m.More != "" {
		widgets = append(widgets, object{"textParagraph": object{"text": htmlText(m.More)}})
	}
	for _, f := range m.Facts {
		widgets = append(widgets, object{"decoratedText": object{"topLabel": f.Name, "text": htmlText(f.Value)}})
	}
	widgets = append(widgets, object{"buttonList": object{"buttons": []any{object{"text": m.Button, "onClick": object{"openLink": object{"url": m.Link}}}}}})
	lines := plainLines(m)
	return object{
		"cardsV2":      []any{object{"cardId": "ask", "card": object{"header": header, "sections": []any{object{"widgets": widgets}}}}},
		"fallbackText": strings.Join(lines[:len(lines)-1], "\n"),
	}
}
