package store

import "context"

// CountNeeds returns how many asks need a person at that time in some of their workspaces. It adds up what the inboxes
// there count; over all workspaces it is the number on the icon of the installed app.
func CountNeeds(ctx context.Context, s interface {
	Inbox(ctx context.Context, q InboxQuery) (*Inbox, error)
}, person string, workspaces []Membership, at int64) (n int, err error) {
	for _, m := range workspaces {
		in, err := s.Inbox(ctx, InboxQuery{Workspace: m.Workspace.ID, Mine: person, Now: at, Slice: Slice{N: -1}})
		if err != nil {
			return 0, err
		}
		n += in.Total
	}
	return n, nil
}
