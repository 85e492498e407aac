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
	{http.MethodPost, draftsAt, "createDraft", "Keeps a draft for the person whose token it is: it stands in the form of the ask's page until they send it, and decides nothing.", []member{
		{name: "verdict", about: "Of a sign-off: approved, changes-requested or rejected."},
		{name: "chosen", about: "One of the ask's options, letter by letter."},
		{name: "text", about: "The answer or the note. A draft holds 65,536 bytes; a reply, 32,768."},
	}, http.StatusCreated, []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity}, false, createDraft},
	{http.MethodDelete, draftsAt + "/:draft", "deleteDraft", "Forgets a draft, if it is still the one of that key.", nil, http.StatusNoContent, []int{http.StatusForbidden, http.StatusNotFound}, false, deleteDraft},
	{http.MethodDelete, tokensAt + "/:id", "deleteToken", "Revokes a token of yours, also the one that you ask with. One that only reads revokes itself alone.", nil, http.StatusNoContent, []int{http.StatusForbidden, http.StatusNotFound}, true, deleteToken},
	{http.MethodPost, "/feedback", "createFeedback", "Tells those who run a workspace what you think of a tool. It stays on this server.", []member{
		{name: "text", about: "What there is to say.", most: 8 << 10, required: true},
		{name: "tool", about: "What sent it.", most: 200},
		{name: "version", about: "Of that.", most: 200},
		{name: "context", about: "Where it happened: a command, a sentence that was printed.", most: 2 << 10},
		{name: "workspace", about: "Whose it is for, by its id or slug; it may be missing when you belong to one alone.", most: 200},
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
