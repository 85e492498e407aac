package account

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const deviceColumns = `hash, user_code, status, person, agent, address, created_at, expires_at, polled_at, token_name, token_expires_at`

func scanDevice(r sqldb.Scanner, d *store.Device) error {
	return r.Scan(&d.Hash, &d.UserCode, (*string)(&d.Status), &d.User, &d.Agent, &d.Address, &d.Created, &d.Expires, &d.Polled, &d.Grant.Name, &d.Grant.Expires)
}

// AddDevice implements store.Devices.
func (a Accounts) AddDevice(ctx context.Context, d store.Device) error {
	err := a.Update(ctx, func(c *sqldb.Tx) error {
		_, err := c.Exec(ctx, `INSERT INTO devices (`+deviceColumns+`) VALUES ($1, $2, $3, '', $4, $5, $6, $7, 0, '', 0)`,
			d.Hash, sqldb.CleanText(d.UserCode), string(store.DevicePending), sqldb.CleanText(sqldb.CutText(d.Agent, 300)), sqldb.CleanText(sqldb.CutText(d.Address, 100)), d.Created, d.Expires)
		return err
	})
	if a.IsUniqueViolation(err) {
		return &store.TakenError{What: "device code", Name: d.UserCode}
	}
	return err
}

// DeviceByUserCode implements store.Devices.
func (a Accounts) DeviceByUserCode(ctx context.Context, code string, at int64) (d store.Device, err error) {
	return d, scanDevice(a.Row(ctx, `SELECT `+deviceColumns+` FROM devices WHERE user_code = $1 AND expires_at > $2`, sqldb.CleanText(code), at), &d)
}

// DecideDevice implements store.Devices.
func (a Accounts) DecideDevice(ctx context.Context, act store.Act, userCode string, grant *store.TokenGrant) error {
	status := store.DeviceApproved
	if grant == nil {
		status, grant = store.DeviceDenied, &store.TokenGrant{}
	}
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := c.ExecOne(ctx, `UPDATE devices SET status = $2, person = $3, token_name = $5, token_expires_at = $6 WHERE user_code = $1 AND status = 'pending' AND expires_at > $4`,
			sqldb.CleanText(userCode), string(status), act.By, act.At, sqldb.CleanText(grant.Name), grant.Expires); err != nil {
			return err
		}
		return c.Audit(ctx, act, "", "device."+string(status), userCode)
	})
}

// PollDevice implements store.Devices.
func (a Accounts) PollDevice(ctx context.Context, hash string, t store.Token, at int64) (status store.DeviceStatus, before int64, err error) {
	err = a.Update(ctx, func(c *sqldb.Tx) error {
		var d store.Device
		// Writing first locks the row, so that concurrent polls run one after the other.
		err := scanDevice(c.Row(ctx, `UPDATE devices SET hash = hash WHERE hash = $1 RETURNING `+deviceColumns, sqldb.CleanText(hash)), &d)
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
			if err := addToken(ctx, c, store.Act{By: d.User, At: at}, t); err != nil {
				return err
			}
		}
		_, err = c.Exec(ctx, `UPDATE devices SET status = $2, polled_at = $3 WHERE hash = $1`, d.Hash, string(after), at)
		return err
	})
	return status, before, err
}
