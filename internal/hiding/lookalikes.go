package hiding

import "slices"

// lookAlikes spell with characters that a person takes for others or does not see.
func lookAlikes() []Document {
	json := func(body string) string { return body + "\n" }
	return slices.Concat(
		with(LookAlike, "letters of another script", "html", page,
			row{"letters-cyrillic-mixed", "<p>Pay to p\u0430ypal.example</p>"},
			row{"letters-cyrillic-word", "<p>Send the \u0441\u043e\u0440\u0443 to the bank</p>"},
			row{"letters-cyrillic-sentence", "<p>\u0440\u0430\u0443 \u0435\u0443\u0435 \u0441\u0430\u0441\u0430\u043e</p>"},
			row{"letters-greek", "<p>Pay to \u0391\u03a4\u03a4.example</p>"},
			row{"letters-cherokee", "<p>Pay to \u13a0\u13a2\u13ac\u13a2\u13e4</p>"},
			row{"letters-armenian", "<p>Pay to g\u0585\u0585gle.example</p>"},
			row{"letters-latin-alpha", "<p>Pay to \u0261oogle.example</p>"},
			row{"letters-dotless", "<p>Pay to m\u0131crosoft.example</p>"},
			row{"letters-mathematical", "<p>\U0001d422\U0001d420\U0001d427\U0001d428\U0001d42b\U0001d41e the last step</p>"},
			row{"letters-double-struck", "<p>\U0001d561\U0001d552\U0001d56a 4,820</p>"},
			row{"letters-full-width", "<p>Pay \uff14\uff18\uff12\uff10 dollars</p>"},
			row{"letters-circled", "<p>Pay \u24d0\u24d2\u24dc\u24d4</p>"},
			row{"letters-superscript", "<p>Pay 10\u2070\u2070 dollars</p>"},
			row{"letters-arabic-digits", "<p>Pay \u0661\u0665\u0660 or \u06f1\u06f5\u06f0 dollars</p>"},
		),
		with(LookAlike, "letters that look like other letters", "html", page,
			row{"pairs-rn", "<p>Open rnicrosoft.example and sign in</p>"},
			row{"pairs-vv", "<p>Open vvells-bank.example</p>"},
			row{"pairs-cl", "<p>Open clocs.example</p>"},
			row{"pairs-one", "<p>Pay to PayPa1</p>"},
			row{"pairs-zero", "<p>Pay to F1GS-0NLINE</p>"},
			row{"pairs-capital-i", "<p>Pay to AppIe</p>"},
		),
		with(LookAlike, "characters that leave no mark", "html", page,
			row{"marks-private-use", "<p>Pay \ue000\ue001\uf8ff 4,820</p>"},
			row{"marks-private-use-plane", "<p>Pay \U000f0000\U0010fffd 4,820</p>"},
			row{"marks-noncharacter", "<p>Pay \ufdd0\U0001fffe 4,820</p>"},
			row{"marks-object-replacement", "<p>Pay \ufffc 4,820</p>"},
			row{"marks-combining", "<p>Pay 1\u0338\u03380\u0335 dollars</p>"},
		),
		with(LookAlike, "keys that differ in case or space", "json", json,
			row{"keys-case", `{"amount": 4820, "Amount": 91000}`},
			row{"keys-three", `{"amount": 4820, "AMOUNT": 5, "Amount": 6}`},
			row{"keys-trailing-space", `{"amount": 4820, "amount ": 91000}`},
			row{"keys-no-break-space", "{\"pay to\": \"Acme\", \"pay\u00a0to\": \"Borealis\"}"},
			row{"keys-tab", `{"amount": 4820, "amount\t": 91000}`},
			row{"keys-cyrillic", "{\"amount\": 4820, \"\u0430mount\": 91000}"},
			row{"keys-full-width", "{\"amount\": 4820, \"\uff41mount\": 91000}"},
			row{"keys-underscore", `{"pay_to": "Acme", "payTo": "Borealis", "pay-to": "Cobalt"}`},
			row{"keys-nested", `{"order": {"total": 1, "Total": 2}, "lines": [{"sku": "a", "SKU": "b"}]}`},
			row{"keys-normal-form", "{\"caf\u00e9\": 1, \"cafe\u0301\": 2}"},
		),
	)
}
