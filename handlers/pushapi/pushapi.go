// Package pushapi serves figs clients: login, pushes, attachment uploads and replies. Requests and responses are those of the
// published clients. A 4xx response tells a client to fix its data, a 5xx response to try again later.
package pushapi

import (
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
)

// Config is what the calls are made of. Store, Blobs, Public and Now are required.
type Config struct {
	Store     store.Store
	Blobs     blob.Store
	Public    *url.URL                          // the origin under which people and clients reach the server
	Now       func() time.Time                  // required
	MaxIngest int64                             // bytes of a push's body, decoded; 0 is 64 MiB
	Temp      string                            // folder for large bodies while they are read; "" is the system's
	Changed   func(workspace string, seq int64) // told after a change; may be nil
}

// Wire is the calls.
type Wire struct {
	Config
	guide     []byte
	patience  patience
	memory    *budget
	admission *admission
}

// defaultMaxIngest is how large a push's body may be unless the operator says otherwise.
const defaultMaxIngest = 64 << 20

// New returns the calls. It panics when something required is missing.
func New(c Config) *Wire {
	if c.Store == nil || c.Blobs == nil || c.Public == nil || c.Now == nil {
		panic("wire: no store, no blobs, no public address or no clock given")
	}
	if c.MaxIngest <= 0 {
		c.MaxIngest = defaultMaxIngest
	}
	return &Wire{Config: c, guide: guideFor(c.Public.String()), patience: usualPatience, memory: newBudget(bodiesInMemory), admission: newAdmission()}
}

// Routes registers the calls. None of them knows a cookie, and none answers another origin.
func (w *Wire) Routes(e *echo.Echo) {
	e.GET("/api/version", showVersion)
	e.GET("/llms.txt", w.showGuide, unstored)
	e.POST("/api/device/start", w.startDevice, unstored)
	e.POST("/api/device/poll", w.pollDevice, unstored)
	// Not by groups: those of Echo also answer what no route does.
	e.GET("/api/workspaces", w.listWorkspaces, unstored, w.signedIn)
	e.POST("/api/validate", w.validatePush, unstored, w.signedIn)
	e.POST("/api/ingest", w.ingestPush, unstored, w.signedIn, w.pushes)
	e.POST("/api/artifacts/upload", w.uploadArtifact, unstored, w.signedIn, w.pushes)
	e.GET("/api/messages", w.listMessages, unstored, w.unmodified, w.signedIn)
}

// unstored keeps answers out of caches.
func unstored(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Set("Cache-Control", "no-store")
		return next(c)
	}
}

// now is the instant of the store.
func (w *Wire) now() int64 { return w.Now().UnixMicro() }

func (w *Wire) tell(workspace string, seq int64) {
	if w.Changed != nil {
		w.Changed(workspace, seq)
	}
}
