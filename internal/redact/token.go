package redact

import (
	"bytes"
	"encoding/base64"
	"hash/crc32"

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

const long = 512 // the most that a token of open length has

var tokens = []token{
	{prefix: "AKIA", rule: awsKey, chars: base32s, min: 16, max: 16},
	{prefix: "ASIA", rule: awsKey, chars: base32s, min: 16, max: 16},
	{prefix: "ABIA", rule: awsKey, chars: base32s, min: 16, max: 16},
	{prefix: "ACCA", rule: awsKey, chars: base32s, min: 16, max: 16},
	{prefix: "ghp_", rule: githubToken, chars: alnum, min: 36, max: 36, checksum: crc62},
	{prefix: "gho_", rule: githubToken, chars: alnum, min: 36, max: 36, checksum: crc62},
	{prefix: "ghu_", rule: githubToken, chars: alnum, min: 36, max: 36, checksum: crc62},
	{prefix: "ghs_", rule: githubToken, chars: alnum, min: 36, max: 36, checksum: crc62},
	{prefix: "ghr_", rule: githubToken, chars: alnum, min: 36, max: 76},
	{prefix: "github_pat_", rule: githubToken, chars: word, min: 60, max: 90},
	{prefix: "glpat-", rule: gitlabToken, chars: wordDot, min: 20, max: 80},
	{prefix: "gldt-", rule: gitlabToken, chars: word, min: 20, max: 80},
	{prefix: "glrt-", rule: gitlabToken, chars: wordDot, min: 20, max: 80},
	{prefix: "glptt-", rule: gitlabToken, chars: word, min: 20, max: 80},
	{prefix: "glcbt-", rule: gitlabToken, chars: word, min: 20, max: 80},
	{prefix: "glsoat-", rule: gitlabToken, chars: word, min: 20, max: 80},
	{prefix: "glft-", rule: gitlabToken, chars: word, min: 20, max: 80},
	{prefix: "xoxb-", rule: slackToken, chars: word, min: 20, max: long},
	{prefix: "xoxp-", rule: slackToken, chars: word, min: 20, max: long},
	{prefix: "xoxa-", rule: slackToken, chars: word, min: 20, max: long},
	{prefix: "xoxr-", rule: slackToken, chars: word, min: 20, max: long},
	{prefix: "xoxs-", rule: slackToken, chars: word, min: 20, max: long},
	{prefix: "xoxe.", rule: slackToken, chars: wordDot, min: 20, max: long},
	{prefix: "xoxc-", rule: slackToken, chars: word, min: 20, max: long},
	{prefix: "xapp-", rule: slackToken, chars: word, min: 20, max: long},
	{prefix: "hooks.slack.com/services/", rule: slackToken, chars: setOf("A-Za-z0-9/"), min: 30, max: 90},
	{prefix: "sk_live_", rule: stripeKey, chars: alnum, min: 16, max: 250},
	{prefix: "sk_test_", rule: stripeKey, chars: alnum, min: 16, max: 250},
	{prefix: "rk_live_", rule: stripeKey, chars: alnum, min: 16, max: 250},
	{prefix: "rk_test_", rule: stripeKey, chars: alnum, min: 16, max: 250},
	{prefix: "whsec_", rule: stripeKey, chars: base64s, min: 24, max: 100, mixed: true},
	{prefix: "AIza", rule: googleKey, chars: word, min: 35, max: 35, mixed: true},
	{prefix: "GOCSPX-", rule: googleKey, chars: word, min: 28, max: 28},
	{prefix: "ya29.", rule: googleKey, chars: word, min: 20, max: long, mixed: true},
	{prefix: "sk-ant-", rule: modelKey, chars: word, min: 24, max: 200, mixed: true},
	{prefix: "sk-proj-", rule: modelKey, chars: word, min: 24, max: 250, mixed: true},
	{prefix: "sk-svcacct-", rule: modelKey, chars: word, min: 24, max: 250, mixed: true},
	{prefix: "sk-admin-", rule: modelKey, chars: word, min: 24, max: 250, mixed: true},
	{prefix: "sk-or-v1-", rule: modelKey, chars: lowHex, min: 64, max: 64},
	{prefix: "sk-", rule: modelKey, chars: alnum, min: 32, max: 64, mixed: true},
	{prefix: "hf_", rule: modelKey, chars: letters, min: 34, max: 40},
	{prefix: "gsk_", rule: modelKey, chars: alnum, min: 48, max: 60, mixed: true},
	{prefix: "xai-", rule: modelKey, chars: alnum, min: 60, max: 100, mixed: true},
	{prefix: "pplx-", rule: modelKey, chars: alnum, min: 40, max: 64, mixed: true},
	{prefix: "r8_", rule: modelKey, chars: alnum, min: 37, max: 37, mixed: true},
	{prefix: "npm_", rule: registryKey, chars: alnum, min: 36, max: 36, checksum: crc62},
	{prefix: "pypi-", rule: registryKey, chars: word, min: 50, max: long, mixed: true},
	{prefix: "rubygems_", rule: registryKey, chars: lowHex, min: 48, max: 48},
	{prefix: "dckr_pat_", rule: registryKey, chars: word, min: 27, max: 40},
	{prefix: "dckr_oat_", rule: registryKey, chars: word, min: 27, max: 40},
	{prefix: "cio", rule: registryKey, chars: alnum, min: 32, max: 32, mixed: true},
	{prefix: "SG.", rule: serviceToken, chars: wordDot, min: 66, max: 66, mixed: true},
	{prefix: "SK", rule: serviceToken, chars: lowHex, min: 32, max: 32, mixed: true},
	{prefix: "key-", rule: serviceToken, chars: lowHex, min: 32, max: 32, mixed: true},
	{prefix: "shpat_", rule: serviceToken, chars: anyHex, min: 32, max: 32},
	{prefix: "shpca_", rule: serviceToken, chars: anyHex, min: 32, max: 32},
	{prefix: "shppa_", rule: serviceToken, chars: anyHex, min: 32, max: 32},
	{prefix: "shpss_", rule: serviceToken, chars: anyHex, min: 32, max: 32},
	{prefix: "hvs.", rule: serviceToken, chars: word, min: 24, max: 300},
	{prefix: "hvb.", rule: serviceToken, chars: word, min: 24, max: 300},
	{prefix: "hvr.", rule: serviceToken, chars: word, min: 24, max: 300},
	{prefix: "dop_v1_", rule: serviceToken, chars: lowHex, min: 64, max: 64},
	{prefix: "doo_v1_", rule: serviceToken, chars: lowHex, min: 64, max: 64},
	{prefix: "dor_v1_", rule: serviceToken, chars: lowHex, min: 64, max: 64},
	{prefix: "dapi", rule: serviceToken, chars: lowHex, min: 32, max: 32, mixed: true},
	{prefix: "HRKU-", rule: serviceToken, chars: word, min: 36, max: 64},
	{prefix: "lin_api_", rule: serviceToken, chars: alnum, min: 40, max: 40},
	{prefix: "ntn_", rule: serviceToken, chars: alnum, min: 46, max: 50},
	{prefix: "figd_", rule: serviceToken, chars: word, min: 40, max: 50},
	{prefix: "ATATT3", rule: serviceToken, chars: setOf("A-Za-z0-9_=-"), min: 100, max: 250},
	{prefix: "PMAK-", rule: serviceToken, chars: setOf("0-9a-f-"), min: 59, max: 59},
	{prefix: "NRAK-", rule: serviceToken, chars: setOf("A-Z0-9"), min: 27, max: 27},
	{prefix: "glsa_", rule: serviceToken, chars: setOf("A-Za-z0-9_"), min: 41, max: 41},
	{prefix: "sntrys_", rule: serviceToken, chars: setOf("A-Za-z0-9_=+/-"), min: 80, max: 400},
	{prefix: "sntryu_", rule: serviceToken, chars: lowHex, min: 64, max: 64},
	{prefix: "pscale_tkn_", rule: serviceToken, chars: wordDot, min: 32, max: 64},
	{prefix: "pscale_pw_", rule: serviceToken, chars: wordDot, min: 32, max: 64},
	{prefix: "sbp_", rule: serviceToken, chars: lowHex, min: 40, max: 40},
	{prefix: "EAACEdEose0cBA", rule: serviceToken, chars: alnum, min: 20, max: 300},
	{prefix: "dp.pt.", rule: serviceToken, chars: alnum, min: 40, max: 44},
	{prefix: "discord.com/api/webhooks/", rule: serviceToken, chars: setOf("A-Za-z0-9/_-"), min: 70, max: 110},
	{prefix: "pat", rule: serviceToken, chars: wordDot, min: 79, max: 79, mixed: true},
	{prefix: "glc_", rule: serviceToken, chars: base64s, min: 32, max: 400, mixed: true},
	{prefix: "pul-", rule: serviceToken, chars: lowHex, min: 40, max: 40},
	{prefix: "fo1_", rule: serviceToken, chars: word, min: 43, max: 43, mixed: true},
	{prefix: "fm2_", rule: serviceToken, chars: base64s, min: 100, max: 800, mixed: true},
	{prefix: "LTAI", rule: serviceToken, chars: alnum, min: 17, max: 20, mixed: true},
	{prefix: "xkeysib-", rule: serviceToken, chars: word, min: 81, max: 81, mixed: true},
	{prefix: "shippo_live_", rule: serviceToken, chars: lowHex, min: 40, max: 40},
	{prefix: "shippo_test_", rule: serviceToken, chars: lowHex, min: 40, max: 40},
	{prefix: "duffel_live_", rule: serviceToken, chars: word, min: 43, max: 43},
	{prefix: "duffel_test_", rule: serviceToken, chars: word, min: 43, max: 43},
	{prefix: "dt0c01.", rule: serviceToken, chars: wordDot, min: 89, max: 89},
	{prefix: "EZAK", rule: serviceToken, chars: alnum, min: 54, max: 54, mixed: true},
	{prefix: "EZTK", rule: serviceToken, chars: alnum, min: 54, max: 54, mixed: true},
	{prefix: "sq0atp-", rule: serviceToken, chars: word, min: 22, max: 60},
	{prefix: "sq0csp-", rule: serviceToken, chars: word, min: 43, max: 43},
	{prefix: "squ_", rule: serviceToken, chars: lowHex, min: 40, max: 40},
	{prefix: "sqp_", rule: serviceToken, chars: lowHex, min: 40, max: 40},
	{prefix: "sgp_", rule: serviceToken, chars: word, min: 40, max: 64, mixed: true},
	{prefix: "rdme_", rule: serviceToken, chars: setOf("a-z0-9"), min: 70, max: 70},
	{prefix: "pnu_", rule: serviceToken, chars: alnum, min: 36, max: 36, mixed: true},
	{prefix: "CLOJARS_", rule: registryKey, chars: setOf("a-z0-9"), min: 60, max: 60},
	{prefix: "AKCp", rule: registryKey, chars: alnum, min: 69, max: 69, mixed: true},
	{prefix: "oy2", rule: registryKey, chars: setOf("a-z0-9"), min: 43, max: 43, mixed: true},
	{prefix: "api_org_", rule: modelKey, chars: letters, min: 34, max: 34},
	{prefix: "ABSK", rule: awsKey, chars: base64s, min: 109, max: 269, mixed: true},
	{prefix: "ops_eyJ", rule: serviceToken, chars: base64s, min: 250, max: 900, mixed: true},
	{prefix: "sha256~", rule: serviceToken, chars: word, min: 43, max: 43, mixed: true},
	{prefix: "tfp_", rule: serviceToken, chars: wordDot, min: 59, max: 59, mixed: true},
	{prefix: "glagent-", rule: gitlabToken, chars: word, min: 50, max: 80},
	{prefix: "gloas-", rule: gitlabToken, chars: word, min: 64, max: 64},
	{prefix: "glffct-", rule: gitlabToken, chars: word, min: 20, max: 80},
	{prefix: "glimt-", rule: gitlabToken, chars: word, min: 25, max: 80},
	{prefix: "GR1348941", rule: gitlabToken, chars: word, min: 20, max: 20},
	{prefix: "figs_", rule: figsToken, chars: low32, min: 26, max: 26, mixed: true},
	{prefix: "AGE-SECRET-KEY-1", rule: privateKey, chars: bech32, min: 58, max: 58},
	{prefix: "eyJ", rule: jwt, chars: wordDot, min: 30, max: 16 << 10, structure: isJWT},
}

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
