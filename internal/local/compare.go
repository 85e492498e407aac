package local

import (
	"context"
	"encoding/json"
	"io"
	"net/url"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs/folder"
)

// mostCompared is how much of attachments is read to tell those of two folders apart, in bytes of both.
const mostCompared = 512 << 20

// readAlike tells the engine, for a page that compares two of the folders, which attachments that are as large in both have
// other bytes, and which could not be read.
func (l *Folders) readAlike(ctx context.Context, page string) error {
	path, query, _ := strings.Cut(page, "?")
	segments := strings.Split(strings.Trim(path, "/"), "/")
	if len(segments) != 2 || segments[1] != "compare" {
		return nil
	}
	values, err := url.ParseQuery(query)
	key, other := strings.CutPrefix(values.Get("with"), "agent-")
	if err != nil || !other {
		return nil // the page says what it makes of it
	}
	is, was := numberOf(segments[0]), numberOf(key)
	names, err := l.alike(ctx, is, was)
	if err != nil {
		return err
	}
	differ, unread, left := []string{}, []string{}, int64(mostCompared)
	for _, name := range names {
		same, err := l.sameBytes(ctx, place{agent: was, name: name}, place{agent: is, name: name}, &left)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			unread = append(unread, name)
		case !same:
			differ = append(differ, name)
		}
	}
	request, err := json.Marshal(struct {
		Op     string   `json:"op"`
		Agent  int      `json:"agent"`
		With   int      `json:"with"`
		Files  []string `json:"files"`
		Unread []string `json:"unread"`
	}{"differingFiles", is, was, differ, unread})
	if err != nil {
		return err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.engine.Call(request)
	return nil
}

// alike lists the attachments that two agents have under the same name and of the same size.
func (l *Folders) alike(ctx context.Context, is, was int) (names []string, err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if err := l.refresh(ctx); err != nil {
		return nil, err
	}
	if is == was || min(is, was) < 0 || max(is, was) >= len(l.agents) {
		return nil, nil
	}
	b := l.engine.Call([]byte(`{"op":"sameSizeFiles","agent":` + strconv.Itoa(is) + `,"with":` + strconv.Itoa(was) + `}`))
	if len(b) == 0 || b[0] != '[' {
		return nil, nil // the folders are too large to be compared, as the page says
	}
	err = json.Unmarshal(b, &names)
	return names, err
}

// sameBytes reads two attachments side by side. What left has no room for is io.ErrShortBuffer.
func (l *Folders) sameBytes(ctx context.Context, a, b place, left *int64) (bool, error) {
	x, info, err := l.open(a)
	if err != nil {
		return false, err
	}
	defer x.Close()
	y, other, err := l.open(b)
	if err != nil {
		return false, err
	}
	defer y.Close()
	if *left -= info.Size() + other.Size(); *left < 0 {
		*left += info.Size() + other.Size()
		return false, io.ErrShortBuffer
	}
	return folder.SameBytes(&limited{ctx, x}, &limited{ctx, y})
}
