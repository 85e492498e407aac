package accountpages

import (
	"context"
	"testing"
)

func TestAddressInCommand(t *testing.T) {
	for email, want := range map[string]string{"ada+x@example.org": "ada+x@example.org", "a;rm -rf@x": "ADDRESS", "a\u202e@x": "ADDRESS", "jörg@example.org": "ADDRESS", "$(x)@y": "ADDRESS"} {
		if got := inCommand(email); got != want {
			t.Errorf("inCommand(%q) = %q, want %q", email, got, want)
		}
	}
}

func TestBrowserNames(t *testing.T) {
	for agent, want := range map[string]string{
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36":                     "Chrome on Linux",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0": "Edge on Windows",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15":     "Safari on macOS",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/604.1": "Safari on iPhone",
		"Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0":                                                      "Firefox on Android",
		"curl/8.5.0": "curl", "": "A browser", "evil\u202e": "A browser",
	} {
		if got := browserNamed(context.Background(), agent); got != want {
			t.Errorf("browserName(%q) = %q, want %q", agent, got, want)
		}
	}
}
