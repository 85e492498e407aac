package sqlstore

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/account"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const chatColumns = `h.id, h.workspace, h.service, h.name, h.url, h.room, h.token, h.created_by, h.created_at, h.failing_since`

func scanChatChannel(r sqldb.Scanner, c *store.ChatChannel) error {
	return r.Scan(&c.ID, &c.Workspace, &c.Service, &c.Name, &c.URL, &c.Room, &c.Token, &c.By, &c.Created, &c.Failing)
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
		if _, err := c.Exec(ctx, `INSERT INTO chat_channels (id, workspace, service, name, url, room, token, created_by, created_at, failing_since) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0)`,
			h.ID, sqldb.CleanText(h.Workspace), sqldb.CleanText(h.Service), sqldb.CleanText(h.Name), sqldb.CleanText(h.URL), sqldb.CleanText(h.Room), sqldb.CleanText(h.Token), sqldb.CleanText(h.By), h.Created); err != nil {
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
		if err := c.ExecOne(ctx, `UPDATE notify_outbox SET state = 'waiting', tries = 0, next_at = $3, lease = '', leased_to = 0, ended_at = 0, replayed = 1
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

// planChannels reads a workspace's channels, without their secrets.
func (s *Store) planChannels(ctx context.Context, workspace string) ([]store.ChatChannel, error) {
	rows, err := s.Rows(ctx, `SELECT h.id, h.created_at FROM chat_channels h WHERE h.workspace = $1 ORDER BY h.created_at, h.id`, workspace)
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, h *store.ChatChannel) error { return r.Scan(&h.ID, &h.Created) })
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

// readChat reads the channel of a due notification, and what only chat says of an ask.
func (c *storeTx) readChat(ctx context.Context, d *store.DueNotification) error {
	err := scanChatChannel(c.Row(ctx, `SELECT `+chatColumns+` FROM chat_channels h WHERE h.id = $1`, d.Destination), &d.Chat)
	if errors.Is(err, store.ErrNotFound) {
		return nil // the channel was removed; d is Over
	}
	if err != nil {
		return err
	}
	d.To, d.Waits = store.Destination{ID: d.Chat.ID, Kind: store.DestinationChat, Name: d.Chat.Name, Digest: store.NoDigest, Failing: d.Chat.Failing}, figs.NoTime
	if !d.IncludeText || d.Ask == "" {
		return nil
	}
	var fold []byte
	err = c.Row(ctx, `SELECT r.since, r.fold FROM records r WHERE r.agent = $1 AND r.kind = 1 AND r.id = $2`, d.Agent, sqldb.EncodeID(d.Ask)).Scan(&d.Waits, &fold)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if ask := figs.ReadAsk(figs.Fold([][]byte{fold})); err == nil && ask.Type == "sign-off" {
		d.Steps = ask.OnApprove
	}
	return err
}
