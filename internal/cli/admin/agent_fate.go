package admin

import (
	"errors"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/store"
)

// agentFlags name an agent of a workspace.
type agentFlags struct {
	Workspace string `required:"" placeholder:"WORD" help:"The workspace: its name in the URL, or its id."`
	Agent     string `required:"" name:"agent-id" placeholder:"ID" help:"The agent's id. --agent ID means the same."`
}

type (
	agentArchiveCommand struct{ agentFlags }
	agentRestoreCommand struct{ agentFlags }
	agentMoveCommand    struct {
		agentFlags
		To string `required:"" placeholder:"WORD" help:"The workspace to move the agent to."`
	}
	agentRenameGrantCommand struct {
		agentFlags
		Name string `placeholder:"NAME" help:"The new name, exactly as the agent pushes it. Empty revokes the permission."`
	}
	agentEraseCommand struct {
		agentFlags
		Kind   string `required:"" enum:"run,ask,reply,attachment" help:"The kind: run, ask, reply or attachment."`
		ID     string `required:"" name:"id" help:"The record's id, or the attachment's name."`
		Reason string `aliases:"why" required:"" help:"The reason, at most 300 characters. Everyone in the workspace can read it."`
	}
)

// with opens the folder, finds the agent, does something with it and tells what it is then.
func (f agentFlags) with(a *cmd.App, admin *AdminCommand, do func(d *datadir.Reader, w store.Workspace, agent store.Agent) (said string, err error)) error {
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	w, err := d.Workspace(f.Workspace)
	if err != nil {
		return err
	}
	agent, err := d.Store.Agent(a.Ctx, f.Agent)
	if err == nil && agent.Workspace != w.ID {
		err = store.ErrNotFound
	}
	if errors.Is(err, store.ErrNotFound) {
		return cmd.Fail(cmd.NotFound, "No agent of "+cmd.Quote(w.Slug)+" has the id "+cmd.Quote(f.Agent)+".", "figs-web admin agent list shows the agents. An agent appears with its first push.")
	}
	if err != nil {
		return err
	}
	said, err := do(d, w, agent)
	var pending *store.PendingError
	if errors.As(err, &pending) {
		return cmd.Fail(cmd.Usage, "Someone has just replied to one of its asks and can still undo that.", "Nothing was changed. Try again in 10 seconds.")
	}
	if err != nil {
		return err
	}
	if agent, err = d.Store.Agent(a.Ctx, agent.ID); err != nil {
		return err
	}
	if w, err = d.Store.Workspace(a.Ctx, agent.Workspace); err != nil {
		return err
	}
	o, err := agentObject(d, w, agent, map[string]string{})
	if err != nil {
		return err
	}
	return print(d, o, "%s: "+said, o.Name)
}

// Run sets an agent aside.
func (c agentArchiveCommand) Run(a *cmd.App, admin *AdminCommand) error {
	return c.with(a, admin, func(d *datadir.Reader, _ store.Workspace, agent store.Agent) (string, error) {
		return "archived. Its pages stay, and its asks need no one.", d.Store.Archive(a.Ctx, d.Act(), agent.ID, true)
	})
}

// Run brings an agent back.
func (c agentRestoreCommand) Run(a *cmd.App, admin *AdminCommand) error {
	return c.with(a, admin, func(d *datadir.Reader, _ store.Workspace, agent store.Agent) (string, error) {
		return "restored.", d.Store.Archive(a.Ctx, d.Act(), agent.ID, false)
	})
}

// Run registers an agent in another workspace.
func (c agentMoveCommand) Run(a *cmd.App, admin *AdminCommand) error {
	return c.with(a, admin, func(d *datadir.Reader, _ store.Workspace, agent store.Agent) (string, error) {
		to, err := d.Workspace(c.To)
		if err != nil {
			return "", err
		}
		return "moved. Before its next push, run figs link in its folder.", d.Store.MoveAgent(a.Ctx, d.Act(), agent.ID, to.ID)
	})
}

// Run lets another name pass once.
func (c agentRenameGrantCommand) Run(a *cmd.App, admin *AdminCommand) error {
	return c.with(a, admin, func(d *datadir.Reader, _ store.Workspace, agent store.Agent) (string, error) {
		err := d.Store.AllowName(a.Ctx, d.Act(), agent.ID, c.Name)
		if errors.Is(err, store.ErrNotFound) {
			return "", cmd.Fail(cmd.NotFound, "The agent has not pushed under the name "+cmd.Quote(c.Name)+" last.", "Use the name that the agent pushed with. Its page shows it.")
		}
		if c.Name == "" {
			return "no other name is allowed.", err
		}
		return "its next push under that name is allowed, once.", err
	})
}

// Run erases a text or bytes for good.
func (c agentEraseCommand) Run(a *cmd.App, admin *AdminCommand) error {
	if n := len([]rune(c.Reason)); n == 0 || n > 300 {
		return cmd.Fail(cmd.Usage, "--reason must have 1 to 300 characters.", "Don't repeat what is erased: everyone in the workspace can read the reason.")
	}
	return c.with(a, admin, func(d *datadir.Reader, w store.Workspace, agent store.Agent) (string, error) {
		var kind store.ErasureKind
		for kind.String() != c.Kind {
			kind++
		}
		e, err := d.Store.Erase(a.Ctx, d.Act(), store.Erasure{Workspace: w.ID, Agent: agent.ID, Kind: kind, ID: c.ID, Why: c.Reason})
		if errors.Is(err, store.ErrNotFound) {
			return "", cmd.Fail(cmd.NotFound, "It has no "+c.Kind+" "+cmd.Quote(c.ID)+".", "Use an id from the agent's ledgers, or the file name of an attachment.")
		}
		if err != nil {
			return "", err
		}
		said := "erased. The record keeps the hash of the erased content."
		if kind == store.EraseAttachment {
			switch dropped, err := d.Drop(a.Ctx, e.SHA256); {
			case err != nil:
				return "", errors.Join(cmd.Fail(cmd.General, "The attachment was erased, but its bytes could not be removed from storage: "+cmd.Clean(err.Error())+".",
					"A running server tries again every minute. Otherwise, figs-web serve tries when it starts."), d.Store.Scrub(a.Ctx))
			case !dropped:
				said = "erased here. Another attachment on this server has the same bytes and keeps them."
			}
		}
		return said, d.Store.Scrub(a.Ctx)
	})
}
