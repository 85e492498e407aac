package accounts

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
)

// setupLasts is how long a set-up link is good. Whoever starts the server again gets a new one.
const setupLasts = day

// CreateSetup mints the key of a set-up link in place of any older one. It returns
// store.ErrNotFound when the reader has people already: they sign in.
func CreateSetup(ctx context.Context, s store.SetupLinks, at int64) (secret string, err error) {
	secret = NewSecret()
	return secret, s.SetSetup(ctx, store.Hash(secret), at+setupLasts)
}

// SetupInput is what the first person fills in.
type SetupInput struct {
	Name, Email, Password string
	Workspace, Slug       string // Slug may be ""; it is then made of the name
	Text                  store.TextLevel
}

// CompleteSetup adds the first person and their workspace, with the key of a set-up link. It returns
// ValidationErrors for what must be typed otherwise, and store.ErrNotFound when the link is not good.
func CompleteSetup(ctx context.Context, s store.SetupLinks, secret string, f SetupInput, at int64) (store.User, store.Workspace, error) {
	f, err := f.check()
	if err != nil {
		return store.User{}, store.Workspace{}, err
	}
	hash := store.Hash(secret)
	if err := s.Setup(ctx, hash, at); err != nil { // before the price of a hash is paid
		return store.User{}, store.Workspace{}, err
	}
	encoded, err := HashPassword(ctx, f.Password)
	if err != nil {
		return store.User{}, store.Workspace{}, err
	}
	u := store.User{ID: store.NewID(), Email: f.Email, Name: f.Name, Password: encoded, Created: at}
	w, err := NewWorkspace(f.Workspace, f.Slug, at)
	if err != nil {
		return store.User{}, store.Workspace{}, err
	}
	w.Text = f.Text
	return u, w, s.UseSetup(ctx, store.Act{By: u.ID, At: at}, hash, u, w)
}

func (f SetupInput) check() (SetupInput, error) {
	var wrong ValidationErrors
	var err error
	f.Name, err = CheckName("name", f.Name)
	wrong.add(err)
	f.Email, err = CheckEmail(f.Email)
	wrong.add(err)
	wrong.add(CheckPassword(f.Password, f.Email))
	_, err = NewWorkspace(f.Workspace, f.Slug, 0)
	wrong.add(err)
	return f, wrong.orNil()
}

// NewWorkspace makes a workspace, which no store has yet. An empty slug is derived from the name, and its
// notifications may say what is suggested. It returns ValidationErrors for
// what must be typed otherwise, in the fields "workspace" and "slug".
func NewWorkspace(name, slug string, at int64) (store.Workspace, error) {
	var wrong ValidationErrors
	name, err := CheckName("workspace", name)
	wrong.add(err)
	if slug == "" {
		slug = SlugOf(name)
	}
	wrong.add(CheckSlug(slug))
	w := store.Workspace{ID: store.NewID(), Slug: slug, Name: name, Created: at}
	w.Text = store.TextMembers
	return w, wrong.orNil()
}

// ValidationErrors is everything that is wrong with a form, so that it is mended at once.
type ValidationErrors []*ValidationError

func (w ValidationErrors) Error() string { return w[0].Sentence }

func (w *ValidationErrors) add(err error) {
	switch wrong := err.(type) {
	case *ValidationError:
		*w = append(*w, wrong)
	case ValidationErrors:
		*w = append(*w, wrong...)
	}
}

func (w ValidationErrors) orNil() error {
	if len(w) == 0 {
		return nil
	}
	return w
}
