package client

import (
	"context"
	"net/http"
	"time"
)

// Device is a login that waits for a person.
type Device struct {
	DeviceCode              string `json:"device_code"`
	UserCode                string `json:"user_code"`
	VerificationURI         string `json:"verification_uri"`
	VerificationURIComplete string `json:"verification_uri_complete"`
	ExpiresIn               int    `json:"expires_in"` // seconds
	Interval                int    `json:"interval"`
}

// Login asks to be let in, shows the person where, and waits. It returns the token.
func (c *Client) Login(ctx context.Context, show func(Device)) (string, error) {
	var d Device
	if err := c.ask(ctx, http.MethodPost, "/api/device/start", nil, &d); err != nil {
		return "", err
	}
	show(d)
	for waited := 0; waited < d.ExpiresIn; waited += max(d.Interval, 1) {
		if err := c.o.Sleep(ctx, time.Duration(d.Interval)*time.Second); err != nil {
			return "", err
		}
		token, status, err := c.Poll(ctx, d.DeviceCode)
		switch {
		case err != nil: // clients go on
		case status == "approved" && token != "":
			return token, nil
		case status == "denied", status == "expired", status == "already_claimed", status == "not_found":
			return "", invalidInput("the login is %s", status)
		}
	}
	return "", invalidInput("timed out waiting for approval")
}

// Poll asks once where a login stands.
func (c *Client) Poll(ctx context.Context, code string) (token, status string, err error) {
	var got struct{ Status, Token string }
	err = c.ask(ctx, http.MethodPost, "/api/device/poll", map[string]string{"device_code": code}, &got)
	return got.Token, got.Status, err
}

// Workspace is one that the token's owner may see.
type Workspace struct{ ID, Slug, Name, Role string }

// Account is a token's owner.
type Account struct{ ID, Email, Name string }

// Workspaces lists them.
func (c *Client) Workspaces(ctx context.Context) ([]Workspace, Account, error) {
	var got struct {
		Workspaces []Workspace
		User       Account
	}
	err := c.ask(ctx, http.MethodGet, "/api/workspaces", nil, &got)
	return got.Workspaces, got.User, err
}

// Link finds the workspace that a slug or id names; "" is the only one.
func (c *Client) Link(ctx context.Context, name string) (Workspace, error) {
	list, _, err := c.Workspaces(ctx)
	if err != nil {
		return Workspace{}, err
	}
	if name == "" && len(list) == 1 {
		return list[0], nil
	}
	for _, w := range list {
		if name != "" && (w.ID == name || w.Slug == name) {
			return w, nil
		}
	}
	return Workspace{}, invalidInput("no workspace matches %q among %d", name, len(list))
}
