package accounts

import (
	"regexp"
	"slices"
	"strings"
)

const longestSlug = 40

var (
	slugForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	idForm   = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
)

// reserved are words that pages of ours have, or may want, in the place of a workspace.
var reserved = strings.Fields("about account admin all api app assets auth device figs health help inspect invite local login logout me new none null rules search settings setup sign-in sign-out sign-up static support system undefined user users w workspace workspaces www")

// CheckSlug says what is wrong with the word by which addresses name a workspace.
func CheckSlug(slug string) error {
	switch {
	case slug == "":
		return &ValidationError{Field: "slug", Sentence: "The workspace URL is missing. Enter a short word, such as acme."}
	case len(slug) > longestSlug:
		return &ValidationError{Field: "slug", Sentence: "The workspace URL is too long: use at most 40 characters."}
	case !slugForm.MatchString(slug):
		return &ValidationError{Field: "slug", Sentence: "The workspace URL can contain lowercase letters a to z, digits and single hyphens between them, such as acme-finance."}
	case idForm.MatchString(slug):
		return &ValidationError{Field: "slug", Sentence: "The workspace URL looks like an ID. Choose a word."}
	case slices.Contains(reserved, slug):
		return &ValidationError{Field: "slug", Sentence: "The workspace URL {0} is reserved for pages of figs-web. Choose another one.", Args: []any{slug}}
	}
	return nil
}

// letters are written with those that an address can carry, as people in their countries do.
var letters = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "æ", "ae", "ø", "o", "å", "a", "œ", "oe",
	"á", "a", "à", "a", "â", "a", "ã", "a", "ą", "a", "ç", "c", "ć", "c", "č", "c", "ď", "d", "é", "e", "è", "e", "ê", "e", "ë", "e", "ę", "e", "ě", "e",
	"í", "i", "ì", "i", "î", "i", "ï", "i", "ı", "i", "ł", "l", "ñ", "n", "ń", "n", "ň", "n", "ó", "o", "ò", "o", "ô", "o", "õ", "o", "ő", "o", "ř", "r",
	"ś", "s", "š", "s", "ş", "s", "ť", "t", "ú", "u", "ù", "u", "û", "u", "ů", "u", "ű", "u", "ý", "y", "ź", "z", "ż", "z", "ž", "z", "ğ", "g", "&", " and ")

// SlugOf proposes the address of a workspace with that name; it always passes CheckSlug.
func SlugOf(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range letters.Replace(strings.ToLower(name)) {
		if r < 'a' || r > 'z' {
			if r < '0' || r > '9' {
				gap = r != '\'' && r != '’' || gap
				continue
			}
		}
		if gap && b.Len() > 0 {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(r)
	}
	slug := strings.Trim(b.String()[:min(b.Len(), longestSlug)], "-")
	switch {
	case slug == "":
		return "team"
	case CheckSlug(slug) != nil:
		return slug[:min(len(slug), longestSlug-len("-team"))] + "-team"
	}
	return slug
}
