package chat

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Revoked reports whether a status means that the webhook or token is no longer valid, so that retrying is no use.
func Revoked(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone:
		return true
	}
	return false
}

// RetryAfter is how long a response asks to wait before the next request, or 0 if it doesn't say. Telegram, Matrix and
// Discord say it in the body, too.
func RetryAfter(status int, header http.Header, body []byte, now time.Time) time.Duration {
	if status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
		return 0
	}
	var wait time.Duration
	if text := strings.TrimSpace(header.Get("Retry-After")); text != "" {
		if seconds, err := strconv.ParseFloat(text, 64); err == nil {
			wait = length(seconds)
		} else if at, err := http.ParseTime(text); err == nil {
			wait = at.Sub(now)
		}
	}
	var said struct {
		Seconds    float64 `json:"retry_after"`
		Millis     float64 `json:"retry_after_ms"`
		Parameters struct {
			Seconds float64 `json:"retry_after"`
		} `json:"parameters"`
	}
	if json.Unmarshal(body, &said) == nil {
		wait = max(wait, length(said.Seconds), length(said.Millis/1000), length(said.Parameters.Seconds))
	}
	return min(max(wait, 0), maxWait)
}

// maxWait is the longest wait that is granted.
const maxWait = 24 * time.Hour

// length is a number of seconds, at most maxWait.
func length(seconds float64) time.Duration {
	if !(seconds > 0) {
		return 0
	}
	return time.Duration(min(seconds, maxWait.Seconds()) * float64(time.Second))
}

// Redact replaces the channel's secrets in what a service answered.
func (c *Channel) Redact(answer string) string {
	secrets := []string{c.URL, c.Token}
	if _, path, ok := strings.Cut(strings.TrimPrefix(c.URL, "https://"), "/"); ok && c.Service != Matrix {
		secrets = append(secrets, "/"+path, path)
	}
	for _, s := range secrets {
		if len(s) >= 8 {
			answer = strings.ReplaceAll(answer, s, "…")
		}
	}
	return answer
}
