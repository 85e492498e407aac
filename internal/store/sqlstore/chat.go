package sqlstore

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/account"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const chatColumns = `h.id, h.workspace, h.service, h.name, h.url, h.room, h.token, h.created_by, h.created_at, h.failing_since, ` + choiceColumns

const choiceColumns = `h.topics, h.only_agents, h.only_departments`

func scanChatChannel(r sqldb.Scanner, c *store.ChatChannel) error {
	return scanChoice(r, &c.ChatChoice, &c.ID, &c.Workspace, &c.Service, &c.Name, &c.URL, &c.Room, &c.Token, &c.By, &c.Created, &c.Failing)
}

// scanChoice scans columns, and choiceColumns after them.
func scanChoice(r sqldb.Scanner, c *store.ChatChoice, before ...any) error {
	var topics, agents, departments string
	if err := r.Scan(append(before, &topics, &agents, &departments)...); err != nil {
		return err
	}
	c.Topics, c.Agents, c.Departments = nil, nil, nil
	for _, t := range strings.Fields(topics) {
		c.Topics = append(c.Topics, store.ChatTopic(t))
	}
	err := errors.Join(json.Unmarshal([]byte(agents), &c.Agents), json.Unmarshal([]byte(departments), &c.Departments))
	if len(c.Agents) == 0 {
		c.Agents = nil
	}
	if len(c.Departments) == 0 {
		c.Departments = nil
	}
	return err
}

// choiceValues are the values of choiceColumns. Topics are in their usual order.
func choiceValues(c *store.ChatChoice) (topics, agents, departments string) {
	var all []string
	for _, t := range store.ChatTopics() {
		if slices.Contains(c.Topics, t) {
			all = append(all, string(t))
		}
	}
	list := func(all []string) string {
		clean := []string{}
		for _, s := range all {
			clean = append(clean, sqldb.CleanText(s))
		}
		return sqldb.JSONList(clean)
	}
	return strings.Join(all, " "), list(c.Agents), list(c.Departments)
}

// AddChatChannel implements store.Chat.
func (s *Store) AddChatChannel(ctx context.Context, act store.Act, h store.ChatChannel) error {
	return s.update(ctx, func(c *storeTx) error {
		// Changes nothing, but locks the row until the commit, so that concurrent calls count each other's channels.
		if err := c.ExecOne(ctx, `UPDATE workspaces SET seq = seq WHERE id = $1 AND deleted_at = 0`, sqldb.CleanText(h.Workspace)); err != nil {
			return err
		}
		var n int
		if err := c.Row(ctx, `SELECT count(*) FROM chat_channels WHERE workspace = $1`, sqldb.CleanText(h.Workspace)).Scan(&n); err != nil {
			return err
		}
		if n >= store.MaxChatChannels {
			return store.ErrLimitReached
		}
		topics, agents, departments := choiceValues(&h.ChatChoice)
		if _, err := c.Exec(ctx, `INSERT INTO chat_channels (id, workspace, service, name, url, room, token, created_by, created_at, failing_since, topics, only_agents, only_departments)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11, $12)`,
			h.ID, sqldb.CleanText(h.Workspace), sqldb.CleanText(h.Service), sqldb.CleanText(h.Name), sqldb.CleanText(h.URL), sqldb.CleanText(h.Room), sqldb.CleanText(h.Token), sqldb.CleanText(h.By), h.Created, topics, agents, departments); err != nil {
			return err
		}
		return c.Audit(ctx, act, sqldb.CleanText(h.Workspace), "chat.add", sqldb.CleanText(h.Service)+" "+sqldb.CleanText(h.Name))
	})
}

// ChatChannels implements store.Chat.
func (s *Store) ChatChannels(ctx context.Context, workspace string) ([]store.ChatChannel, error) {
	rows, err := s.Rows(ctx, `SELECT `+chatColumns+` FROM chat_channels h WHERE h.workspace = $1 ORDER BY h.created_at, h.id`, sqldb.CleanText(workspace))
	return sqldb.Collect(rows, err, scanChatChannel)
}

// ChatChannel implements store.Chat.
func (s *Store) ChatChannel(ctx context.Context, workspace, id string) (h store.ChatChannel, err error) {
	return h, scanChatChannel(s.Row(ctx, `SELECT `+chatColumns+` FROM chat_channels h WHERE h.id = $1 AND h.workspace = $2`, sqldb.CleanText(id), sqldb.CleanText(workspace)), &h)
}

// SetChatChoice implements store.Chat.
func (s *Store) SetChatChoice(ctx context.Context, act store.Act, workspace, id string, choice store.ChatChoice) error {
	return s.update(ctx, func(c *storeTx) error {
		topics, agents, departments := choiceValues(&choice)
		var what string
		if err := c.Row(ctx, `UPDATE chat_channels SET topics = $3, only_agents = $4, only_departments = $5 WHERE id = $1 AND workspace = $2 RETURNING service || ' ' || name`,
			sqldb.CleanText(id), sqldb.CleanText(workspace), topics, agents, departments).Scan(&what); err != nil {
			return err
		}
		return c.Audit(ctx, act, sqldb.CleanText(workspace), "chat.choose", what)
	})
}

