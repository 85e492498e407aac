package cli

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestProbe(t *testing.T) {
	asked := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/readyz":
			w.Write([]byte("ready\n"))
		case "/warned":
			w.Write([]byte("ready\ndisk_low: Little room.\n"))
		case "/down":
			http.Error(w, "not ready\ndisk_full: No room.", http.StatusServiceUnavailable)
		case "/named":
			asked <- r.Host
		case "/elsewhere":
			http.Redirect(w, r, "/readyz", http.StatusFound)
		case "/slow":
			<-r.Context().Done()
		default:
			http.Error(w, "The disk takes no bytes\x1b[2J", http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	strange := httptest.NewUnstartedServer(http.NotFoundHandler())
	strange.Config.ErrorLog = log.New(io.Discard, "", 0)
	strange.StartTLS()
	defer strange.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, test := range map[string]struct {
		args []string
		code int
		want string
	}{
		"ready":                {[]string{server.URL + "/readyz"}, 0, "ready\n"},
		"not ready":            {[]string{server.URL + "/broken"}, 1, "answered 503: The disk takes no bytes"},
		"with a warning":       {[]string{server.URL + "/warned"}, 0, "ready\ndisk_low: Little room.\n"},
		"with a reason":        {[]string{server.URL + "/down"}, 1, "answered 503: not ready; disk_full: No room."},
		"a redirect":           {[]string{server.URL + "/elsewhere"}, 1, "answered 302"},
		"nobody there":         {[]string{gone.URL}, 1, "can't be reached"},
		"too slow":             {[]string{server.URL + "/slow", "--timeout", "20ms"}, 103, "did not answer in 20ms"},
		"no address":           {[]string{"localhost:8080"}, 2, "is not a URL"},
		"a file":               {[]string{"file:///etc/passwd"}, 2, "is not a URL"},
		"a password in it":     {[]string{"http://ana:x@" + strings.TrimPrefix(server.URL, "http://")}, 2, "is not a URL"},
		"no time":              {[]string{server.URL, "--timeout", "0s"}, 2, "must be more than 0"},
		"no certificate":       {[]string{strings.Replace(server.URL, "http:", "https:", 1) + "/readyz"}, 1, "can't be reached"},
		"nobody's certificate": {[]string{strange.URL}, 1, "SSL_CERT_FILE for the root certificate"},
		"with another name":    {[]string{server.URL + "/named", "--name", "figs.example.com"}, 0, ""},
	} {
		got := run(t, append([]string{"probe"}, test.args...)...)
		if said := got.stdout + got.stderr; got.code != test.code || !strings.Contains(said, test.want) || strings.Contains(said, "\x1b") {
			t.Errorf("%s: probe = %d %q, want %d and %q", name, got.code, said, test.code, test.want)
		}
	}
	if host := <-asked; host != "figs.example.com" {
		t.Errorf("the server was asked as %q", host)
	}
}
