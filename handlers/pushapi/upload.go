package pushapi

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
)

// maxUpload is how large the body of an upload may be: base64 of the largest file, and some more.
const maxUpload = 29 << 19

// fileTooLarge is what clients print beside a limit of their own, which is another.
var fileTooLarge = &httperr.Problem{Status: http.StatusRequestEntityTooLarge, Code: "file_too_large",
	Title: "An attachment may have " + size(figs.MaxAttachment) + " here, and this one has more; it was not stored",
	Hint: "Retrying will not help. Split or compress the file, give it a new name, and attach that in a new line; then take this one out of .figs/artifacts, " +
		"since the client sends whatever lies there with every push. Any smaller limit that the client names is not this server's."}

// upload is the body of one, but for its content.
type upload struct {
	workspace, agent, name, sha256 string
	content                        *spool
}

type uploaded struct {
	OK        bool   `json:"ok"`
	Unchanged bool   `json:"unchanged,omitempty"`
	SHA256    string `json:"sha256"`
}

// uploadArtifact stores a file that an agent attached. Clients send every file with every push.
func (w *Wire) uploadArtifact(c echo.Context) error {
	body, err := w.open(c, limit{maxUpload, fileTooLarge})
	if err != nil {
		return err
	}
	u, err := w.readUpload(body)
	if err != nil {
		return err
	}
	defer u.content.Close()
	if err := u.check(); err != nil {
		return err
	}
	answer, err := w.attach(c, auth.Of(c), u)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, answer)
}

// readUpload decodes the content while it comes.
func (w *Wire) readUpload(body io.Reader) (u *upload, err error) {
	u = &upload{}
	defer func() {
		if err != nil && u.content != nil {
			u.content.Close()
		}
	}()
	m := newMembers(body)
	for {
		key, err := m.next()
		if err == io.EOF {
			break
		}
		if err == nil && key == "content" {
			err = w.readContent(m, u)
		} else if err == nil {
			err = u.read(m, key)
		}
		if err != nil {
			return u, uploadError(err)
		}
	}
	if u.content == nil {
		return u, odd("content_missing", "The upload has no content", "Send { workspaceId, agentId, name, content }, with the file's bytes in base64 as content.")
	}
	return u, nil
}

// read reads one of the short members. Of a key that comes twice the last counts.
func (u *upload) read(m *members, key string) error {
	value, _, err := m.value()
	switch key {
	case "workspaceId":
		u.workspace = value
	case "agentId":
		u.agent = strings.ToLower(value)
	case "name":
		u.name = value
	case "sha256":
		u.sha256 = strings.ToLower(value)
	}
	return err
}

func (w *Wire) readContent(m *members, u *upload) error {
	if u.content != nil {
		u.content.Close()
		u.content = nil
	}
	text, ok, err := m.stream()
	if !ok {
		return err
	}
	decoded := &limitedContent{base64.NewDecoder(base64.StdEncoding, text), text, figs.MaxAttachment}
	if u.content, err = w.spool(decoded, 0); err != nil {
		return err
	}
	// The decoder may stop before the quote that ends the text.
	if n, err := io.Copy(io.Discard, text); err != nil || n > 0 {
		return errors.Join(base64.CorruptInputError(0), err)
	}
	return nil
}

// limitedContent reads a file of at most so many bytes.
type limitedContent struct {
	from io.Reader
	text *textReader
	left int64
}

func (l *limitedContent) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, fileTooLarge
	}
	if err == io.ErrUnexpectedEOF && l.text.done { // the text is whole, what it stands for is not
		err = base64.CorruptInputError(0)
	}
	return n, err
}

func odd(code, title, hint string) error {
	return &httperr.Problem{Status: http.StatusBadRequest, Code: code, Title: title + "; it was not stored", Hint: hint}
}

func uploadError(err error) error {
	var p *httperr.Problem
	var corrupt base64.CorruptInputError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &corrupt):
		return odd("content_unreadable", "The content of the upload isn't valid base64", "Send the file's bytes in standard base64, with its padding.")
	case errors.Is(err, errSyntax):
		return odd("upload_unreadable", "The upload isn't a valid JSON object", "Send { workspaceId, agentId, name, content } and nothing after it.")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return unreadable(err)
	}
	return err // of the spool: this server's own
}

