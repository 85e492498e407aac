package mcp

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/recordjson"
)

// ofAgent names one agent.
type ofAgent struct {
	Agent string `json:"agent,omitempty" jsonschema:"key, path or id of the agent, from list_agents; optional if there is only one agent"`
}

// agent is an agent in lists.
type agent struct {
	Key    string            `json:"key"`
	Path   string            `json:"path" jsonschema:"path of its folder, starting with the name of the opened folder or zip"`
	ID     string            `json:"id"`
	Name   string            `json:"name"`
	Role   string            `json:"role"`
	Counts recordjson.Counts `json:"counts"`
	Oldest string            `json:"oldest_need" jsonschema:"when the oldest open ask began to need a person"`
	Last   string            `json:"last_ts" jsonschema:"time of the newest line, as the agent wrote it"`
}

func agentOf(a *journal.Agent) agent {
	return agent{Key: a.Key, Path: a.Path, ID: a.Config.AgentID, Name: a.Charter.Name, Role: a.Charter.Role, Counts: recordjson.NewCounts(&a.Counts),
		Oldest: a.Oldest, Last: a.Last.TS}
}

// agentAlone is an agent with its charter.
type agentAlone struct {
	agent
	Department       string   `json:"department"`
	Status           string   `json:"status"`
	Runtime          string   `json:"runtime"`
	Cadence          string   `json:"cadence"`
	Mandate          string   `json:"mandate"`
	Steps            []string `json:"steps"`
	Responsibilities []string `json:"responsibilities"`
	Properties       []pair   `json:"properties"`
	Units            []unit   `json:"units"`
	LeftOut          int      `json:"left_out,omitempty" jsonschema:"number of properties and units that did not fit into the result"`
}

type pair struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

func pairOf(p *figs.Pair) pair { return pair{Label: p.Label, Value: p.Value} }

type unit struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Status string `json:"status"`
	Period string `json:"period"`
	Detail string `json:"detail"`
}

func unitOf(u *figs.Unit) unit {
	return unit{ID: u.ID, Name: u.Name, Status: u.Status, Period: u.Period, Detail: u.Detail}
}

func (s *server) addJournal() {
	add(s, tool{"list_agents", "List agents", "Lists the agents whose .figs folders are in the open folder, with counts of their records and of what needs a person." + untrusted}, s.listAgents)
	add(s, tool{"read_agent", "Read an agent", "Returns an agent's charter: who it is, its mandate, steps and responsibilities." + untrusted}, s.readAgent)
	add(s, tool{"list_jobs", "List jobs", "Lists an agent's jobs, newest first." + untrusted}, s.listJobs)
	add(s, tool{"read_job", "Read a job", "Returns one job: its record (all its lines folded), every line of its trail, and its asks." + untrusted}, s.readJob)
	add(s, tool{"list_asks", "List asks", "Lists an agent's asks: first those that need a person, then those that wait for the agent, then closed ones." + untrusted}, s.listAsks)
	add(s, tool{"read_ask", "Read an ask", "Returns one ask: its record (all its lines folded), its state, its replies, its attachments by name and size, and every line of its trail. Only a person can answer it, and not through this server. Remarks that a reply makes about single places are in its remarks." + untrusted}, s.readAsk)
	add(s, tool{"list_messages", "List messages", "Lists people's replies to an agent, newest first. Replies marked transcribed were reported by the agent and aren't verified. Remarks that a reply makes about single places are in its remarks." + untrusted}, s.listMessages)
}

func (s *server) listAgents(ctx context.Context, in *part) (*list[agent], error) {
	all, err := s.agents(ctx)
	if err != nil {
		return nil, err
	}
	return listOf(briefly(), pageOf(all, *in), agentOf), nil
}

func (s *server) readAgent(ctx context.Context, in *ofAgent) (*agentAlone, error) {
	a, err := s.agent(ctx, in.Agent)
	if err != nil {
		return nil, err
	}
	b, c := fully(), &a.Charter
	out := &agentAlone{agent: agentOf(a), Department: c.Department, Status: c.Status, Runtime: c.Runtime, Cadence: c.Cadence,
		Mandate: c.Mandate, Steps: c.Steps, Responsibilities: c.Responsibilities}
	out.Properties, out.Units = recordjson.Each(c.Properties, pairOf), recordjson.Each(c.Units, unitOf)
	b.fit(out)
	out.LeftOut = b.leftOut
	return out, nil
}

func (s *server) agents(ctx context.Context) ([]journal.Agent, error) {
	j, err := s.Journal(ctx, "/rules") // a page that needs no records
	if err != nil {
		return nil, err
	}
	return j.Agents(ctx)
}

// agent finds an agent by its key, its path or its id.
func (s *server) agent(ctx context.Context, name string) (*journal.Agent, error) {
	all, err := s.agents(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case len(all) == 0:
		return nil, refusal("There is no .figs folder here, so there are no agents.")
	case name == "" && len(all) == 1:
		return &all[0], nil
	case name == "":
		return nil, refusal("There are " + strconv.Itoa(len(all)) + " agents here. Choose one by its key; list_agents lists them.")
	}
	at := slices.IndexFunc(all, func(a journal.Agent) bool {
		return a.Key == name || a.Path == name || a.Config.AgentID != "" && strings.EqualFold(a.Config.AgentID, name)
	})
	if at < 0 {
		return nil, refusal("No agent has that key, path or id. list_agents lists the agents.")
	}
	return &all[at], nil
}

// in opens the page of an agent that answers a question: "jobs" or "jobs/3", with a query.
func (s *server) in(ctx context.Context, agent, page string, q journal.Query) (journal.Journal, string, error) {
	a, err := s.agent(ctx, agent)
	if err != nil {
		return nil, "", err
	}
	path := "/" + a.Key + "/" + page
	if query := q.String(); query != "" {
		path += "?" + query
	}
	j, err := s.Journal(ctx, path)
	return j, a.Key, err
}

// record opens the page of a record that was named by its id, or by its key.
func (s *server) record(ctx context.Context, agent, section string, ledger figs.File, name string) (j journal.Journal, a, key string, err error) {
	of, err := s.agent(ctx, agent)
	if err != nil {
		return nil, "", "", err
	}
	if key, err = s.Key(ctx, of.Key, ledger, name); err != nil {
		if n, bad := strconv.Atoi(name); bad != nil || n < 1 {
			return nil, "", "", err
		}
		key = name
	}
	j, err = s.Journal(ctx, "/"+of.Key+"/"+section+"/"+key)
	return j, of.Key, key, err
}
