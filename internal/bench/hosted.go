package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

// A hosted is a reader on this machine with one person, one workspace and one token, and beside
// it, behind the same kind of listener, what a bare Echo does.
type hosted struct {
	dir       string
	store     *sqlstore.Store
	server    *http.Server
	address   string // of the reader
	public    *url.URL
	peer      string // of the bare Echo
	peers     *echo.Echo
	workspace store.Workspace
	token     string
	cookie    string // name and value
	client    *http.Client
}

// noInspector stands for the inspector, which no row asks for.
type noInspector struct{}

func (noInspector) File() ([]byte, error)   { return []byte("<!DOCTYPE html>"), nil }
func (noInspector) Brotli() ([]byte, error) { return nil, nil }
func (noInspector) Policy() (string, error) { return "default-src 'none'", nil }

// host starts a reader over an empty store in a folder of its own.
func (b *bench) host(ctx context.Context, name string) (*hosted, error) {
	h := &hosted{dir: filepath.Join(b.dir, name), token: "figs_bench", peers: echo.New()}
	if err := os.MkdirAll(h.dir, 0o700); err != nil {
		return nil, err
	}
	var err error
	if h.store, err = sqlstore.OpenSQLite(ctx, h.file()); err != nil {
		return nil, err
	}
	blobs, err := blob.OpenFolder(filepath.Join(h.dir, "blobs"))
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	h.address = "http://" + l.Addr().String()
	if h.public, err = url.Parse(h.address); err != nil {
		return nil, err
	}
	if err := h.people(ctx); err != nil { // the cookie is named after the port
		return nil, err
	}
	routes, err := handlers.Host(handlers.Hosting{
		Config: handlers.Config{Inspector: noInspector{}}, Store: h.store, Blobs: blobs, Public: h.public, Now: time.Now,
	})
	if err != nil {
		return nil, err
	}
	h.server = &http.Server{Handler: routes}
	go h.server.Serve(l)
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	h.peer = "http://" + other.Addr().String()
	h.peers.HideBanner, h.peers.HidePort, h.peers.Listener = true, true, other
	go h.peers.Start("")
	h.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16, DisableCompression: true}}
	return h, nil
}

// file is the database's.
func (h *hosted) file() string { return filepath.Join(h.dir, "figs.db") }

// people adds an owner with a session and a token.
func (h *hosted) people(ctx context.Context) error {
	now := time.Now().UnixMicro()
	act := store.Act{At: now}
	user := store.User{ID: store.NewID(), Email: "ana@example.org", Name: "Ana", Created: now}
	if err := h.store.AddUser(ctx, act, user); err != nil {
		return err
	}
	h.workspace = store.Workspace{ID: store.NewID(), Slug: "acme", Name: "Acme", Created: now}
	if err := h.store.AddWorkspace(ctx, act, h.workspace, user.ID); err != nil {
		return err
	}
	if err := h.store.AddToken(ctx, act, store.Token{ID: store.NewID(), User: user.ID, Name: "bench", Hash: store.Hash(h.token), Created: now}); err != nil {
		return err
	}
	h.cookie = handlers.CookieName(h.public) + "=bench"
	return h.store.SaveSession(ctx, store.Session{Hash: store.Hash("bench"), User: user.ID, Created: now, Used: now, Expires: now + time.Hour.Microseconds()})
}

func (h *hosted) close() {
	h.server.Close()
	h.peers.Close()
	h.store.Close()
}

// open opens the database beside the reader, for what no route does.
func (h *hosted) open() (*sql.DB, error) { return sql.Open("sqlite", "file:"+h.file()) }

// ask sends a request and reads the whole answer; anything but the status that is wanted is an error.
func (h *hosted) ask(r *http.Request, want int) ([]byte, error) {
	response, err := h.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != want {
		err = fmt.Errorf("%s %s = %d %.300s, want %d", r.Method, r.URL.Path, response.StatusCode, body, want)
	}
	return body, err
}