// RemoveChatChannel implements store.Chat.
func (s *Store) RemoveChatChannel(ctx context.Context, act store.Act, workspace, id string) error {
	return s.update(ctx, func(c *storeTx) error {
		var what string
		if err := c.Row(ctx, `DELETE FROM chat_channels WHERE id = $1 AND workspace = $2 RETURNING service || ' ' || name`, sqldb.CleanText(id), sqldb.CleanText(workspace)).Scan(&what); err != nil {
			return err
		}
		if _, err := c.Exec(ctx, `DELETE FROM notify_outbox WHERE place = $1 AND person = ''`, sqldb.CleanText(id)); err != nil {
			return err
		}
		return c.Audit(ctx, act, sqldb.CleanText(workspace), "chat.remove", what)
	})
}

// SentToChat implements store.Chat.
func (s *Store) SentToChat(ctx context.Context, workspace string, since int64, n int) ([]store.QueuedNotification, error) {
	rows, err := s.Rows(ctx, `SELECT `+queuedColumns+` FROM notify_outbox o WHERE o.person = '' AND o.workspace = $1 AND o.at >= $2 ORDER BY o.at DESC, o.id LIMIT $3`, sqldb.CleanText(workspace), since, sqldb.PageSize(n))
	return sqldb.Collect(rows, err, scanQueued)
}

// ResendToChat implements store.Chat.
func (s *Store) ResendToChat(ctx context.Context, act store.Act, workspace, id string) error {
	return s.update(ctx, func(c *storeTx) error {
		if err := c.ExecOne(ctx, `UPDATE notify_outbox SET state = 'waiting', tries = 0, next_at = $3, lease = '', leased_to = 0, ended_at = 0, replayed = 1, batch = ''
			WHERE id = $1 AND workspace = $2 AND person = '' AND state IN ('sent', 'dead', 'dropped')`, sqldb.CleanText(id), sqldb.CleanText(workspace), act.At); err != nil {
			return err
		}
		return c.Audit(ctx, act, sqldb.CleanText(workspace), "chat.resend", sqldb.CleanText(id))
	})
}

// ChatNotification implements store.Chat.
func (s *Store) ChatNotification(ctx context.Context, workspace, id string) (x store.QueuedNotification, err error) {
	return x, scanQueued(s.Row(ctx, `SELECT `+queuedColumns+` FROM notify_outbox o WHERE o.id = $1 AND o.workspace = $2 AND o.person = ''`, sqldb.CleanText(id), sqldb.CleanText(workspace)), &x)
}

// planChannels reads a workspace's channels, without their secrets, and if one needs them, the departments of agents.
func (s *Store) planChannels(ctx context.Context, x *store.PlanInput) error {
	rows, err := s.Rows(ctx, `SELECT h.id, h.created_at, `+choiceColumns+` FROM chat_channels h WHERE h.workspace = $1 ORDER BY h.created_at, h.id`, x.Workspace)
	x.Channels, err = sqldb.Collect(rows, err, func(r sqldb.Scanner, h *store.ChatChannel) error {
		return scanChoice(r, &h.ChatChoice, &h.ID, &h.Created)
	})
	if err == nil && slices.ContainsFunc(x.Channels, func(h store.ChatChannel) bool { return slices.Contains(h.Topics, store.ChatSettled) }) {
		err = s.planSettled(ctx, x)
	}
	if err != nil || !slices.ContainsFunc(x.Channels, func(h store.ChatChannel) bool { return len(h.Departments) > 0 }) {
		return err
	}
	roster, _, err := s.rosterAt(ctx, x.Workspace)
	if err != nil {
		return err
	}
	x.Departments = make(map[string]string, len(roster.Agents))
	for i := range roster.Agents {
		x.Departments[roster.Agents[i].ID] = roster.Agents[i].Department
	}
	return nil
}

