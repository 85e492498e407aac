package chat

import (
	"net/url"
	"regexp"
	"strings"
)

// FieldError says what is wrong with a field of a channel.
type FieldError struct {
	Field    string // "service", "url", "room", "token"
	Sentence string
}

func (e *FieldError) Error() string { return e.Sentence }

// webhooks describes the webhook URLs of each service. A host that begins with a full stop matches its subdomains.
// Mattermost is self-hosted, so any host will do.
var webhooks = map[Service]struct {
	hosts    []string
	path     *regexp.Regexp
	sentence string
}{
	Slack: {[]string{"hooks.slack.com", "hooks.slack-gov.com"}, regexp.MustCompile(`^/services/[A-Za-z0-9]+/[A-Za-z0-9]+/[A-Za-z0-9]+$`),
		"This isn't a Slack webhook. Copy the URL that begins with https://hooks.slack.com/services/ from your Slack app."},
	Teams: {[]string{".logic.azure.com", ".logic.azure.us", ".environment.api.powerplatform.com", ".environment.api.gov.powerplatform.microsoft.us"}, regexp.MustCompile(`^/.*workflows/.+$`),
		"This isn't the URL of a Teams workflow. Copy the URL that the workflow \"Post to a channel when a webhook request is received\" shows; its host ends in logic.azure.com or api.powerplatform.com."},
	Discord: {[]string{"discord.com", "discordapp.com", "canary.discord.com", "ptb.discord.com"}, regexp.MustCompile(`^/api/(v[0-9]+/)?webhooks/[0-9]+/[A-Za-z0-9_-]+$`),
		"This isn't a Discord webhook. Copy the URL that begins with https://discord.com/api/webhooks/ from the channel's settings."},
	GoogleChat: {[]string{"chat.googleapis.com"}, regexp.MustCompile(`^/v1/spaces/[A-Za-z0-9_-]+/messages$`),
		"This isn't a Google Chat webhook. Copy the URL that begins with https://chat.googleapis.com/v1/spaces/ from the space's settings."},
	Mattermost: {nil, regexp.MustCompile(`^(/.*)?/hooks/[a-z0-9]+$`),
		"This isn't a Mattermost webhook. Copy the URL that contains /hooks/ from Mattermost's integrations."},
}

var (
	telegramToken = regexp.MustCompile(`^[0-9]{5,20}:[A-Za-z0-9_-]{20,100}$`)
	telegramRoom  = regexp.MustCompile(`^(-?[0-9]{1,20}|@[A-Za-z][A-Za-z0-9_]{3,40})$`)
	matrixRoom    = regexp.MustCompile(`^![A-Za-z0-9._~=/+-]{1,200}(:[A-Za-z0-9.\-]{1,200}(:[0-9]{1,5})?)?$`)
	matrixToken   = regexp.MustCompile(`^[!-~]{8,1000}$`)
)

// maxURL is the longest URL that is stored. Those of Teams workflows have about 400 characters.
const maxURL = 2000

// Check returns a *FieldError if the channel is not set up correctly. It does not check where hosts lead: the dialer does.
// insecure allows plain HTTP to self-hosted services.
func (c *Channel) Check(insecure bool) error {
	if c.Service.Name() == "" {
		return &FieldError{"service", "figs-web doesn't know this chat service. Choose one of those on the page."}
	}
	if c.Service.HasURL() {
		if err := c.checkURL(insecure); err != nil {
			return err
		}
	}
	switch c.Service {
	case Telegram:
		if !telegramToken.MatchString(c.Token) {
			return &FieldError{"token", "This isn't the token of a Telegram bot. Copy it from the chat with BotFather; it looks like 123456789:ABC…"}
		}
		if !telegramRoom.MatchString(c.Room) {
			return &FieldError{"room", "This isn't the id of a Telegram chat. It's a number such as -1001234567890, or the @name of a public channel."}
		}
	case Matrix:
		if !matrixToken.MatchString(c.Token) {
			return &FieldError{"token", "This isn't an access token. Copy it from the settings of the account that should write the messages."}
		}
		if !matrixRoom.MatchString(c.Room) {
			return &FieldError{"room", "This isn't the internal id of a Matrix room, which begins with an exclamation mark. Copy it from the room's settings, under Advanced."}
		}
	}
	return nil
}

// checkURL checks the webhook or the homeserver.
func (c *Channel) checkURL(insecure bool) error {
	fixed := webhooks[c.Service]
	u, err := url.Parse(c.URL)
	switch {
	case c.URL == "":
		return &FieldError{"url", "Enter a URL."}
	case err != nil || len(c.URL) > maxURL || u.Hostname() == "" || u.Opaque != "" || u.Fragment != "" || u.RawPath != "" || strings.ContainsFunc(c.URL, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return &FieldError{"url", "This isn't a web URL. Enter one that begins with https://."}
	case u.Scheme != "https" && !(u.Scheme == "http" && insecure && fixed.hosts == nil):
		return &FieldError{"url", "The URL must begin with https://, so that notifications are encrypted on the way."}
	case u.User != nil:
		return &FieldError{"url", "The URL contains a user name or password. Remove it."}
	case c.Service == Matrix:
		if strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
			return &FieldError{"url", "This isn't a homeserver. Enter its address alone, such as https://matrix.example.org."}
		}
		return nil
	}
	if !fixed.path.MatchString(u.Path) || fixed.hosts != nil && !(isHostOf(fixed.hosts, u.Hostname()) && (u.Port() == "" || u.Port() == "443")) {
		return &FieldError{"url", fixed.sentence}
	}
	return nil
}

// isHostOf reports whether a host is one of those, or below one that begins with a full stop.
func isHostOf(hosts []string, host string) bool {
	host = strings.ToLower(host)
	for _, h := range hosts {
		if below := h[0] == '.'; below && host[0] != '.' && strings.HasSuffix(host, h) || !below && host == h {
			return true
		}
	}
	return false
}
