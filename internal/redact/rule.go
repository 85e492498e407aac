// Package redact finds secrets and personal data in a .figs folder and puts placeholders in their places. The same
// original becomes the same placeholder everywhere, in ids and names of files too, so that references stay whole.
//
// It is pushed the folder's content and opens nothing. Content is learned first, all of it; then it is written, and each
// original is looked for again in every spelling that a program would undo: JSON escapes, percent signs, entities,
// base64, invisible characters, markup in the middle of a word. Everything takes time in proportion to what is read.
package redact

// Group is what a rule protects.
type Group uint8

const (
	Secrets  Group = iota // what opens something
	Personal              // what tells who somebody is, or how to reach them
	Names                 // who replied: a choice, since a name is often the point of a reply
)

// Rule is one kind of thing that is replaced.
type Rule struct {
	ID    string // its word in placeholders, "[email-1]"
	Title string
	How   string // it is known, a sentence
	Group Group
}

// Rules are all rules, in the order in which people see them. Match.Rule and RuleByID give indexes into it.
var Rules = []Rule{
	privateKey:   {"private-key", "Private key", "The lines between BEGIN and END of a private key, with any prefix, or an age key.", Secrets},
	awsKey:       {"aws-key", "AWS access key", "AKIA, ASIA, ABIA or ACCA and 16 characters of base32.", Secrets},
	githubToken:  {"github-token", "GitHub token", "ghp_, gho_, ghu_, ghs_ or ghr_ and 36 characters whose last six are a checksum; github_pat_.", Secrets},
	gitlabToken:  {"gitlab-token", "GitLab token", "glpat- and related prefixes, with 20 or more characters.", Secrets},
	slackToken:   {"slack-token", "Slack token or webhook", "xoxb-, xoxp-, xapp- and related prefixes; hooks.slack.com URLs.", Secrets},
	stripeKey:    {"stripe-key", "Stripe key", "sk_live_, sk_test_, rk_live_, rk_test_ or whsec_ and 16 or more characters.", Secrets},
	googleKey:    {"google-key", "Google key", "AIza and 35 characters, GOCSPX- and 28, or ya29. and 20 or more.", Secrets},
	modelKey:     {"model-key", "Key of a model provider", "sk-ant-, sk-proj-, sk-, hf_, gsk_, xai-, pplx- or r8_ and what follows.", Secrets},
	registryKey:  {"registry-token", "Token of a package registry", "npm_ (with its checksum), pypi-, rubygems_ and dckr_pat_ tokens.", Secrets},
	serviceToken: {"service-token", "Token of another service", "Tokens whose prefix, length and characters identify the service: SendGrid, Shopify, Vault, DigitalOcean and others.", Secrets},
	figsToken:    {"figs-token", "Token of figs-web", "figs_ and 26 characters of base32.", Secrets},
	jwt:          {"jwt", "JSON Web Token", "Base64url parts, the first of which is a JSON object with an alg field.", Secrets},
	urlPassword:  {"url-password", "Password in a URL", "The part between the first colon and the last @ before the host of a URL, such as postgres://user:…@host.", Secrets},
	keyed:        {"secret", "Value next to a word for secrets", "A value of mixed characters after password, secret, token, API key or a similar word, or in a field, row, column or element with such a name.", Secrets},
	certificate:  {"certificate", "Certificate", "The lines between BEGIN and END of a certificate or a certificate request.", Personal},
	email:        {"email", "Email address", "A name, an @ and a domain.", Personal},
	phone:        {"phone", "Phone number", "A + and 8 to 15 digits, a North American number, or digits after a word such as “phone” or in a field with such a name.", Personal},
	iban:         {"iban", "IBAN", "A country code, that country's length, and a valid checksum.", Personal},
	card:         {"card", "Card number", "A card company's first digits and length, and a valid checksum.", Personal},
	address:      {"ip", "IP address", "IPv4 or IPv6. Loopback and empty addresses are kept.", Personal},
	person:       {"person", "Name of a person who replied", "The names in the by field of replies and closes, whole or in part, in upper or lower case.", Names},
}

const (
	privateKey = iota
	awsKey
	githubToken
	gitlabToken
	slackToken
	stripeKey
	googleKey
	modelKey
	registryKey
	serviceToken
	figsToken
	jwt
	urlPassword
	keyed
	certificate
	email
	phone
	iban
	card
	address
	person
	fileName // no rule of its own: a name of a file in which something is replaced
)

// Words are the title, how it is known, and the word in placeholders.
func (r *Rule) Words() (title, how, id string) { return r.Title, r.How, r.ID }

// RuleByID is the index of a rule; -1 when there is none of that id.
func RuleByID(id string) int {
	for i := range Rules {
		if Rules[i].ID == id {
			return i
		}
	}
	return -1
}
