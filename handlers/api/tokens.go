package api

import (
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/recordjson"
	"github.com/figs-web/figs-web/internal/store"
)

// token is one of who asks, without what only its holder knows.
type token struct {
	Key     string      `json:"key"`
	ID      string      `json:"id"`
	Name    string      `json:"name"`
	Created *string     `json:"created"`
	Used    *string     `json:"used"`
	Address *string     `json:"address"`
	Scope   store.Scope `json:"scope"`
	Expires *string     `json:"expires"`
	Current bool        `json:"current"`
}

func (r *request) tokenOf(t *store.Token) token {
	return token{Key: journal.Segment(t.ID), ID: t.ID, Name: t.Name, Created: recordjson.Time(t.Created), Used: recordjson.Time(t.Used), Address: recordjson.Text(t.Address), Scope: t.Scope, Expires: recordjson.Time(t.Expires), Current: t.ID == r.visitor.Token}
}

// goodTokens are those of who asks that are not revoked and have not come to their end.
func (r *request) goodTokens() (good []store.Token, err error) {
	now := r.Auth.Now().UnixMicro()
	all, err := r.Auth.Source.ListTokens(r.c.Request().Context(), r.visitor.User.ID)
	for i := range all {
		if all[i].Revoked == 0 && (all[i].Expires == 0 || all[i].Expires > now) {
			good = append(good, all[i])
		}
	}
	return good, err
}

func listTokens(r *request) (any, error) {
	good, err := r.goodTokens()
	if err != nil {
		return nil, err
	}
	return list[token]{Items: recordjson.Each(good, r.tokenOf), Total: len(good)}, nil
}

func showToken(r *request) (any, error) {
	key, err := r.key("id")
	if err != nil {
		return nil, err
	}
	good, err := r.goodTokens()
	if err != nil {
		return nil, err
	}
	for i := range good {
		if journal.Segment(good[i].ID) == key {
			return r.tokenOf(&good[i]), nil
		}
	}
	return nil, store.ErrNotFound
}

// deleteToken revokes a token of who asks, also the one that they ask with.
func deleteToken(r *request, _ fields) (any, error) {
	key, err := r.key("id")
	if err != nil {
		return nil, err
	}
	id, _ := journal.ParseSegment(key)
	if id != r.visitor.Token {
		if err := r.visitor.MayWrite(r.another()); err != nil {
			return nil, err
		}
	}
	return nil, r.Auth.Source.RevokeToken(r.c.Request().Context(), r.act(), r.visitor.User.ID, id)
}
