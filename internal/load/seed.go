//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/load/seed"
	"github.com/figs-web/figs-web/internal/store"
)

// seedPassword is the owner's in a folder that -seed makes.
const seedPassword = "correct horse battery staple"

// seedFolder makes a data folder that figs-web serve opens, and says how to sign in.
func (l *load) seedFolder(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		return errors.Join(err, fmt.Errorf("%s isn't empty", dir))
	}
	password, err := accounts.HashPassword(ctx, seedPassword)
	if err != nil {
		return err
	}
	w, err := l.seed(ctx, place{dir: dir}, password)
	if err != nil {
		return err
	}
	fmt.Printf("figs-web serve --addr 127.0.0.1:4000 --data %s\nhttp://127.0.0.1:4000/w/%s\nemail: %s\npassword: %s\ncookie of the owner: figs-web-4000=%s (the name ends with the port)\ntoken of the owner: %s\nthe large agent: /w/%s/agents/%s\n",
		dir, seed.Slug, w.People[0].Email, seedPassword, seed.SessionOf(0), seed.TokenOf(0), seed.Slug, seed.AgentID(0))
	return nil
}

// seed fills a place.
func (l *load) seed(ctx context.Context, at place, password string) (w *seed.World, err error) {
	blobs, err := blob.OpenFolder(filepath.Join(at.dir, "blobs"))
	if err != nil {
		return nil, err
	}
	defer blobs.Close()
	began := time.Now()
	err = at.fill(ctx, func(s store.Store) error {
		w, err = seed.Fill(ctx, s, blobs, l.size, began, password, func(agents int) {
			if agents == 1 || agents%100 == 0 {
				say("%d of %d agents are there after %.0f s", agents, l.size.Agents, time.Since(began).Seconds())
			}
		})
		return err
	})
	say("%d agents, %d asks, %d jobs and %d people are there after %.0f s", l.size.Agents, l.size.Asks, l.size.Jobs, l.size.People, time.Since(began).Seconds())
	return w, err
}
