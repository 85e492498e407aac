//go:build unix

package main

// owners says of every table whose rows it holds, which decides where it would lie if workspaces were spread over
// databases. A test holds it to the schema.
var owners = []struct{ of, where, tables string }{
	{"a workspace, in a column of its own", "with the workspace",
		"workspaces members audit chains agents records pulse search decisions attachments opened drafts claims snoozes feedback invites erasures removals notify_outbox notify_cursors"},
	{"an agent, whose row names the workspace", "with the workspace", "charters mentions messages refusals"},
	{"a record of an agent", "with the workspace", "trail"},
	{"a person, who may be in many workspaces", "in a directory of all", "users tokens sessions devices passkeys recovery_codes identities tickets notify_places notify_wishes notify_hours"},
	{"nobody: guesses are counted for the whole reader", "in the directory", "attempts"},
	{"the database, or the reader as a whole", "in each of them, or in the directory", "migrations counters chores facts fates locks migration_lock setups keys notify_keys"},
}

// crossing are the questions that look beyond one workspace, by methods of the store. A test holds the names to the store.
var crossing = []struct{ methods, asks, then string }{
	{"KnownPush", "whose last push had this digest, over all agents", "ask the workspace that the body names, which is read first then"},
	{"Push Attach Agent MessagesSeq Handed", "agents by their id alone, which no two workspaces share", "the directory knows the workspace of an agent"},
	{"SyncSeq", "a token and an agent in one query", "two questions, one of each"},
	{"Workspace AddWorkspace ListWorkspaces RenameWorkspace", "workspaces by their address, which no two share", "the directory has addresses and ids"},
	{"Memberships", "the workspaces of a person", "memberships are in the directory too"},
	{"Members Inbox Decide NewsSituation", "people beside rows of a workspace: names, roles, where they are told", "a copy of the few columns that are shown, or a second question"},
	{"Session UseToken User UserByEmail Attempt", "people, and what proves them", "the directory alone"},
	{"Settle ClaimNews NewsWorkspaces SweepNews Sweep", "what is due, of all workspaces", "each database for itself"},
	{"Sendings NewsItem", "what one person was told, whichever workspace it was about", "every database in which the person has a workspace, and the newest of all"},
	{"Figures FindingsByRule LastAt", "sums over everything", "the sum of all databases"},
	{"EachBlob PurgeWorkspace", "whether anybody else names the same bytes", "a place of its own for the bytes of each database: the same file of two workspaces may lie there twice"},
	{"MoveAgent", "two workspaces in one transaction", "within a database as today; between two of them as a workspace moves"},
	{"Hints", "changes of all workspaces", "each node listens to every database of whose workspaces it has open pages"},
	{"StateHash Reindex Snapshot", "the whole database", "each for itself"},
}
