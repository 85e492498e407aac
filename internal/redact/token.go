package redact

import (
	"bytes"
	"encoding/base64"
	"hash/crc32"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs/jsonl"
)

// token is a secret that says who made it: how it begins, what its characters are, how many there are.
type token struct {
	prefix    string
	rule      int
	chars     *set
	min, max  int
	mixed     bool                    // the prefix says little: letters and digits must stand behind it
	checksum  func(whole []byte) bool // proves it
	structure func(whole []byte) bool // must hold
}

const long = 512 // the most characters of a value beside a word

// formats are the tokens as their makers document them, a line for those that are alike: rule, characters, least and most of
// them behind the prefix, what else holds, prefixes. Where several prefixes begin alike the first in the table counts.
const formats = `
aws-key A-Z2-7 16 16 - AKIA ASIA ABIA ACCA
github-token A-Za-z0-9 36 36 crc ghp_ gho_ ghu_ ghs_
github-token A-Za-z0-9 36 76 - ghr_
github-token A-Za-z0-9_- 60 90 - github_pat_
gitlab-token A-Za-z0-9_.- 20 80 - glpat- glrt-
gitlab-token A-Za-z0-9_- 20 80 - gldt- glptt- glcbt- glsoat- glft- glffct-
slack-token A-Za-z0-9_- 20 512 - xoxb- xoxp- xoxa- xoxr- xoxs- xoxc- xapp-
slack-token A-Za-z0-9_.- 20 512 - xoxe.
slack-token A-Za-z0-9/ 30 90 - hooks.slack.com/services/
stripe-key A-Za-z0-9 16 250 - sk_live_ sk_test_ rk_live_ rk_test_
stripe-key A-Za-z0-9+/_- 24 100 mixed whsec_
google-key A-Za-z0-9_- 35 35 mixed AIza
google-key A-Za-z0-9_- 28 28 - GOCSPX-
google-key A-Za-z0-9_- 20 512 mixed ya29.
model-key A-Za-z0-9_- 24 200 mixed sk-ant-
model-key A-Za-z0-9_- 24 250 mixed sk-proj- sk-svcacct- sk-admin-
model-key 0-9a-f 64 64 - sk-or-v1-
model-key A-Za-z0-9 32 64 mixed sk-
model-key A-Za-z 34 40 - hf_
model-key A-Za-z0-9 48 60 mixed gsk_
model-key A-Za-z0-9 60 100 mixed xai-
model-key A-Za-z0-9 40 64 mixed pplx-
model-key A-Za-z0-9 37 37 mixed r8_
registry-token A-Za-z0-9 36 36 crc npm_
registry-token A-Za-z0-9_- 50 512 mixed pypi-
registry-token 0-9a-f 48 48 - rubygems_
registry-token A-Za-z0-9_- 27 40 - dckr_pat_ dckr_oat_
registry-token A-Za-z0-9 32 32 mixed cio
service-token A-Za-z0-9_.- 66 66 mixed SG.
service-token 0-9a-f 32 32 mixed SK key- dapi
service-token 0-9a-fA-F 32 32 - shpat_ shpca_ shppa_ shpss_
service-token A-Za-z0-9_- 24 300 - hvs. hvb. hvr.
service-token 0-9a-f 64 64 - dop_v1_ doo_v1_ dor_v1_ sntryu_
service-token A-Za-z0-9_- 36 64 - HRKU-
service-token A-Za-z0-9 40 40 - lin_api_
service-token A-Za-z0-9 46 50 - ntn_
service-token A-Za-z0-9_- 40 50 - figd_
service-token A-Za-z0-9_=- 100 250 - ATATT3
service-token 0-9a-f- 59 59 - PMAK-
service-token A-Z0-9 27 27 - NRAK-
service-token A-Za-z0-9_ 41 41 - glsa_
service-token A-Za-z0-9_=+/- 80 400 - sntrys_
service-token A-Za-z0-9_.- 32 64 - pscale_tkn_ pscale_pw_
service-token 0-9a-f 40 40 - sbp_ pul- shippo_live_ shippo_test_ squ_ sqp_
service-token A-Za-z0-9 20 300 - EAACEdEose0cBA
service-token A-Za-z0-9 40 44 - dp.pt.
service-token A-Za-z0-9/_- 70 110 - discord.com/api/webhooks/
service-token A-Za-z0-9_.- 79 79 mixed pat
service-token A-Za-z0-9+/_- 32 400 mixed glc_
service-token A-Za-z0-9_- 43 43 mixed fo1_ sha256~
service-token A-Za-z0-9+/_- 100 800 mixed fm2_
service-token A-Za-z0-9 17 20 mixed LTAI
service-token A-Za-z0-9_- 81 81 mixed xkeysib-
service-token A-Za-z0-9_- 43 43 - duffel_live_ duffel_test_ sq0csp-
service-token A-Za-z0-9_.- 89 89 - dt0c01.
service-token A-Za-z0-9 54 54 mixed EZAK EZTK
service-token A-Za-z0-9_- 22 60 - sq0atp-
service-token A-Za-z0-9_- 40 64 mixed sgp_
service-token a-z0-9 70 70 - rdme_
service-token A-Za-z0-9 36 36 mixed pnu_
registry-token a-z0-9 60 60 - CLOJARS_
registry-token A-Za-z0-9 69 69 mixed AKCp
registry-token a-z0-9 43 43 mixed oy2
model-key A-Za-z 34 34 - api_org_
aws-key A-Za-z0-9+/_- 109 269 mixed ABSK
service-token A-Za-z0-9+/_- 250 900 mixed ops_eyJ
service-token A-Za-z0-9_.- 59 59 mixed tfp_
gitlab-token A-Za-z0-9_- 50 80 - glagent-
gitlab-token A-Za-z0-9_- 64 64 - gloas-
gitlab-token A-Za-z0-9_- 25 80 - glimt-
gitlab-token A-Za-z0-9_- 20 20 - GR1348941
figs-token a-z2-7 26 26 mixed figs_
private-key A-Z0-9 58 58 - AGE-SECRET-KEY-1
jwt A-Za-z0-9_.- 30 16384 jwt eyJ
`

