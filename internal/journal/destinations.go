package journal

// Destinations are where a person can go in a workspace, by what they type.
type Destinations struct {
	Agents      []AgentDestination // best match first
	TotalAgents int                // how many agents match; Agents has the first of them
	Asks        []AskDestination   // newest first
}

// AgentDestination is an agent whose name matches.
type AgentDestination struct {
	Agent    Agent
	Archived bool
	SameName bool // another listed agent has the same name, role and department
}

// AskDestination is an ask whose title or id matches. Its Ask has the key, the id, the title, the type and the state.
type AskDestination struct {
	Agent Agent
	Ask   Ask
}
