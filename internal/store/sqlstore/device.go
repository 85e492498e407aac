package sqlstore

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/internal/store"
)

const deviceColumns = `hash, user_code, status, person, agent, address, created_at, expires_at, polled_at, token_name, token_expires_at`

func scanDevice(r scanner, d *store.Device) error {
	return r.Scan(&d.Hash, &d.UserCode, (*string)(&d.Status), &d.User, &d.Agent, &d.Address, &d.Created, &d.Expires, &d.Polled, &d.Grant.Name, &d.Grant.Expires)
}

// AddDevice implements store.Devices.
func (s *Store) AddDevice(ctx context.Context, d store.Device) error {
	err := s.change(ctx, func(c *change) error {
		_, err := c.do(ctx, `INSERT INTO devices (`+deviceColumns+`) VALUES ($1, $2, $3, '', $4, $5, $6, $7, 0, '', 0)`,
			d.Hash, clean(d.UserCode), string(store.DevicePending), clean(cut(d.Agent, 300)), clean(cut(d.Address, 100)), d.Created, d.Expires)
		return err
	})
	if s.taken(err) {
		return &store.Taken{What: "device code", Name: d.UserCode}
	}
	return err
}

// DeviceByUserCode implements store.Devices.
func (s *Store) DeviceByUserCode(ctx context.Context, code string, at int64) (d store.Device, err error) {
	return d, scanDevice(s.row(ctx, `SELECT `+deviceColumns+` FROM devices WHERE user_code = $1 AND expires_at > $2`, clean(code), at), &d)
}

// DecideDevice implements store.Devices.
func (s *Store) DecideDevice(ctx context.Context, act store.Act, userCode string, grant *store.Grant) error {
	status := store.DeviceApproved
	if grant == nil {
		status, grant = store.DeviceDenied, &store.Grant{}
	}
	return s.change(ctx, func(c *change) error {
		if err := c.one(ctx, `UPDATE devices SET status = $2, person = $3, token_name = $5, token_expires_at = $6 WHERE user_code = $1 AND status = 'pending' AND expires_at > $4`,
			clean(userCode), string(status), act.By, act.At, clean(grant.Name), grant.Expires); err != nil {
			return err
		}
		return c.audit(ctx, act, "", "device."+string(status), userCode)
	})
}

// PollDevice implements store.Devices.
func (s *Store) PollDevice(ctx context.Context, hash string, t store.Token, at int64) (status store.DeviceStatus, before int64, err error) {
	err = s.change(ctx, func(c *change) error {
		var d store.Device
		// Writing first locks the row, so that of two polls at once one comes after the other.
		err := scanDevice(c.row(ctx, `UPDATE devices SET hash = hash WHERE hash = $1 RETURNING `+deviceColumns, clean(hash)), &d)
		if errors.Is(err, store.ErrNotFound) {
			status = store.DeviceUnknown
			return nil
		}
		if err != nil {
			return err
		}
		status, before = d.Status, d.Polled
		if d.Expires <= at && (status == store.DevicePending || status == store.DeviceApproved) {
			status = store.DeviceExpired
		}
		after := status
		if status == store.DeviceApproved {
			after = store.DeviceClaimed
			t.User, t.Expires = d.User, d.Grant.Expires
			if d.Grant.Name != "" {
				t.Name = d.Grant.Name
			}
			if err := c.addToken(ctx, store.Act{By: d.User, At: at}, t); err != nil {
				return err
			}
		}
		_, err = c.do(ctx, `UPDATE devices SET status = $2, polled_at = $3 WHERE hash = $1`, d.Hash, string(after), at)
		return err
	})
	return status, before, err
}
