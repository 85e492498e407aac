package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/testenv"
)

// testFirefoxAttack shows hostile attachments in Firefox, in the inspector from disk and in figs-web open, and clicks in
// them while the page measures them: nothing may be asked for, and no frame may go anywhere. As a control, the same bytes
// in frames that nothing protects must be heard. A short run shows every fifth one in each way; FIGS_LONG=1 shows the whole
// collection in both.
func testFirefoxAttack(t *testing.T) {
	program, node, modules := testenv.Firefox(t), testenv.Node(t), testenv.NodeModules(t)
	address := saved(t)
	parts, every := 1, 5
	if os.Getenv("FIGS_LONG") != "" {
		parts, every = attackEvery, 1
	}
	shown, measured, heard := 0, 0, 0
	for part := range parts {
		a := newAssault(t, part)
		s := openFolder(t, a.dir)
		ctx, cancel := context.WithTimeout(context.Background(), 10*patience)
		defer cancel()
		command := exec.CommandContext(ctx, node, "firefox_attack.mjs", program, a.proxy, address, a.zip, s.address, s.url("/w/local/agents/1/files"), strconv.Itoa(every), controlHost)
		command.Env = append(os.Environ(), "NODE_PATH="+modules)
		command.WaitDelay = 5 * time.Second
		var problems bytes.Buffer
		command.Stderr = &problems
		open, err := command.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		go func() { // some of the control's frames keep a processor busy for as long as they are open
			testenv.Poll(10*patience, func() bool { _, begun := a.trap.control(); return ctx.Err() != nil || begun })
			testenv.Poll(patience, func() bool { hosts, _ := a.trap.control(); return ctx.Err() != nil || hosts >= leastHosts })
			open.Close()
		}()
		out, err := command.Output()
		cancel()
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, problems.String(), out)
		}
		jumps := 0
		for line := range strings.Lines(string(out)) {
			var page struct {
				Page, Fault      string
				Framed, Measured bool
				Jumped           bool
			}
			if err := json.Unmarshal([]byte(line), &page); err != nil {
				t.Fatalf("%v in %s", err, line)
			}
			if page.Fault != "" {
				t.Errorf("%s: %s", page.Page, page.Fault)
			}
			if page.Framed {
				shown++
			}
			if page.Measured {
				measured++
			}
			if page.Jumped {
				jumps++
			}
		}
		if jumps != 2 {
			t.Errorf("the link to a place in the document worked in %d of 2 ways", jumps)
		}
		if len(a.trap.early) > 0 {
			t.Errorf("attachments asked for %v", a.trap.early)
		}
		heard += len(a.trap.take())
	}
	if shown < 15*parts || 2*measured < shown {
		t.Errorf("%d files were shown in a frame, of which %d were measured", shown, measured)
	}
	if heard < leastHosts*parts {
		t.Errorf("the control was heard of %d hosts", heard)
	}
	t.Logf("%d files in frames, %d measured; unprotected, %d hosts were asked for", shown, measured, heard)
}
