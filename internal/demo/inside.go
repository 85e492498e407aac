package demo

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
)

// inside carries requests to a server of this process, without a network.
type inside struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper.
func (i inside) RoundTrip(r *http.Request) (*http.Response, error) {
	asked := r.Clone(r.Context())
	asked.RequestURI, asked.RemoteAddr, asked.Host = r.URL.RequestURI(), "127.0.0.1:0", r.URL.Host
	if asked.Body == nil {
		asked.Body = http.NoBody // as a server's requests always have one
	}
	defer asked.Body.Close()
	w := &answer{header: http.Header{}}
	i.handler.ServeHTTP(w, asked)
	w.WriteHeader(http.StatusOK)
	return &http.Response{
		Status: strconv.Itoa(w.status) + " " + http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: w.sent,
		Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}, nil
}

// answer is what the server writes.
type answer struct {
	header, sent http.Header
	status       int // 0: not begun
	body         bytes.Buffer
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= 200 {
		a.status, a.sent = status, a.header.Clone()
	}
}

func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(b)
}
