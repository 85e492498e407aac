package api

import (
	"net/http"
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
	return object{
		"openapi": "3.1.0",
		"info": object{"title": "figs-web", "version": version.Version, "summary": "What a workspace's agents did and need, as its pages show it.",
			"description": "Reading only. HEAD is answered wherever GET is. Keys are parts of addresses: an id as it is where it is plain, else ~ and its base64url. " +
				"A record is the JSON object that the agent wrote, unknown fields too; what this server derived stands beside it. " +
				"Every answer has an ETag; send it back as If-None-Match. What does not exist and what belongs to others is the same 404."},
		"servers":  []any{object{"url": public + Base}},
		"security": []any{object{"token": []any{}}, object{"header": []any{}}, object{"session": []any{}}},
		"paths":    paths,
		"components": object{
			"schemas": schemas,
			"securitySchemes": object{
				"token":   object{"type": "http", "scheme": "bearer", "description": "A token from Settings."},
				"header":  object{"type": "apiKey", "in": "header", "name": "x-figs-token", "description": "The same token, as older clients send it."},
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
	"id":        "The key of what is asked for.",
}

func (k *call) operation() object {
	takes := []any{}
	for _, part := range strings.Split(k.path, "/") {
		if name, ok := strings.CutPrefix(part, ":"); ok {
			takes = append(takes, object{"name": name, "in": "path", "required": true, "description": pathWords[name], "schema": object{"type": "string"}})
		}
	}
	for i := range k.takes {
		takes = append(takes, k.takes[i].describe())
	}
	failed := func(about string) object {
		return object{"description": about, "content": object{"application/json": object{"schema": ref("Error")}}}
	}
	responses := object{
		"200": object{"description": "What was asked for.", "content": object{"application/json": object{"schema": ref(k.gives)}},
			"headers": object{"ETag": object{"description": "Changes with the answer.", "schema": object{"type": "string"}}}},
		"304": object{"description": "The answer that you hold is still true."},
		"400": failed("The query has a key or a value that this address does not take."),
		"401": failed("Nobody said who asks, or with a token that is not known."),
	}
	if k.inWorkspace() {
		responses["404"] = failed("There is no such thing, or not for you.")
	}
	return object{"operationId": k.name, "summary": k.summary, "parameters": takes, "responses": responses}
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
