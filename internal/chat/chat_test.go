package chat

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
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

// TestWireFormat compares each service's request with the recorded one: a message with all there is, and one with a link
// alone.
func TestWireFormat(t *testing.T) {
	for _, service := range Services() {
		for name, m := range map[string]*Message{
			"": message("Send the October statement & <b>close</b> the books", "Payables needs an approval", "Acme Finance"),
			"-link": {ID: "5b1c2d3e-0000-4000-8000-000000000001", Headline: "An agent needs a person", Workspace: "Acme Finance", Button: "Open the ask",
				Link: "https://figs.example/w/acme/news/5b1c2d3e-0000-4000-8000-000000000001"},
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