// planSettled reads the asks that have changed since the cursor and no longer need a human, if a channel that wants to know was
// told about them. Unconfirmed reported replies don't count.
func (s *Store) planSettled(ctx context.Context, x *store.PlanInput) error {
	rows, err := s.Rows(ctx, `SELECT r.agent, r.id, r.round FROM records r JOIN agents a ON a.id = r.agent AND a.workspace = r.workspace AND a.archived_at = 0
		WHERE r.workspace = $1 AND r.seq > $2 AND r.kind = 1 AND r.lane IN (1, 2) AND r.reported = 0 ORDER BY r.no`, x.Workspace, x.From.Seq)
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, a *store.SettledAsk) error {
		err := r.Scan(&a.Agent, &a.Ask, &a.Round)
		a.Ask = sqldb.DecodeID(a.Ask)
		return err
	})
	if err != nil {
		return err
	}
	for part := range slices.Chunk(all, 500) {
		of, names := map[string]int{}, []string{}
		for i, a := range part {
			for _, event := range []string{"ask ", "open "} {
				name := sqldb.CleanText(event + a.Agent + " " + a.Ask + " " + strconv.Itoa(a.Round))
				of[name], names = i, append(names, name)
			}
		}
		for i := range x.Channels {
			h := &x.Channels[i]
			if !slices.Contains(h.Topics, store.ChatSettled) {
				continue
			}
			rows, err := s.Rows(ctx, `SELECT o.name FROM notify_outbox o WHERE o.place = $1 AND o.state IN ('waiting', 'sent') AND o.name `+s.TextsIn(2), h.ID, sqldb.JSONList(names))
			told, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, name *string) error { return r.Scan(name) })
			if err != nil {
				return err
			}
			for _, name := range told {
				if a := &part[of[name]]; !slices.Contains(a.Told, h.ID) {
					a.Told = append(a.Told, h.ID)
				}
			}
		}
	}
	x.Settled = slices.DeleteFunc(all, func(a store.SettledAsk) bool { return len(a.Told) == 0 })
	return nil
}

// chatFailing notes that a channel fails, and notifies owners and admins on the page, once per failure period.
func (c *storeTx) chatFailing(ctx context.Context, x *store.QueuedNotification) error {
	if _, err := c.Exec(ctx, `UPDATE chat_channels SET failing_since = $2 WHERE id = $1 AND failing_since = 0`, x.Destination, x.Ended); err != nil || x.State != store.SendDead || x.Event == store.EventTest {
		return err
	}
	var since string
	if err := c.Row(ctx, `SELECT CAST(failing_since AS TEXT) FROM chat_channels WHERE id = $1`, x.Destination).Scan(&since); err != nil {
		return nil // the channel was removed
	}
	return account.NotifyMembers(ctx, c.Tx, store.Admin, store.Notification{Workspace: x.Workspace, Event: store.EventDestinationFailing, Name: "failing chat " + x.Destination + " " + since, At: x.Ended})
}

// readChats reads the channels of due notifications. What a channel is no longer told about is Over, unless a person sends it
// again.
func (c *storeTx) readChats(ctx context.Context, all []store.DueNotification) error {
	channels := map[string]store.ChatChannel{}
	for i := range all {
		d := &all[i]
		if d.Person != "" {
			continue
		}
		h, known := channels[d.Destination]
		if !known {
			err := scanChatChannel(c.Row(ctx, `SELECT `+chatColumns+` FROM chat_channels h WHERE h.id = $1`, d.Destination), &h)
			if err != nil && !errors.Is(err, store.ErrNotFound) { // the channel was removed; d is Over
				return err
			}
			channels[d.Destination] = h
		}
		if h.ID == "" {
			continue
		}
		d.Chat, d.Waits = h, figs.NoTime
		d.To = store.Destination{ID: h.ID, Kind: store.DestinationChat, Name: h.Name, Digest: store.NoDigest, Failing: h.Failing}
		if d.Over || d.Resent || d.Ask == "" {
			continue
		}
		var department, kind string
		if err := c.Row(ctx, `SELECT a.department, coalesce((SELECT `+kindText+` FROM records r WHERE r.agent = a.id AND r.kind = 1 AND r.id = $2), '') FROM agents a WHERE a.id = $1`,
			d.Agent, sqldb.EncodeID(d.Ask)).Scan(&department, &kind); err != nil {
			return err
		}
		d.Over = !h.Wants(store.TopicOf(d.Event, kind), d.Agent, department)
	}
	return nil
}

// readSteps reads what only chat says of an ask, if the workspace allows it and the message is about one ask.
func (c *storeTx) readSteps(ctx context.Context, all []store.DueNotification) error {
	together := map[string]int{}
	for i := range all {
		if !all[i].Over {
			together[all[i].Batch]++
		}
	}
	for i := range all {
		d := &all[i]
		if d.To.Kind != store.DestinationChat || d.Over || !d.IncludeText || d.Ask == "" || d.Batch != "" && together[d.Batch] > 1 {
			continue
		}
		var fold []byte
		err := c.Row(ctx, `SELECT r.since, r.fold FROM records r WHERE r.agent = $1 AND r.kind = 1 AND r.id = $2`, d.Agent, sqldb.EncodeID(d.Ask)).Scan(&d.Waits, &fold)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if ask := figs.ReadAsk(figs.Fold([][]byte{fold})); ask.Type == "sign-off" {
			d.Steps = ask.OnApprove
		}
	}
	return nil
}
