package config

import "testing"

func TestRedact(t *testing.T) {
	for address, want := range map[string]string{
		"": "", "figs.db": "figs.db", "/srv/blobs": "/srv/blobs",
		"postgres://figs@db/figs?sslmode=verify-full":             "postgres://figs@db/figs?sslmode=verify-full",
		"postgres://figs:hush@db/figs":                            "postgres://figs:xxxxx@db/figs",
		"postgres://db/figs?user=figs&password=hush&sslmode=off":  "postgres://db/figs?user=figs&password=xxxxx&sslmode=off",
		"postgres://db/figs?sslpassword=hush&options=-c%20x=hush": "postgres://db/figs?sslpassword=xxxxx&options=xxxxx",
		"postgres://figs@db/figs#hush":                            "postgres://figs@db/figs",
		"postgres://figs:hu/sh@db/figs":                           Masked,
		"postgres://figs:%hush@db/figs":                           Masked,
		"host=db password=hush":                                   Masked,
		"figs:hush@db":                                            Masked,
		"s3://figs?endpoint=https://s3.example.com&region=eu-1":   "s3://figs?endpoint=https://s3.example.com&region=eu-1",
		"s3://KEY:hush@figs":                                      "s3://xxxxx@figs",
		"s3://KEY@figs?secret=hush":                               "s3://xxxxx@figs?secret=xxxxx",
	} {
		if got := Redact(address); got != want {
			t.Errorf("Redact(%q) = %q, want %q", address, got, want)
		}
	}
}

func TestHush(t *testing.T) {
	for text, want := range map[string]string{
		"nothing to hide": "nothing to hide",
		"unexpected argument postgres://a:b@h/d here": "unexpected argument postgres://a:xxxxx@h/d here",
		`parse "postgres://a:b/c@d@h/d": bad`:         `parse "postgres://a:xxxxx@h/d": bad`,
		"http://127.0.0.1:8080/ and a@b":              "http://127.0.0.1:8080/ and a@b",
		"two: x://a:b@c, y://d:e@f":                   "two: x://a:xxxxx@c, y://d:xxxxx@f",
	} {
		if got := Hush(text); got != want {
			t.Errorf("Hush(%q) = %q, want %q", text, got, want)
		}
	}
}
