package yearfixture

// plan is what an agent does all year.
type plan struct {
	key, id, name, role, department, mandate string
	jobs                                     []string // what it does, a daily job each; the last one weekly
	question, need                           string
	options                                  []string
	signOff                                  string
	steps                                    []string
	manager, builder                         string
	patience                                 float64 // days that its people take to answer, on average
}

var plans = []plan{
	{
		key: "payables", id: "0b7d2f4e-58a1-4c36-9a0d-3f1c7e6b2a11", name: "Payables", role: "Invoice clerk", department: "Finance",
		mandate: "Books supplier invoices and prepares the weekly payment run.",
		jobs:    []string{"Invoice intake", "Duplicate check", "Payment run"}, manager: "Mara Lindt", builder: "Jonas Weber", patience: 0.4,
		question: "Which cost centre takes %s?", need: "One cost centre, so that the invoice can be booked.",
		options: []string{"4010 Office", "4020 Travel", "4090 Other"},
		signOff: "Release payment run %s", steps: []string{"Submit the payment file to the bank (irreversible)", "Mail remittance advice to suppliers"},
	},
	{
		key: "reconciliation", id: "1c8e3a5f-69b2-4d47-8b1e-4a2d8f7c3b22", name: "Reconciliation", role: "Bank accountant", department: "Finance",
		mandate: "Matches bank lines with open items and explains what is left.",
		jobs:    []string{"Bank lines matched", "Open items", "Month of statements"}, manager: "Mara Lindt", builder: "Priya Nair", patience: 1.1,
		question: "Is the difference on %s a fee or an error?", need: "The nature of the difference.",
		options: []string{"Bank fee", "Our error", "Ask the bank"},
		signOff: "Send statement %s to the customer", steps: []string{"Mail the statement to the customer", "Mark the items as confirmed"},
	},
	{
		key: "collections", id: "2d9f4b6a-7ac3-4e58-9c2f-5b3e9a8d4c33", name: "Collections", role: "Receivables", department: "Finance",
		mandate: "Reminds customers of what is overdue, politely, and says who will not pay.",
		jobs:    []string{"Overdue list", "Payment promises", "Reminders of the week"}, manager: "Tom Achterberg", builder: "Jonas Weber", patience: 2.2,
		question: "May %s have another fortnight?", need: "A yes or a no, in your name.",
		options: []string{"Yes, a fortnight", "No, remind"},
		signOff: "Send reminders %s", steps: []string{"Mail every reminder on the list (irreversible)"},
	},
	{
		key: "onboarding", id: "3ea05c7b-8bd4-4f69-8d30-6c4fab9e5d44", name: "Supplier onboarding", role: "Vendor desk", department: "Procurement",
		mandate: "Checks new suppliers and prepares their records.",
		jobs:    []string{"Register look-ups", "Sanction lists", "Records of new suppliers"}, manager: "Ines Carvalho", builder: "Priya Nair", patience: 0.8,
		question: "Whose is the account that %s gave?", need: "The name of a person who has called the customer back.",
		options: []string{"The supplier's", "Nobody answered", "Not the supplier's"},
		signOff: "Create the suppliers of %s", steps: []string{"Create the records in the ledger", "Ask treasury for limits"},
	},
	{
		key: "stock", id: "4fb16d8c-9ce5-4a7a-9e41-7d5abcaf6e55", name: "Stock", role: "Replenishment planner", department: "Operations",
		mandate: "Watches the warehouse and proposes what to order.",
		jobs:    []string{"Stock count", "Demand", "Order proposal"}, manager: "Ines Carvalho", builder: "Sven Moller", patience: 0.2,
		question: "Order %s although the price rose?", need: "A decision before the supplier's cut-off.",
		options: []string{"Order", "Wait a week"},
		signOff: "Place the orders of %s", steps: []string{"Send the orders to suppliers (irreversible)", "Reserve the dock"},
	},
}
