package handlers

import (
	"slices"
	"strings"
	"testing"
)

// TestLanguage holds pages to the language that the browser asks for, until the person chooses.
func TestLanguage(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	c.workspace("acme", ada)
	stranger, b := c.browser(), c.as(ada)
	in := func(got answer, status int, code string, cases ...string) {
		t.Helper()
		got.says(t, status, cases...)
		if !strings.Contains(got.body, `<html lang="`+code+`"`) {
			t.Errorf("the page does not say that it is in %s", code)
		}
	}
	in(stranger.get("/sign-in"), 200, "en", "sign-in")
	stranger.headers = map[string]string{"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}
	got := stranger.get("/sign-in")
	in(got, 200, "de", "de-sign-in")
	if !slices.Contains(got.Header.Values("Vary"), "Accept-Language") {
		t.Errorf("Vary = %q: a cache would give everybody the same language", got.Header.Values("Vary"))
	}
	stranger.post("/sign-in", "email", "ada@example.org", "password", "wrong words").says(t, 401, "de-sign-in-no-match")
	in(stranger.get("/rules/none"), 404, "de")
	stranger.get("/w/none").leads(t, "/sign-in?next=%2Fw%2Fnone")

	b.headers = map[string]string{"Accept-Language": "de"}
	in(b.get("/w/acme"), 200, "de")
	b.post("/settings/language", "language", "en").leads(t, "/settings?notice=language-saved")
	in(b.get("/settings?notice=language-saved"), 200, "en", "language-saved")
	if !strings.Contains(b.get("/settings").body, `<option value="en" selected>`) {
		t.Error("the list does not show what was chosen")
	}
	b.post("/settings/language", "language", "de").leads(t, "/settings?notice=language-saved")
	b.headers = map[string]string{"Accept-Language": "en"}
	in(b.get("/settings?notice=language-saved"), 200, "de", "de-language-saved")
	if !strings.Contains(b.get("/settings").body, `<option value="de" selected>`) {
		t.Error("the list does not show what was chosen")
	}
	in(b.get("/w/none"), 404, "de", "de-not-found")
	b.post("/settings/language", "language", "xx").says(t, 422, "de-no-such-language")
	b.post("/settings/language", "language", "").leads(t, "/settings?notice=language-saved")
	in(b.get("/settings"), 200, "en")
}

// TestProgramsReadEnglish holds what programs read to English: they look for its words.
func TestProgramsReadEnglish(t *testing.T) {
	c := newClub(t)
	b := c.browser()
	b.headers = map[string]string{"Accept-Language": "de"}
	for _, address := range []string{"/api/v1/agent/push", "/api/none"} {
		if got := b.get(address); got.StatusCode < 400 || strings.Contains(got.body, "Adresse") {
			t.Errorf("GET %s = %d %s", address, got.StatusCode, got.body)
		}
	}
}