// check holds the name and the hash against the rules.
func (u *upload) check() error {
	if !figs.IsBareName(u.name) {
		return odd("attachment_name_invalid", "This file name doesn't work on every system",
			"An attachment's name is that of a file directly in .figs/artifacts: 1 to 200 bytes, no slashes or colons, no control or hidden characters, no dot or space at its end, and none that "+
				"systems reserve, such as CON.md. Rename the file and name it so in a new line. Retrying will not help; the records themselves are stored.")
	}
	if figs.ClassOf(u.name) == figs.Unsupported {
		return odd("attachment_type_unsupported", "Files of this type can't be attached",
			"Attach .html .md .txt .json .png .jpg .jpeg .gif .webp .svg to be shown, or .csv .pdf .xlsx .xls .docx to be downloaded; then take this file out of .figs/artifacts, "+
				"since the client sends whatever lies there with every push. Retrying will not help; the records themselves are stored.")
	}
	if u.sha256 != "" && u.sha256 != u.content.digest {
		return odd("sha256_differs", "The uploaded bytes don't match sha256", "They were changed on the way. Push again.")
	}
	return nil
}

// attach names the content. Bytes that the name has already are not written again.
func (w *Wire) attach(c echo.Context, v *auth.Visitor, u *upload) (*uploaded, error) {
	ctx := c.Request().Context()
	if err := w.admit(ctx, v, u.workspace); err != nil {
		return nil, err
	}
	if err := w.holds(ctx, v, u); err != nil {
		return nil, err
	}
	about(c, u.workspace, u.agent)
	a := store.Attachment{Agent: u.agent, Name: u.name, SHA256: u.content.digest, Size: u.content.size}
	answer := &uploaded{OK: true, SHA256: a.SHA256}
	old, err := w.Store.File(ctx, u.agent, u.name)
	if err == nil && old.Erased != nil { // nothing of it is kept; the client has nothing to mend
		answer.Unchanged = true
		return answer, w.Store.MarkPushedAgain(ctx, u.agent, u.name, w.now())
	}
	if err == nil && old.SHA256 == a.SHA256 && w.kept(ctx, a) {
		answer.Unchanged = true
		return answer, nil
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	if err == nil && old.SHA256 != "" && old.SHA256 != a.SHA256 {
		return nil, &store.AttachmentConflictError{Name: a.Name, SHA256: old.SHA256}
	}
	if _, _, err := w.Blobs.Put(ctx, u.content.Reader(), figs.MaxAttachment); err != nil {
		return nil, err
	}
	text, err := words(u.name, u.content)
	if err != nil {
		return nil, err
	}
	act := store.Act{By: v.User.ID, At: w.now()}
	a.Uploaded, a.PushedBy = act.At, act.By
	answer.Unchanged, err = w.Store.Attach(ctx, act, a, text)
	if err = errors.Join(err, w.settle(context.WithoutCancel(ctx), u, err == nil && !answer.Unchanged)); err != nil || answer.Unchanged {
		return answer, err
	}
	seq, err := w.Store.Seq(ctx, u.workspace)
	if err == nil {
		w.tell(u.workspace, seq)
	}
	return answer, err
}

// settle makes the bytes that are kept agree with the names that there are, whatever somebody purged
// or erased since they were put: what was named is there, and what was not leaves nothing behind.
func (w *Wire) settle(ctx context.Context, u *upload, named bool) error {
	sha256 := u.content.digest
	if !named {
		dropped, err := w.Store.RemoveBlob(ctx, sha256, func() error { return w.Blobs.Remove(ctx, sha256) })
		if err != nil || dropped {
			return err
		}
	}
	if w.kept(ctx, store.Attachment{SHA256: sha256, Size: u.content.size}) {
		return nil
	}
	_, _, err := w.Blobs.Put(ctx, u.content.Reader(), figs.MaxAttachment)
	return err
}

// holds returns nil when the agent is registered in the workspace that the upload names.
func (w *Wire) holds(ctx context.Context, v *auth.Visitor, u *upload) error {
	a, err := w.Store.Agent(ctx, u.agent)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if err == nil && a.Workspace == u.workspace {
		return nil
	}
	if err == nil {
		sees, err := w.sees(ctx, v, a.Workspace)
		if err != nil {
			return err
		}
		if sees {
			return w.conflict(ctx, v, u.workspace, &store.OtherWorkspaceError{Workspace: a.Workspace})
		}
	}
	return unknownAgent
}

// kept reports whether the bytes are there, whole; a disk may have lost what the store knows.
func (w *Wire) kept(ctx context.Context, a store.Attachment) bool {
	r, n, err := w.Blobs.Open(ctx, a.SHA256)
	if errors.Is(err, blob.ErrNotFound) || err != nil {
		return false
	}
	r.Close()
	return n == a.Size
}
