package remote

import (
	"net/url"
	"strings"

	"github.com/figs-web/figs-web/internal/safedial"
)

// Origin reads the address of a hosted reader, "https://reader.example" with or without a path, and
// divides it: the origin, and the path as it is written. The Error says what is wrong with it.
func Origin(address string) (origin *url.URL, path string, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.Opaque != "" {
		return nil, "", &Error{Kind: ErrorInvalid, Sentence: "This isn't the URL of a figs-web server.", Hint: "Use the form https://figs.example.com or https://figs.example.com/agents."}
	}
	switch {
	case u.User != nil:
		return nil, "", &Error{Kind: ErrorInvalid, Sentence: "The URL contains a user name or password.", Hint: "Remove it. Set a token with FIGS_WEB_TOKEN or figs-web remote add NAME URL --token-stdin."}
	case u.RawQuery != "" || u.Fragment != "":
		return nil, "", &Error{Kind: ErrorInvalid, Sentence: "The URL has a query or fragment.", Hint: "Remove the part after ? or #."}
	}
	return &url.URL{Scheme: u.Scheme, Host: strings.ToLower(u.Host)}, u.EscapedPath(), nil
}

// IsPrivate reports whether what is sent to an origin can be read by nobody on the way: it goes by TLS,
// or does not leave this machine.
func IsPrivate(origin *url.URL) bool {
	return origin.Scheme == "https" || safedial.IsLoopback(origin.Hostname())
}
