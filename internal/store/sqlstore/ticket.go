package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
)

const ticketColumns = `hash, kind, person, data, expires_at`

const insertTicket = `INSERT INTO tickets (` + ticketColumns + `) VALUES ($1, $2, $3, $4, $5)`

func scanTicket(r scanner, t *store.Ticket) error {
	return r.Scan(&t.Hash, &t.Kind, &t.Person, &t.Data, &t.Expires)
}

// AddTicket implements store.Tickets.
func (s *Store) AddTicket(ctx context.Context, t store.Ticket) error {
	if t.Data == nil {
		t.Data = []byte{}
	}
	return s.change(ctx, func(c *change) error {
		return c.later(ctx, insertTicket, clean(t.Hash), clean(t.Kind), clean(t.Person), t.Data, t.Expires)
	})
}

// Ticket implements store.Tickets.
func (s *Store) Ticket(ctx context.Context, hash, kind string, at int64) (t store.Ticket, err error) {
	return t, scanTicket(s.row(ctx, `SELECT `+ticketColumns+` FROM tickets WHERE hash = $1 AND kind = $2 AND expires_at > $3`, clean(hash), clean(kind), at), &t)
}

// UseTicket implements store.Tickets. Whoever takes its row away is the one who uses it.
func (s *Store) UseTicket(ctx context.Context, hash, kind string, at int64) (t store.Ticket, err error) {
	err = s.change(ctx, func(c *change) error {
		t, err = c.useTicket(ctx, hash, kind, at)
		return err
	})
	return t, err
}

func (c *change) useTicket(ctx context.Context, hash, kind string, at int64) (t store.Ticket, err error) {
	return t, scanTicket(c.row(ctx, `DELETE FROM tickets WHERE hash = $1 AND kind = $2 AND expires_at > $3 RETURNING `+ticketColumns, clean(hash), clean(kind), at), &t)
}

// OfferReset implements store.Resets.
func (s *Store) OfferReset(ctx context.Context, act store.Act, t store.Ticket, r store.Reset) error {
	return s.change(ctx, func(c *change) error {
		if err := c.lockPerson(ctx, t.Person); err != nil {
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
			if _, err := c.do(ctx, query, clean(t.Person)); err != nil {
				return err
			}
		}
		if _, err := c.do(ctx, insertTicket, clean(t.Hash), store.ResetKind, clean(t.Person), []byte{}, t.Expires); err != nil {
			return err
		}
		return c.audit(ctx, act, "", "user.reset", t.Person)
	})
}

// UseReset implements store.Resets.
func (s *Store) UseReset(ctx context.Context, act store.Act, hash, password string) (u store.User, err error) {
	err = s.change(ctx, func(c *change) error {
		t, err := c.useTicket(ctx, hash, store.ResetKind, act.At)
		if err != nil {
			return err
		}
		act.By = t.Person
		if err := c.setPassword(ctx, act, t.Person, password); err != nil {
			return err
		}
		return scanUser(c.row(ctx, `SELECT `+userColumns+` FROM users WHERE id = $1`, t.Person), &u)
	})
	return u, err
}
