package chat

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "write the golden files")

// channels is a channel of each service.
var channels = map[Service]Channel{
	Slack:      {Service: Slack, URL: "https://hooks.slack.com/services/T0AAAAAAA/B0AAAAAAA/abcdefghijklmnopqrstuvwx"},
	Teams:      {Service: Teams, URL: "https://prod-23.westeurope.logic.azure.com:443/workflows/0123abcd/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=abc"},
	Discord:    {Service: Discord, URL: "https://discord.com/api/webhooks/123456789/abc_DEF-ghi"},
	Mattermost: {Service: Mattermost, URL: "https://chat.example.org/team/hooks/abc123"},
	Telegram:   {Service: Telegram, Room: "-1001234567890", Token: "123456789:AAabcdefghijklmnopqrstuvwxyz0123456"},
	Matrix:     {Service: Matrix, URL: "https://matrix.example.org", Room: "!abc:example.org", Token: "syt_secret_token"},
	GoogleChat: {Service: GoogleChat, URL: "https://chat.googleapis.com/v1/spaces/AAAA/messages?key=k&token=t"},
}

func message(title, headline, workspace string) *Message {
	return &Message{
		ID: "5b1c2d3e-0000-4000-8000-000000000001", Headline: headline, Title: title, Workspace: workspace,
		Facts:  []Fact{{"Asked for", "Approval of 3 steps, 1 of which can't be undone"}, {"Waiting", "2 hours"}},
		Button: "Review the sign-off", Link: "https://figs.example/w/acme/news/5b1c2d3e-0000-4000-8000-000000000001",
	}
}

// group is a message about several asks with that text.
func group(text, headline, workspace string) *Message {
	m := &Message{ID: "5b1c2d3e-0000-4000-8000-000000000002", Headline: headline, Workspace: workspace, Button: "Open the inbox", Link: "https://figs.example/w/acme/inbox", More: "and 7 more", Open: "Open the ask"}
	for i := range 5 {
		m.Items = append(m.Items, Item{text, fmt.Sprintf("https://figs.example/w/acme/news/5b1c2d3e-0000-4000-8000-00000000001%d", i)})
	}
	return m
}

// sent is what goes over the wire.
func sent(t testing.TB, c Channel, m *Message) (*http.Request, []byte) {
	t.Helper()
	r, err := NewRequest(context.Background(), &c, m, false)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r, body
}

