package account

import (
	"context"
	"strings"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const policyColumns = `w.tick_all, w.step_up, w.tell_level, w.hide_people`

// policyRow has the columns of a policy.
type policyRow struct{ all, stepUp, level, hide int }

func (r *policyRow) columns() []any { return []any{&r.all, &r.stepUp, &r.level, &r.hide} }

func (r *policyRow) policy() store.Policy {
	return store.Policy{TickEveryStep: r.all != 0, StepUp: r.stepUp != 0, HidePeople: r.hide != 0, Text: store.TextLevel(r.level)}
}

// SetPolicy implements store.Workspaces.
func (a Accounts) SetPolicy(ctx context.Context, act store.Act, id string, p store.Policy, proved bool) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		var r policyRow
		// Writing first locks the row, so that concurrent changes run one after the other.
		err := c.Row(ctx, `UPDATE workspaces SET seq = seq WHERE id = $1 AND deleted_at = 0 RETURNING tick_all, step_up, tell_level, hide_people`, sqldb.CleanText(id)).Scan(r.columns()...)
		if err != nil {
			return err
		}
		changed := policyDiff(r.policy(), p)
		weaker := r.policy().WeakerThan(p)
		switch {
		case changed == "":
			return nil
		case weaker && !proved:
			return store.ErrReauthRequired
		}
		if err := c.ExecOne(ctx, `UPDATE workspaces SET tick_all = $2, step_up = $3, tell_level = $4, hide_people = $5, seq = seq + 1, common_seq = seq + 1 WHERE id = $1`,
			sqldb.CleanText(id), sqldb.BoolInt(p.TickEveryStep), sqldb.BoolInt(p.StepUp), int(p.Text), sqldb.BoolInt(p.HidePeople)); err != nil {
			return err
		}
		c.SeqChanged(sqldb.CleanText(id))
		hash, err := c.AuditLink(ctx, act, id, "workspace.policy", changed)
		if err != nil || !weaker {
			return err
		}
		return NotifyMembers(ctx, c, store.Owner, store.Notification{Workspace: id, Event: store.EventPolicy, Name: "policy " + hash, At: act.At})
	})
}

// policyDiff returns the settings that differ, for the audit log: "step_up=off>on text=members>link".
func policyDiff(from, to store.Policy) string {
	var words []string
	for _, x := range []struct {
		name    string
		was, is bool
	}{{"ticks", from.TickEveryStep, to.TickEveryStep}, {"step_up", from.StepUp, to.StepUp}, {"hide_people", from.HidePeople, to.HidePeople}} {
		switch {
		case x.was == x.is:
		case x.is:
			words = append(words, x.name+"=off>on")
		default:
			words = append(words, x.name+"=on>off")
		}
	}
	if from.Text != to.Text {
		words = append(words, "text="+from.Text.String()+">"+to.Text.String())
	}
	return strings.Join(words, " ")
}