var tokens = func() (all []token) {
	for line := range strings.Lines(formats) {
		f := strings.Fields(line)
		if len(f) < 6 {
			continue
		}
		t := token{rule: RuleByID(f[0]), chars: setOf(f[1]), mixed: f[4] == "mixed"}
		t.min, _ = strconv.Atoi(f[2])
		t.max, _ = strconv.Atoi(f[3])
		switch f[4] {
		case "crc":
			t.checksum = crc62
		case "jwt":
			t.structure = isJWT
		}
		for _, t.prefix = range f[5:] {
			all = append(all, t)
		}
	}
	return all
}()

// azureAt reads a client secret of Microsoft Entra around the Q~ at i: three characters and a digit before it, 31 to 34 behind.
func azureAt(b []byte, i int) (start, end int) {
	if i < 4 || at(b, i+1) != '~' || !digits.has(b[i-1]) {
		return 0, 0
	}
	start, end = i-4, azure.run(b, i+2, 35)
	for end > i && b[end-1] == '.' {
		end--
	}
	if azure.run(b, start, 4) < i || azure.has(at(b, start-1)) || end-i < 33 || end-i > 36 || mixOf(b[i:end]).classes() < 3 {
		return 0, 0
	}
	return start, end
}

var azure = setOf("A-Za-z0-9_~.-")

// tokensBy are the tokens by the first byte of their prefix, and tokenStart are those bytes.
var tokensBy, tokenStart = func() (by [256][]*token, start *set) {
	start = new(set)
	for i := range tokens {
		c := tokens[i].prefix[0]
		start.add(c)
		by[c] = append(by[c], &tokens[i])
	}
	return by, start
}()

// tokenAt reads the token that begins at i.
func tokenAt(b []byte, i int) (m match) {
	before := at(b, i-1)
	for _, t := range tokensBy[b[i]] {
		if end, proven := t.find(b, i); end > 0 && (before != '_' || len(t.prefix) > 3) {
			return match{rule: t.rule, start: i, end: end, proven: proven}
		}
	}
	return m
}

// find looks for the token at i; end is 0 when it is none.
func (t *token) find(b []byte, i int) (end int, proven bool) {
	if !bytes.HasPrefix(b[i:], []byte(t.prefix)) {
		return 0, false
	}
	if t.max > 1000 && wordDot.has(at(b, i-1)) { // one of its later parts
		return 0, false
	}
	from := i + len(t.prefix)
	end = t.chars.run(b, from, t.max+1)
	for end > from && at(b, end-1) == '.' { // the end of a sentence
		end--
	}
	switch n := end - from; {
	case n < t.min || n > t.max, t.min == t.max && isAlnum(at(b, end)):
		return 0, false
	}
	m := mixOf(b[from:end])
	if m.distinct < 6 || t.mixed && (m.digit == 0 || m.lower+m.upper == 0 || m.entropy < 3) {
		return 0, false
	}
	whole := b[i:end]
	if t.structure != nil && !t.structure(whole) {
		return 0, false
	}
	return end, t.structure != nil || t.checksum != nil && t.checksum(whole)
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// crc62 reports whether the last six characters are the CRC-32 of those behind the prefix, in base 62.
func crc62(whole []byte) bool {
	body := whole[bytes.IndexByte(whole, '_')+1:]
	sum := crc32.ChecksumIEEE(body[:len(body)-6])
	for i := len(body) - 1; i >= len(body)-6; i-- {
		if body[i] != base62[sum%62] {
			return false
		}
		sum /= 62
	}
	return true
}

// isJWT reports whether the first of its parts is a header.
func isJWT(whole []byte) bool {
	parts := bytes.Split(whole, []byte{'.'})
	object := func(part []byte) (v jsonl.Value, ok bool) {
		text, err := base64.RawURLEncoding.DecodeString(string(part))
		if err != nil {
			return v, false
		}
		v, _, ok = jsonl.Parse(text)
		return v, ok && v.Kind == jsonl.Object
	}
	switch len(parts) {
	case 2: // without a signature
		if _, ok := object(parts[1]); !ok {
			return false
		}
	case 3, 5:
		if len(parts) == 3 && len(parts[1]) < 4 {
			return false
		}
	default:
		return false
	}
	v, ok := object(parts[0])
	if !ok {
		return false
	}
	for c := jsonl.Walk(v); c.Next(); {
		if string(c.Key) == `"alg"` {
			return true
		}
	}
	return false
}
