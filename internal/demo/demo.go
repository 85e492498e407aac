// Package demo fills an empty workspace with the sample agents, so that a team sees what a reader
// looks like before its own agents push. They come through the same calls as every push, byte for
// byte as they lie in the program, times included.
package demo

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"

	"github.com/figs-web/figs-web/internal/client"
	"github.com/figs-web/figs-web/static"
)

// samples are the agents of the demo, folders of static/samples whose pushes every server takes.
var samples = []string{"reconciliation", "payables", "onboarding"}

// Target is where the demo is pushed, and as whom.
type Target struct {
	Handler   http.Handler // of the server, which is not asked over the network
	Public    string       // its origin
	Token     string       // of a member of the workspace
	Workspace string       // its id
}

// Fill pushes every sample, its records first and then its files. What is there already stays as
// it is.
func Fill(ctx context.Context, d Target) error {
	c := client.New(client.Options{Endpoint: d.Public, Token: d.Token, Generation: client.Unfolded, HTTP: &http.Client{Transport: inside{d.Handler}}})
	for _, name := range samples {
		folder, err := Folder(name, d.Workspace)
		if err != nil {
			return err
		}
		if _, err := c.Push(ctx, folder, d.Workspace); err != nil {
			return fmt.Errorf("demo: pushing %s: %w", name, err)
		}
	}
	return nil
}

// Folder is a sample's .figs folder with an agent id of that workspace's own: an agent belongs to
// one workspace, and several may want the demo.
func Folder(name, workspace string) (fs.FS, error) {
	folder, err := fs.Sub(static.Files, "samples/"+name+"/.figs")
	if err != nil {
		return nil, fmt.Errorf("demo: %w", err)
	}
	return renamed{folder, fmt.Appendf(nil, "{\"agentId\":%q}\n", agentID(name, workspace))}, nil
}

// agentID is a UUID that the same name and workspace always give.
func agentID(name, workspace string) string {
	b := sha256.Sum256([]byte("demo agent " + name + " of workspace " + workspace))
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80 // version 8: of its maker's own making
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
}
