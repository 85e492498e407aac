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
		return nil, "", &Error{Kind: ErrorInvalid, Sentence: "That is no address of a hosted reader.", Hint: "Write it as in https://reader.example or https://reader.example/agents."}
	}
	switch {
	case u.User != nil:
		return nil, "", &Error{Kind: ErrorInvalid, Sentence: "The address holds a name or a password.", Hint: "Leave that out: a token goes into FIGS_WEB_TOKEN, or into figs-web remote add NAME URL --token-stdin."}
	case u.RawQuery != "" || u.Fragment != "":
		return nil, "", &Error{Kind: ErrorInvalid, Sentence: "The address has a part behind ? or #, which none has.", Hint: "Leave that out."}
	}
	return &url.URL{Scheme: u.Scheme, Host: strings.ToLower(u.Host)}, u.EscapedPath(), nil
}

// IsPrivate reports whether what is sent to an origin can be read by nobody on the way: it goes by TLS,
// or does not leave this machine.
func IsPrivate(origin *url.URL) bool {
	return origin.Scheme == "https" || safedial.IsLoopback(origin.Hostname())
}
