package hints

import (
	"strings"
	"sync"

	"github.com/mtibben/confusables"
)

// names are those of firms that people pay or sign in to, and of this reader. Whoever imitates one spells it otherwise.
var names = strings.Fields(`
	adobe adyen airbnb alibaba amazon apple atlassian barclays binance citibank coinbase commerzbank datev docusign dropbox
	facebook figs github gitlab google hubspot instagram intel klarna linkedin mastercard microsoft mollie netflix nvidia
	openai oracle outlook paypal postbank quickbooks revolut salesforce santander shopify slack sparkasse spotify stripe
	telekom tesla unicredit venmo visa vodafone wells whatsapp worldpay xero zalando`)

const shortestName, longestName = 4, 12

// byLooks finds a name by what it looks like, in small and in capital letters.
var byLooks = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for _, name := range names {
		for _, spelled := range []string{name, strings.ToUpper(name), strings.ToUpper(name[:1]) + name[1:]} {
			m[looks(spelled)] = name
		}
	}
	m[looks("LinkedIn")], m[looks("OpenAI")] = "linkedin", "openai"
	return m
})

// looks is the skeleton of a word (UTS #39), in which 1, I and l are one letter, 0 and O, rn and m; and beyond the standard
// vv and w, cl and d.
func looks(word string) string {
	return pairs.Replace(strings.ToLower(confusables.Skeleton(word)))
}

var pairs = strings.NewReplacer("vv", "w", "cl", "d")

// Name returns the name that a word looks like without being it: "paypal" for "PayPa1". Codes and other words look like none.
func Name(word string) (string, bool) {
	if len(word) < shortestName || len(word) > 3*longestName || !ambiguous(word) {
		return "", false
	}
	name, ok := byLooks()[looks(word)]
	return name, ok && !strings.EqualFold(word, name)
}

// ambiguous reports whether a word has characters that may stand for others.
func ambiguous(word string) bool {
	for i := 0; i < len(word); i++ {
		switch c := word[i]; {
		case c >= 0x80, c == '0', c == '1', c == '|', c == 'I':
			return true
		case i > 0 && (c == 'n' && word[i-1]|0x20 == 'r' || c|0x20 == 'v' && word[i-1]|0x20 == 'v' || c == 'l' && word[i-1]|0x20 == 'c'):
			return true
		case c == 'l' && i == 0: // lnstagram
			return true
		}
	}
	return false
}
