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
	privateKey:   {"private-key", "Private key", "The lines between BEGIN and END of a private key, whatever stands before them, or an age key.", Secrets},
	awsKey:       {"aws-key", "AWS access key", "AKIA, ASIA, ABIA or ACCA and 16 characters of base32.", Secrets},
	githubToken:  {"github-token", "GitHub token", "ghp_, gho_, ghu_, ghs_ or ghr_ and 36 characters whose last six are a checksum; github_pat_.", Secrets},
	gitlabToken:  {"gitlab-token", "GitLab token", "glpat- and its siblings with 20 or more characters.", Secrets},
	slackToken:   {"slack-token", "Slack token or hook", "xoxb-, xoxp-, xapp- and their siblings; addresses of hooks.slack.com.", Secrets},
	stripeKey:    {"stripe-key", "Stripe key", "sk_live_, sk_test_, rk_live_, rk_test_ or whsec_ and 16 or more characters.", Secrets},
	googleKey:    {"google-key", "Google key", "AIza and 35 characters, GOCSPX- and 28, or ya29. and 20 or more.", Secrets},
	modelKey:     {"model-key", "Key of a model's provider", "sk-ant-, sk-proj-, sk-, hf_, gsk_, xai-, pplx- or r8_ and what each puts behind it.", Secrets},
	registryKey:  {"registry-token", "Token of a package registry", "npm_ (with its checksum), pypi-, rubygems_ and dckr_pat_ tokens.", Secrets},
	serviceToken: {"service-token", "Token of another service", "Tokens whose beginning, length and alphabet name who made them: SendGrid, Shopify, Vault, DigitalOcean and others.", Secrets},
	figsToken:    {"figs-token", "Token of figs-web", "figs_ and 26 characters of base32.", Secrets},
	jwt:          {"jwt", "JSON Web Token", "Parts of base64url, of which the first is a JSON object that names its alg.", Secrets},
	urlPassword:  {"url-password", "Password in an address", "The part between the first colon and the last @ before the host of a URL, such as postgres://user:…@host.", Secrets},
	keyed:        {"secret", "Value beside a word for secrets", "A value of mixed characters after password, secret, token, API key or another such word, or in a field, a row, a column or an element that is called so.", Secrets},
	certificate:  {"certificate", "Certificate", "The lines between BEGIN and END of a certificate or a request for one.", Personal},
	email:        {"email", "Email address", "A name, an @ and a domain.", Personal},
	phone:        {"phone", "Telephone number", "A + and 8 to 15 digits, a North American number, or digits after a word for telephones or in a field that is called so.", Personal},
	iban:         {"iban", "IBAN", "A country's letters, that country's length, and a valid checksum.", Personal},
	card:         {"card", "Card number", "A card company's first digits, its length, and a checksum that is right.", Personal},
	address:      {"ip", "IP address", "Version 4 or 6. Loopback and empty addresses stay.", Personal},
	person:       {"person", "Name of who replied", "The names in the field by of replies and closes, whole and each part of them, in upper and lower case.", Names},
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
