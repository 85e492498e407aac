package chat

import (
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// hostile is what an agent may call itself or an ask.
var hostile = []string{
	"<!channel> <!here> <!everyone> <@U012AB3CD> <#C012AB3CD> <!subteam^S1>", "@everyone @here @channel @all", "<@123456789> <@&987654321> <#1> </cmd:1> <:x:1> <t:1>",
	"[Approve](https://evil.example)", "https://evil.example/x", "evil.example", "www.evil.example", "mailto:eve@evil.example", "tel:+1234567890", "<https://evil.example|Approve>",
	`<a href="https://evil.example">Approve</a>`, `"><img src=x onerror=alert(1)>`, `","blocks":[],"x":"`, `\" }, { \\`, "/start /approve@bot", "#hash $CASH !room:evil.example #room:evil.example",
	"line one\nline two\r\n> quote\n# heading\n- list\n1. list\n```code```", "\u202eevil\u202c \u200b\u2066x\u2069", "<users/all> <users/123>", "**bold** __under__ ~~gone~~ `code` ||spoiler||",
	"evil。example evil．example evil｡example", "\x00\x1b[31m\x7f", "\xff\xfe", strings.Repeat("@everyone ", 50), strings.Repeat("\\", 300), "&lt;!channel&gt; &amp;lt;", "{{mention}} <at>Ada</at>", "https:\u200b//evil.example", "!",
}

// pings are what services read as mentions, commands, links and emoji.
var pings = regexp.MustCompile(`<[!@#/:&]|<users/|(^|[^\\])@[a-z0-9&]|://|[a-z0-9][.。．｡][a-z0-9]|mailto:[a-z]|(^|\s)/[a-z]|(^|\s)[#$!][a-zA-Z]|:[a-z]+:|<at>`)

// htmlTags are the tags in a text.
var htmlTags = regexp.MustCompile(`<[^>]*>`)

// masked are the links of Markdown, without those that are escaped.
var masked = regexp.MustCompile(`(^|[^\\])\]\(`)

// walkJSON calls see for every string of a JSON value, with where it is.
func walkJSON(at string, v any, see func(at, s string)) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			see(at+" key", k)
			walkJSON(at+"."+k, x, see)
		}
	case []any:
		for _, x := range v {
			walkJSON(at+"[]", x, see)
		}
	case string:
		see(at, v)
	}
}

// shapeOf is a JSON value without its strings.
func shapeOf(v any) any {
	switch v := v.(type) {
	case map[string]any:
		o := map[string]any{}
		for k, x := range v {
			o[k] = shapeOf(x)
		}
		return o
	case []any:
		var a []any
		for _, x := range v {
			a = append(a, shapeOf(x))
		}
		return a
	case string:
		return ""
	}
	return v
}

func checkHostile(t *testing.T, text string) {
	t.Helper()
	for _, service := range Services() {
		checkMessage(t, service, text, message(text, text+" needs an approval", text+" Inc"), message("A title", "An agent needs an approval", "Acme Inc"))
		checkMessage(t, service, text, group(text+" needs an approval: "+text, "12 asks need a person", text+" Inc"), group("An agent needs an approval: A title", "12 asks need a person", "Acme Inc"))
	}
}

// checkMessage looks at a message with a text, and compares its layout with one that has plain text.
func checkMessage(t *testing.T, service Service, text string, m, like *Message) {
	t.Helper()
	_, body := sent(t, channels[service], m)
	_, plain := sent(t, channels[service], like)
	var got, want any
	if err := json.Unmarshal(body, &got); err != nil || !utf8.Valid(body) {
		t.Fatalf("%s: %v: %s", service, err, body)
	}
	if err := json.Unmarshal(plain, &want); err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(shapeOf(got))
	b, _ := json.Marshal(shapeOf(want))
	if inert(text) != "" && string(a) != string(b) {
		t.Errorf("%s: %q changes the layout: %s", service, text, body)
	}
	links := []string{m.Link}
	for _, x := range m.Items {
		links = append(links, x.Link)
	}
	walkJSON("", got, func(at, s string) {
		switch {
		case strings.HasSuffix(at, ".url"), strings.HasSuffix(at, "$schema"):
			if !slices.Contains(links, s) && s != "http://adaptivecards.io/schemas/adaptive-card.json" {
				t.Errorf("%s: the link %s is %q", service, at, s)
			}
			return
		case strings.HasSuffix(at, " key") || strings.HasSuffix(at, "ontentType") || strings.HasSuffix(at, ".format") || strings.HasSuffix(at, ".msgtype") || strings.HasSuffix(at, ".type") || strings.HasSuffix(at, ".version"):
			return
		}
		checkString(t, service, at, s, links)
	})
}

// checkString looks at one string of a message, without our links.
func checkString(t *testing.T, service Service, at, s string, links []string) {
	t.Helper()
	tags, masks := []string{"<b>", "</b>", "<br/>", "</a>"}, 0
	for _, link := range links {
		if n := strings.Count(s, link); n > 1 {
			t.Errorf("%s%s: the link %s is there %d times", service, at, link, n)
		}
		tags = append(tags, `<a href="`+html.EscapeString(link)+`">`)
		masks += strings.Count(s, "]("+link+")")
	}
	if at == ".formatted_body" || service == Telegram && at == ".text" {
		for _, tag := range htmlTags.FindAllString(s, -1) {
			if !slices.Contains(tags, tag) {
				t.Errorf("%s%s: the tag %s", service, at, tag)
			}
		}
		s = htmlTags.ReplaceAllString(strings.ReplaceAll(s, "<br/>", "\n"), "")
	}
	if found := masked.FindAllString(s, -1); (service == Discord || service == Mattermost) && len(found) > masks {
		t.Errorf("%s%s: a link of Markdown in %q", service, at, s)
	}
	for _, link := range links {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "]("+link+")", ""), "<"+link+"|", "")
		s = strings.ReplaceAll(s, link, "")
	}
	if found := pings.FindString(s); found != "" {
		t.Errorf("%s%s: %q in %q", service, at, found, s)
	}
	if service == Slack {
		if i := strings.IndexByte(s, '<'); i >= 0 {
			t.Errorf("%s%s: an angle bracket in %q", service, at, s)
		}
	}
}

func TestHostileText(t *testing.T) {
	for _, text := range hostile {
		checkHostile(t, text)
	}
}

func FuzzHostileText(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 2000 {
			checkHostile(t, strings.ToLower(text))
			checkHostile(t, text)
		}
	})
}