// TestWireFormat compares each service's request with the recorded one: a message with all there is, one with a link
// alone, and one about several asks.
func TestWireFormat(t *testing.T) {
	for _, service := range Services() {
		for name, m := range map[string]*Message{
			"": message("Send the October statement & <b>close</b> the books", "Payables needs an approval", "Acme Finance"),
			"-link": {ID: "5b1c2d3e-0000-4000-8000-000000000001", Headline: "An agent needs a person", Workspace: "Acme Finance", Button: "Open the ask",
				Link: "https://figs.example/w/acme/news/5b1c2d3e-0000-4000-8000-000000000001"},
			"-group": group("Payables needs an approval: Send the October statement & <b>close</b> the books", "12 asks need a person", "Acme Finance"),
		} {
			t.Run(string(service)+name, func(t *testing.T) {
				r, body := sent(t, channels[service], m)
				var b bytes.Buffer
				if err := json.Indent(&b, body, "", "  "); err != nil {
					t.Fatal(err)
				}
				got := r.Method + " " + r.URL.String() + "\n"
				if a := r.Header.Get("Authorization"); a != "" {
					got += "Authorization: " + a + "\n"
				}
				got += "Content-Type: " + r.Header.Get("Content-Type") + "\n\n" + b.String() + "\n"
				file := filepath.Join("testdata", string(service)+name+".txt")
				if *update {
					if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if got != string(want) {
					t.Errorf("the request differs from %s:\n%s", file, got)
				}
			})
		}
	}
}

func TestCheck(t *testing.T) {
	for service, c := range channels {
		if err := c.Check(false); err != nil {
			t.Errorf("%s: %v", service, err)
		}
	}
	with := func(s Service, change func(*Channel)) Channel {
		c := channels[s]
		change(&c)
		return c
	}
	at := func(s Service, url string) Channel { return with(s, func(c *Channel) { c.URL = url }) }
	good := map[string]Channel{
		"workflow":          at(Teams, "https://default0123.d0.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/01/triggers/manual/paths/invoke?api-version=1&sig=x"),
		"host_upper":        at(Slack, "https://HOOKS.slack.com/services/T1/B1/x"),
		"mattermost_root":   at(Mattermost, "https://chat.example.org/hooks/abc"),
		"mattermost_port":   at(Mattermost, "https://chat.example.org:8443/hooks/abc"),
		"matrix_slash":      at(Matrix, "https://matrix.example.org/"),
		"matrix_room_12":    with(Matrix, func(c *Channel) { c.Room = "!0AbCdEf_-xyz" }),
		"telegram_public":   with(Telegram, func(c *Channel) { c.Room = "@acme_asks" }),
		"discord_versioned": at(Discord, "https://discordapp.com/api/v10/webhooks/1/x"),
	}
	for name, c := range good {
		if err := c.Check(false); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := map[string]struct {
		c     Channel
		field string
	}{
		"unknown":               {Channel{Service: "irc", URL: "https://irc.example"}, "service"},
		"no_url":                {at(Slack, ""), "url"},
		"plain":                 {at(Slack, "http://hooks.slack.com/services/T1/B1/x"), "url"},
		"other_host":            {at(Slack, "https://hooks.slack.com.evil.example/services/T1/B1/x"), "url"},
		"user":                  {at(Slack, "https://hooks.slack.com@evil.example/services/T1/B1/x"), "url"},
		"port":                  {at(Slack, "https://hooks.slack.com:8443/services/T1/B1/x"), "url"},
		"fragment":              {at(Slack, "https://hooks.slack.com/services/T1/B1/x#y"), "url"},
		"no_path":               {at(Slack, "https://hooks.slack.com/"), "url"},
		"climbing":              {at(Slack, "https://hooks.slack.com/services/../admin/x"), "url"},
		"escaped":               {at(Discord, "https://discord.com/api/webhooks/1/..%2f..%2fx"), "url"},
		"space":                 {at(Slack, "https://hooks.slack.com/services/T1/B1/x y"), "url"},
		"line":                  {at(Slack, "https://hooks.slack.com/services/T1/B1/x\n"), "url"},
		"swapped":               {at(Discord, channels[Slack].URL), "url"},
		"retired_connector":     {at(Teams, "https://acme.webhook.office.com/webhookb2/x"), "url"},
		"suffix_of_a_host":      {at(Teams, "https://evil-logic.azure.com/workflows/x"), "url"},
		"only_the_suffix":       {at(Teams, "https://.logic.azure.com/workflows/x"), "url"},
		"mattermost_page":       {at(Mattermost, "https://chat.example.org/team/channels/town-square"), "url"},
		"homeserver_with_path":  {at(Matrix, "https://matrix.example.org/_matrix"), "url"},
		"homeserver_with_query": {at(Matrix, "https://matrix.example.org/?x=1"), "url"},
		"matrix_alias":          {with(Matrix, func(c *Channel) { c.Room = "#asks:example.org" }), "room"},
		"matrix_climbing":       {with(Matrix, func(c *Channel) { c.Room = "!a/../../x:example.org?" }), "room"},
		"matrix_no_token":       {with(Matrix, func(c *Channel) { c.Token = "" }), "token"},
		"header":                {with(Matrix, func(c *Channel) { c.Token = "secret\r\nX: y" }), "token"},
		"telegram_no_token":     {with(Telegram, func(c *Channel) { c.Token = "" }), "token"},
		"telegram_path":         {with(Telegram, func(c *Channel) { c.Token = "123456789:AAabcdefghijklmnopqrstuvwxyz/../x" }), "token"},
		"telegram_name":         {with(Telegram, func(c *Channel) { c.Room = "asks" }), "room"},
	}
	for name, b := range bad {
		var wrong *FieldError
		if err := b.c.Check(false); !errors.As(err, &wrong) || wrong.Field != b.field {
			t.Errorf("%s: %v; want the field %q", name, err, b.field)
		}
		if _, err := NewRequest(context.Background(), &b.c, message("t", "h", "w"), false); err == nil {
			t.Errorf("%s: a request is made", name)
		}
	}
	near := at(Mattermost, "http://10.1.2.3:8065/hooks/abc")
	slack := at(Slack, "http://hooks.slack.com/services/T1/B1/x")
	if near.Check(false) == nil || near.Check(true) != nil || slack.Check(true) == nil {
		t.Error("plain HTTP is for services that run anywhere, if the operator allows it")
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		status       int
		header, body string
		want         time.Duration
	}{
		"seconds":    {429, "30", "", 30 * time.Second},
		"date":       {429, "Fri, 20 Nov 2026 12:01:00 GMT", "", time.Minute},
		"past":       {429, "Fri, 20 Nov 2026 11:01:00 GMT", "", 0},
		"discord":    {429, "1", `{"message":"You are being rate limited.","retry_after":1.5,"global":false}`, 1500 * time.Millisecond},
		"telegram":   {429, "", `{"ok":false,"error_code":429,"parameters":{"retry_after":7}}`, 7 * time.Second},
		"matrix":     {429, "", `{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":2000}`, 2 * time.Second},
		"busy":       {503, "120", "", 2 * time.Minute},
		"not_asked":  {500, "120", "", 0},
		"words":      {429, "soon", "not JSON", 0},
		"negative":   {429, "-5", `{"retry_after":-1}`, 0},
		"not_number": {429, "NaN", `{"retry_after":"x"}`, 0},
		"far":        {429, "1e300", "", 24 * time.Hour},
	} {
		h := http.Header{}
		if test.header != "" {
			h.Set("Retry-After", test.header)
		}
		if got := RetryAfter(test.status, h, []byte(test.body), now); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestRedact(t *testing.T) {
	slack, telegram := channels[Slack], channels[Telegram]
	for _, said := range []string{"no team at " + slack.URL, "no such path: /services/T0AAAAAAA/B0AAAAAAA/abcdefghijklmnopqrstuvwx"} {
		if got := slack.Redact(said); bytes.Contains([]byte(got), []byte("B0AAAAAAA")) {
			t.Errorf("%q still has the secret", got)
		}
	}
	if got := telegram.Redact("bot" + telegram.Token + " is gone"); got != "bot… is gone" {
		t.Errorf("%q", got)
	}
}

// TestLimits tests that the longest messages are within what the services take. What is invisible or an escape counts.
func TestLimits(t *testing.T) {
	for _, letter := range []string{"@", "\U0001F600", "<", "\\", "&", "_"} {
		long := strings.Repeat(letter, 175) // an agent's name, our words and a title are shorter
		m := group(long, strings.Repeat(letter, 100), strings.Repeat(letter, 120))
		m.Link = "https://figs.example/" + strings.Repeat("w", 180)
		for i := range m.Items {
			m.Items[i].Link = m.Link
		}
		for service, most := range map[Service]int{Slack: 1 << 20, Teams: 28 << 10, Discord: 1 << 20, Mattermost: 1 << 20, Telegram: 1 << 20, Matrix: 64 << 10, GoogleChat: 32 << 10} {
			_, body := sent(t, channels[service], m)
			if len(body) > most {
				t.Errorf("%s: %q makes %d bytes, of at most %d", service, letter, len(body), most)
			}
			var got any
			if err := json.Unmarshal(body, &got); err != nil {
				t.Fatal(err)
			}
			walkJSON("", got, func(at, s string) {
				n, limit := utf8.RuneCountInString(s), map[string]int{"slack.blocks[].fields[].text": 2000, "slack.blocks[].text.text": 3000, "slack.text": 40_000, "discord.embeds[].description": 4096, "discord.embeds[].title": 256, "discord.embeds[].footer.text": 2048, "telegram.text": 4096, "mattermost.text": 16383}[string(service)+at]
				if service == Telegram {
					n = utf8.RuneCountInString(html.UnescapeString(htmlTags.ReplaceAllString(s, "")))
				}
				if limit > 0 && n > limit {
					t.Errorf("%s%s: %q makes %d characters, of at most %d", service, at, letter, n, limit)
				}
			})
			if service == Slack && len(got.(map[string]any)["blocks"].([]any)) > 50 {
				t.Error("too many blocks for Slack")
			}
		}
	}
}
