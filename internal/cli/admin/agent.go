package admin

import (
	"errors"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/store"
)

type adminAgentCommand struct {
	Archive     agentArchiveCommand     `cmd:"" help:"Archive an agent: its pages stay, its asks need no one."`
	Assign      agentAssignCommand      `cmd:"" help:"Set an agent's manager and builder."`
	Erase       agentEraseCommand       `cmd:"" help:"Permanently erase a record's text or an attachment."`
	List        agentListCommand        `cmd:"" help:"List the agents that have pushed."`
	Move        agentMoveCommand        `cmd:"" help:"Move an agent and its records to another workspace."`
	RenameGrant agentRenameGrantCommand `cmd:"" name:"rename-grant" help:"Allow an agent's next push under a new name, once."`
	Restore     agentRestoreCommand     `cmd:"" help:"Restore an archived agent."`
}

type agentAssignCommand struct {
	Workspace string  `required:"" placeholder:"WORD" help:"The workspace: its name in the URL, or its id."`
	Agent     string  `required:"" name:"agent-id" placeholder:"ID" help:"The agent's id. --agent ID means the same."`
	Manager   *string `placeholder:"ADDRESS" help:"Email address of the member who manages the agent; empty for no one. Default: unchanged."`
	Builder   *string `placeholder:"ADDRESS" help:"Email address of the member who built the agent; empty for no one. Default: unchanged."`
}

// agentJSON is an agent for programs.
type agentJSON struct {
	Workspace  string `json:"workspace"`
	ID         string `json:"id"`
	Name       string `json:"name"`
	Manager    string `json:"manager"` // e-mail address; "" is nobody
	Builder    string `json:"builder"`
	Registered string `json:"registered"`
	Pushed     string `json:"pushed,omitempty"`
}

// Run assigns.
func (c agentAssignCommand) Run(a *cmd.App, admin *AdminCommand) error {
	if c.Manager == nil && c.Builder == nil {
		return cmd.Fail(cmd.Usage, "No manager or builder was given.", "Use --manager, --builder or both. An empty address means no one.")
	}
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	w, err := d.Workspace(c.Workspace)
	if err != nil {
		return err
	}
	agent, err := d.Store.Agent(a.Ctx, c.Agent)
	if err == nil && agent.Workspace != w.ID {
		err = store.ErrNotFound
	}
	if errors.Is(err, store.ErrNotFound) {
		return cmd.Fail(cmd.NotFound, "No agent of "+cmd.Quote(w.Slug)+" has the id "+cmd.Quote(c.Agent)+".", "figs-web admin agent list shows the agents. An agent appears with its first push.")
	}
	if err != nil {
		return err
	}
	for _, who := range []struct {
		email *string
		id    *string
	}{{c.Manager, &agent.Manager}, {c.Builder, &agent.Builder}} {
		if who.email != nil {
			if *who.id, err = memberID(d, w, *who.email); err != nil {
				return err
			}
		}
	}
	if err := d.Store.Assign(a.Ctx, d.Act(), agent.ID, agent.Manager, agent.Builder); err != nil {
		return err
	}
	o, err := agentObject(d, w, agent, map[string]string{})
	if err != nil {
		return err
	}
	return print(d, o, "%s: manager %s, builder %s.", o.Name, nobody(o.Manager), nobody(o.Builder))
}

// memberID is the id of the member with that address; "" for none.
func memberID(d *datadir.Reader, w store.Workspace, email string) (string, error) {
	if email == "" {
		return "", nil
	}
	u, err := user(d, email)
	if err != nil {
		return "", err
	}
	role, err := d.Store.Role(d.Ctx, w.ID, u.ID)
	if err == nil && !accounts.CanAnswer(role) {
		return "", cmd.Fail(cmd.Denied, cmd.Quote(email)+" is only a viewer of "+cmd.Quote(w.Slug)+".", "Managers and builders must be members or above. figs-web admin member add changes the role.")
	}
	if errors.Is(err, store.ErrNotFound) {
		return "", cmd.Fail(cmd.NotFound, cmd.Quote(email)+" is not a member of "+cmd.Quote(w.Slug)+".", "Managers and builders must be members. figs-web admin member add adds a person.")
	}
	return u.ID, err
}

func nobody(email string) string {
	if email == "" {
		return "no one"
	}
	return email
}

// agentObject names people by their addresses, each looked up once.
func agentObject(d *datadir.Reader, w store.Workspace, agent store.Agent, known map[string]string) (agentJSON, error) {
	for _, id := range []string{agent.Manager, agent.Builder} {
		if _, ok := known[id]; ok || id == "" {
			continue
		}
		u, err := d.Store.User(d.Ctx, id)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return agentJSON{}, err
		}
		known[id] = u.Email
	}
	return agentJSON{w.Slug, agent.ID, agent.Name, known[agent.Manager], known[agent.Builder], date(agent.Registered), date(agent.Pushed)}, nil
}

type agentListCommand struct {
	Workspace string `placeholder:"WORD" help:"Only this workspace. Default: all workspaces."`
}

// Run lists agents by workspace and name.
func (c agentListCommand) Run(a *cmd.App, admin *AdminCommand) error {
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	places, err := places(d, c.Workspace)
	if err != nil {
		return err
	}
	objects, rows, known := []agentJSON{}, [][]string{}, map[string]string{}
	for _, w := range places {
		agents, err := d.Store.ListAgents(a.Ctx, w.ID)
		if err != nil {
			return err
		}
		for _, agent := range agents {
			o, err := agentObject(d, w, agent, known)
			if err != nil {
				return err
			}
			objects = append(objects, o)
			rows = append(rows, []string{o.Workspace, o.Name, nobody(o.Manager), nobody(o.Builder), day(agent.Pushed), o.ID})
		}
	}
	return list(d, "agents", objects, "No agent has pushed yet. The workspace page \"Connect an agent\" shows how.", []string{"WORKSPACE", "AGENT", "MANAGER", "BUILDER", "PUSHED", "ID"}, rows)
}
