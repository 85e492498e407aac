package api

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// change is one address that changes something: only tokens come that far, and none of them
// decides.
type change struct {
	method, path string // below Base, with its variable parts after colons
	name         string // of the operation
	summary      string
	takes        []member // of its body; nil: it has none
	status       int      // when it is done
	fails        []int    // further statuses, beside those of every change
	reads        bool     // a token that only reads comes that far, too
	do           func(*request, fields) (any, error)
}

// created is the answer of what was made: it is written as it is, and Path is where it is.
type created struct {
	ID     string `json:"id"`
	Path   string `json:"path"`
	Status string `json:"status"`
}

func made(id, path string) created { return created{id, path, "created"} }

var changes = []change{
	{http.MethodPost, draftsAt, "createDraft", "Saves a draft for the token's owner. It appears in the form on the ask's page until they send it, and decides nothing.", []member{
		{name: "verdict", about: "For a sign-off: approved, changes-requested or rejected."},
		{name: "chosen", about: "One of the ask's options, exactly as written."},
		{name: "text", about: "The answer or the note. A draft holds 65,536 bytes; a reply, 32,768."},
	}, http.StatusCreated, []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity}, false, createDraft},
	{http.MethodDelete, draftsAt + "/:draft", "deleteDraft", "Deletes a draft, if it hasn't changed since.", nil, http.StatusNoContent, []int{http.StatusForbidden, http.StatusNotFound}, false, deleteDraft},
	{http.MethodDelete, tokensAt + "/:id", "deleteToken", "Revokes one of your tokens, including the one used for this request. A read-only token can only revoke itself.", nil, http.StatusNoContent, []int{http.StatusForbidden, http.StatusNotFound}, true, deleteToken},
	{http.MethodPost, "/feedback", "createFeedback", "Sends feedback about a tool to the people who run a workspace. It stays on this server.", []member{
		{name: "text", about: "The feedback.", most: 8 << 10, required: true},
		{name: "tool", about: "Name of the tool that sends it.", most: 200},
		{name: "version", about: "Version of the tool.", most: 200},
		{name: "context", about: "Where it happened: a command or an error message.", most: 2 << 10},
		{name: "workspace", about: "Id or slug of the workspace; optional if you are a member of only one.", most: 200},
	}, http.StatusCreated, []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict}, false, createFeedback},
}

// change makes a handler of a change.
func (a *API) change(k *change) echo.HandlerFunc {
	none := call{}
	return func(c echo.Context) error {
		if err := none.check(c.Request().URL.RawQuery); err != nil {
			return err
		}
		sent, err := readFields(c, k.takes)
		if err != nil {
			return err
		}
		answer, err := k.do(a.request(c), sent)
		if err != nil {
			return err
		}
		c.Response().Header().Set("Cache-Control", "no-store")
		if k.status == http.StatusNoContent {
			return c.NoContent(k.status)
		}
		if x, ok := answer.(created); ok {
			c.Response().Header().Set(echo.HeaderLocation, x.Path)
		}
		body, err := encode(answer)
		if err != nil {
			return err
		}
		return c.Blob(k.status, echo.MIMEApplicationJSON, body)
	}
}
