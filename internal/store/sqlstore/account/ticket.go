package account

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const ticketColumns = `hash, kind, person, data, expires_at`

const insertTicket = `INSERT INTO tickets (` + ticketColumns + `) VALUES ($1, $2, $3, $4, $5)`

func scanTicket(r sqldb.Scanner, t *store.Ticket) error {
	return r.Scan(&t.Hash, &t.Kind, &t.Person, &t.Data, &t.Expires)
}

// AddTicket implements store.Tickets.
func (a Accounts) AddTicket(ctx context.Context, t store.Ticket) error {
	if t.Data == nil {
		t.Data = []byte{}
	}
	return a.Update(ctx, func(c *sqldb.Tx) error {
		return c.Later(ctx, insertTicket, sqldb.CleanText(t.Hash), sqldb.CleanText(t.Kind), sqldb.CleanText(t.Person), t.Data, t.Expires)
	})
}

// Ticket implements store.Tickets.
func (a Accounts) Ticket(ctx context.Context, hash, kind string, at int64) (t store.Ticket, err error) {
	return t, scanTicket(a.Row(ctx, `SELECT `+ticketColumns+` FROM tickets WHERE hash = $1 AND kind = $2 AND expires_at > $3`, sqldb.CleanText(hash), sqldb.CleanText(kind), at), &t)
}

// UseTicket implements store.Tickets. Of concurrent calls, the one that deletes the row succeeds.
func (a Accounts) UseTicket(ctx context.Context, hash, kind string, at int64) (t store.Ticket, err error) {
	err = a.Update(ctx, func(c *sqldb.Tx) error {
		t, err = useTicket(ctx, c, hash, kind, at)
		return err
	})
	return t, err
}

func useTicket(ctx context.Context, c *sqldb.Tx, hash, kind string, at int64) (t store.Ticket, err error) {
	return t, scanTicket(c.Row(ctx, `DELETE FROM tickets WHERE hash = $1 AND kind = $2 AND expires_at > $3 RETURNING `+ticketColumns, sqldb.CleanText(hash), sqldb.CleanText(kind), at), &t)
}

// OfferReset implements store.Resets.
func (a Accounts) OfferReset(ctx context.Context, act store.Act, t store.Ticket, r store.Reset) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := lockUser(ctx, c, t.Person); err != nil {
			return err
		}
		gone := []string{`DELETE FROM tickets WHERE person = $1 AND kind = '` + store.ResetKind + `'`}
		if r.Passkeys {
			gone = append(gone, `DELETE FROM passkeys WHERE person = $1`, `DELETE FROM recovery_codes WHERE person = $1`)
		}
		if r.Sessions {
			gone = append(gone, `DELETE FROM sessions WHERE person = $1`)
		}
		for _, query := range gone {
			if _, err := c.Exec(ctx, query, sqldb.CleanText(t.Person)); err != nil {
				return err
			}
		}
		if _, err := c.Exec(ctx, insertTicket, sqldb.CleanText(t.Hash), store.ResetKind, sqldb.CleanText(t.Person), []byte{}, t.Expires); err != nil {
			return err
		}
		return c.Audit(ctx, act, "", "user.reset", t.Person)
	})
}

// UseReset implements store.Resets.
func (a Accounts) UseReset(ctx context.Context, act store.Act, hash, password string) (u store.User, err error) {
	err = a.Update(ctx, func(c *sqldb.Tx) error {
		t, err := useTicket(ctx, c, hash, store.ResetKind, act.At)
		if err != nil {
			return err
		}
		act.By = t.Person
		if err := setPassword(ctx, c, act, t.Person, password); err != nil {
			return err
		}
		return scanUser(c.Row(ctx, `SELECT `+userColumns+` FROM users WHERE id = $1`, t.Person), &u)
	})
	return u, err
}
