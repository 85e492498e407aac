package api

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/internal/version"
)

// sendDocument sends the description of the API. It holds nothing of anybody, so that anybody
// may read it.
func (a *API) sendDocument(c echo.Context) error {
	tag := tagOf(string(a.document))
	h := c.Response().Header()
	h.Set("Cache-Control", "public, no-cache")
	h.Set("ETag", tag)
	if unchanged(c.Request(), tag) {
		return c.NoContent(http.StatusNotModified)
	}
	return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, a.document)
}

// object is a JSON object of the description.
type object = map[string]any

// describe writes the OpenAPI document: an operation for each call, with what it takes and the
// schema of what it gives. public is the origin of the server, cookie the name of the session's.
func describe(public, cookie string) object {
	paths := object{"/openapi.json": object{"get": object{
		"operationId": "showDescription", "summary": "This document.", "security": []any{},
		"responses": object{"200": object{"description": "An OpenAPI document.", "content": object{"application/json": object{"schema": object{"type": "object"}}}}},
	}}}
	for i := range calls {
		paths[bracketed(calls[i].path)] = object{"get": calls[i].operation()}
	}
	for i := range changes {
		at, method := bracketed(changes[i].path), strings.ToLower(changes[i].method)
		if paths[at] == nil {
			paths[at] = object{}
		}
		paths[at].(object)[method] = changes[i].operation()
	}
	return object{
		"openapi": "3.1.0",
		"info": object{"title": "figs-web", "version": version.Version, "summary": "What a workspace's agents did and need.",
			"description": "Decisions can't be made with this API: a token can save drafts for its owner, but not send them. HEAD works wherever GET does. Keys are parts of URLs: the id itself where it is plain, otherwise ~ and its base64url. " +
				"A record is the JSON object that the agent wrote, including unknown fields; what this server derived is beside it. " +
				"Every response to GET has an ETag; send it back as If-None-Match. Requests that change something need a token, not a session; their bodies are JSON objects of strings. What doesn't exist and what you may not see both return 404."},
		"servers":  []any{object{"url": public + Base}},
		"security": []any{object{"token": []any{}}, object{"header": []any{}}, object{"session": []any{}}},
		"paths":    paths,
		"components": object{
			"schemas": schemas,
			"securitySchemes": object{
				"token":   object{"type": "http", "scheme": "bearer", "description": "A token from Settings. It begins with figs_, so that scanners find it: figs_[a-z2-7]{26}."},
				"header":  object{"type": "apiKey", "in": "header", "name": "x-figs-token", "description": "The same token, in the header that older clients use."},
				"session": object{"type": "apiKey", "in": "cookie", "name": cookie, "description": "The session of a signed-in browser."},
			},
		},
	}
}

// bracketed is a path with its variable parts as OpenAPI writes them.
func bracketed(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if name, ok := strings.CutPrefix(part, ":"); ok {
			parts[i] = "{" + name + "}"
		}
	}
	return strings.Join(parts, "/")
}

// pathWords explain the variable parts of addresses.
var pathWords = map[string]string{
	"workspace": "The workspace's id or slug.",
	"agent":     "The agent's key.",
	"id":        "The key of the item.",
	"draft":     "The key of the draft, which changes whenever the draft does.",
}

// pathParameters describe the variable parts of an address.
func pathParameters(path string) []any {
	parameters := []any{}
	for _, part := range strings.Split(path, "/") {
		if name, ok := strings.CutPrefix(part, ":"); ok {
			parameters = append(parameters, object{"name": name, "in": "path", "required": true, "description": pathWords[name], "schema": object{"type": "string"}})
		}
	}
	return parameters
}

// asJSON is the content of an answer or a body of that schema.
func asJSON(schema object) object { return object{"application/json": object{"schema": schema}} }

func failed(about string) object {
	return object{"description": about, "content": asJSON(ref("Error"))}
}

func (k *call) operation() object {
	takes := pathParameters(k.path)
	for i := range k.takes {
		takes = append(takes, k.takes[i].describe())
	}
	content := object{"application/octet-stream": object{}}
	if k.gives != "" {
		content = asJSON(ref(k.gives))
	}
	responses := object{
		"200": object{"description": "The requested data.", "content": content,
			"headers": object{"ETag": object{"description": "Changes with the answer.", "schema": object{"type": "string"}}}},
		"304": object{"description": "Your copy is still current."},
		"400": failed("The query has a parameter or a value that this endpoint doesn't accept."),
		"401": failed(failures[http.StatusUnauthorized]),
		"429": failed("Too many requests with unknown tokens came from your IP address. Retry-After says when to try again."),
		"503": failed(failures[http.StatusServiceUnavailable]),
	}
	if inside(k.path) || strings.Contains(k.path, ":") {
		responses["404"] = failed("Not found, or you have no access.")
	}
	if slices.ContainsFunc(k.takes, func(p param) bool { return p.moment }) {
		responses["422"] = failed("The agent is too large for ?at=.")
	}
	return object{"operationId": k.name, "summary": k.summary, "parameters": takes, "responses": responses}
}

// failures are what statuses of changes say.
var failures = map[int]string{
	http.StatusBadRequest: "The query or the body has something that this endpoint doesn't accept.", http.StatusUnauthorized: "No valid token or session: it is missing, unknown, revoked or expired.",
	http.StatusForbidden: "The token can only read, or its owner has no permission for this.", http.StatusNotFound: "Not found, or you have no access.", http.StatusConflict: "The current state doesn't allow it.",
	http.StatusRequestEntityTooLarge: "The body is too large.", http.StatusUnsupportedMediaType: "The body isn't JSON.", http.StatusUnprocessableEntity: "The ask doesn't accept this reply.",
	http.StatusTooManyRequests:     "Too many requests with unknown tokens came from your IP address, or a daily limit is reached. Retry-After says when to try again.",
	http.StatusServiceUnavailable:  "The database or the attachment storage isn't responding. Retry-After says when to try again.",
	http.StatusInsufficientStorage: "The server is out of disk space, and nothing was stored. Retry-After says when to try again.",
}

func (k *change) operation() object {
	responses := object{strconv.Itoa(k.status): object{"description": "Done."}}
	for _, status := range append([]int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusInsufficientStorage}, k.fails...) {
		responses[strconv.Itoa(status)] = failed(failures[status])
	}
	o := object{"operationId": k.name, "summary": k.summary, "parameters": pathParameters(k.path), "responses": responses,
		"security": []any{object{"token": []any{}}, object{"header": []any{}}}}
	if k.takes == nil {
		return o
	}
	responses[strconv.Itoa(k.status)] = object{"description": "It is there.", "content": asJSON(ref("Created"))}
	for _, status := range []int{http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType} {
		responses[strconv.Itoa(status)] = failed(failures[status])
	}
	all := make([]field, len(k.takes))
	for i := range k.takes {
		all[i] = field{k.takes[i].name, text(k.takes[i].words()), !k.takes[i].required}
	}
	o["requestBody"] = object{"required": true, "content": asJSON(shape(k.summary, all...))}
	return o
}

// words say what a field is, and how long it may be.
func (m *member) words() string {
	if m.most == 0 {
		return m.about
	}
	return m.about + " At most " + strconv.Itoa(m.most) + " bytes."
}

func (p *param) describe() object {
	s := object{"type": "string"}
	switch {
	case p.number:
		s = object{"type": "integer", "minimum": 0, "maximum": p.most}
	case p.words != nil:
		s["enum"] = p.words
	}
	return object{"name": p.name, "in": "query", "required": p.required, "description": p.about, "schema": s}
}
