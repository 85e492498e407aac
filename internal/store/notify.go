package store

import "context"

// PlaceKind is a way on which people are told.
type PlaceKind string

// The ways. InPage is where everybody is told: it is the place whose id is the person's, and no
// row of it is kept.
const (
	InPage    PlaceKind = "page"
	ByEmail   PlaceKind = "email"
	ByPush    PlaceKind = "push"
	ByNtfy    PlaceKind = "ntfy"
	ByWebhook PlaceKind = "webhook"
)

// Place is where a person is told.
type Place struct {
	ID, Person string
	Kind       PlaceKind
	Name       string // as the person calls it
	Target     string // an address of e-mail or of the web
	Secret     string // what sending takes: a token, a signing key, a browser's keys
	Digest     int    // the hour of the server's day at which e-mail comes in one letter; AtOnce
	Created    int64
	Confirmed  int64 // since when something is sent there; 0: the person has not confirmed it
	Failing    int64 // since when nothing arrives; 0
	Disabled   int64
	Confirm    string // hash of the key that confirms it, for AddPlace
	Until      int64  // when that key ends
}

// AtOnce is the Digest of a place where each thing is told by itself.
const AtOnce = -1

// MostPlaces is how many places one person has at most.
const MostPlaces = 20

// NewsEvent is what somebody is told of.
type NewsEvent string

// The events.
const (
	NewsAsk     NewsEvent = "ask"     // an ask is asked of me
	NewsOpen    NewsEvent = "open"    // it is still open after some hours
	NewsChanges NewsEvent = "changes" // a sign-off that I asked changes of was raised again
	NewsPicked  NewsEvent = "picked"  // a reply of mine was not handed to its agent after some hours
	NewsVacant  NewsEvent = "vacant"  // nobody manages, or nobody built, an agent any more: who did may not reply now
	NewsClaim   NewsEvent = "claim"   // an agent wrote a reply down in my name, and I have not confirmed it
	NewsPolicy  NewsEvent = "policy"  // what protects approvals and notifications was weakened
	NewsFailing NewsEvent = "failing" // a place of mine keeps failing; in the page alone
	NewsTest    NewsEvent = "test"    // I tried a place
)

// NewsEvents lists those that a person chooses.
func NewsEvents() []NewsEvent {
	return []NewsEvent{NewsAsk, NewsClaim, NewsChanges, NewsOpen, NewsPicked, NewsVacant, NewsPolicy}
}

// Always reports whether an event is told at every place of a person unless they switch it off there: what others do in
// their name, or take from what protects them.
func (e NewsEvent) Always() bool { return e == NewsClaim || e == NewsPolicy }

// Wish is that a person wants, or does not want, to be told of something at a place. Without one
// the page tells everything, and other places nothing but what is told always.
type Wish struct {
	Place, Workspace string
	Event            NewsEvent
	Wanted           bool
}

// NewsHours is after how many hours a person is told once more.
type NewsHours struct{ Open, Picked int }

// UsualHours are those of who has chosen none.
var UsualHours = NewsHours{Open: 24, Picked: 24}

// News is one thing that one person is told at one place. It holds no words of records.
type News struct {
	ID, Place, Person string
	Workspace         string // "" of none
	Event             NewsEvent
	Name              string // at one place there is one of that name
	Agent, Ask        string
	Round             int
	At                int64
	Next              int64 // when it is to be sent
}

// SendState is where a sending stands.
type SendState string

// The states. Dropped is what was over before it could be told.
const (
	SendWaiting SendState = "waiting"
	SendSent    SendState = "sent"
	SendDead    SendState = "dead"
	SendDropped SendState = "dropped"
)

// Sending is news on their way.
type Sending struct {
	News
	State  SendState
	Tries  int
	Answer string // of the last try
	Ended  int64
	Read   int64 // in the page: when it was read; 0: not yet. Elsewhere -1
	Over   bool  // what it tells of is over; only from PageNews and ClaimNews
}

// Due is a sending with what it takes to send it. Words of records and agents are there only where
// the workspace allows that they are told.
type Due struct {
	Sending
	To              Place
	Slug, Workplace string // of the workspace: address and name
	Words           bool
	AgentName       string
	Title           string // of the ask; Over is also set when the person may not be told any more
}

// NewsCursor is up to where it was planned whom to tell.
type NewsCursor struct {
	Seq int64 // of the workspace's changes
	At  int64 // of time; 0 is never yet
}

// OpenAsk is an ask that needs a human, for planning.
type OpenAsk struct {
	Agent, Ask string
	Round      int
	Arrived    int64    // when its newest version did
	New        bool     // something of it, or of whom it asks, changed after the cursor
	AskedOf    []string // who is asked: the inbox's rule
	ChangesBy  string   // who asked changes of the round before; ""
	Off        []string // who has put it off now
	Back       []string // for whom it has come back since the cursor
}

// Unconfirmed is an ask with a reply that an agent reports in somebody's name and nobody has confirmed, for planning.
type Unconfirmed struct {
	Agent, Ask string
	Round      int
	Since      int64
	Confirmers []string // who is asked to confirm it: the inbox's rule
	Approves   bool     // the report says that somebody approved these steps
	Steps      []string
}

// LateReply is a reply that has not been handed out.
type LateReply struct {
	Agent, Ask, ID, Person string
	At                     int64 // since when it counts
}

// Reader of news: a member with what they want.
type Told struct {
	Person string
	Since  int64 // a member
	Hours  NewsHours
	Places []Place // confirmed ones; the page is not among them
	Wishes map[Wish]bool
}

// Wants reports whether the person is to be told of an event in a workspace at a place.
func (t *Told) Wants(place, workspace string, e NewsEvent) bool {
	if t.Wishes[Wish{place, workspace, e, true}] {
		return true
	}
	return (place == t.Person || e.Always()) && !t.Wishes[Wish{place, workspace, e, false}]
}

// NewsSituation is what planning looks at.
type NewsSituation struct {
	Workspace   string
	From, To    NewsCursor
	Asks        []OpenAsk
	Unconfirmed []Unconfirmed // reports in somebody's name: what is new since the cursor, and where who is here has changed, what came lately
	Replies     []LateReply
	People      []Told
}

// Notices keeps where people are told of what, and what is on its way.
type Notices interface {
	// AddPlace returns ErrFull when the person has MostPlaces. One that is to be confirmed takes the place of those for the
	// same address that are.
	AddPlace(ctx context.Context, act Act, p Place) error
	Place(ctx context.Context, person, id string) (Place, error)
	Places(ctx context.Context, person string) ([]Place, error)
	// ConfirmPlace confirms the place of a person that has this key, by its hash, and that has not
	// ended by act.At; else ErrNotFound.
	ConfirmPlace(ctx context.Context, act Act, person, hash string) (Place, error)
	// SetPlaceSecret replaces what sending takes, SetPlaceDigest when e-mail comes.
	SetPlaceSecret(ctx context.Context, act Act, person, id, secret string) error
	SetPlaceDigest(ctx context.Context, act Act, person, id string, hour int) error
	// RemovePlace forgets a place, and what was wished for and is on its way there.
	RemovePlace(ctx context.Context, act Act, person, id string) error
	Wishes(ctx context.Context, person string) ([]Wish, error)
	// SetWishes replaces what a person wishes in a workspace.
	SetWishes(ctx context.Context, act Act, person, workspace string, wishes []Wish) error
	NewsHours(ctx context.Context, person string) (NewsHours, error)
	SetNewsHours(ctx context.Context, act Act, person string, h NewsHours) error

	// NewsWorkspaces lists workspaces that are there; with changed, those alone that have changed
	// since their cursor.
	NewsWorkspaces(ctx context.Context, changed bool) ([]string, error)
	// NewsSituation reads what there may be to tell in a workspace at a time.
	NewsSituation(ctx context.Context, workspace string, at int64) (*NewsSituation, error)
	// PlanNews moves the cursor on and keeps the news, all or nothing; what a place has already is
	// left out. It returns how many are new, and ErrNotFound when somebody else has moved the
	// cursor meanwhile: then nothing is kept, because they have planned the same.
	PlanNews(ctx context.Context, workspace string, from, to NewsCursor, news []News) (int, error)
	// AddNews keeps one of its own.
	AddNews(ctx context.Context, n News) error

	// ClaimNews takes up to n that are due under a lease until then, oldest first. Of two who ask at
	// once nobody gets what the other got.
	ClaimNews(ctx context.Context, lease string, at, until int64, n int) ([]Due, error)
	// EndNews says what became of a claimed one: its new State, Tries, Answer, Next and Ended.
	// ErrNotFound when the lease is not its lease any more. What has arrived ends the place's
	// failing; a try that failed begins it, and what is dead tells the person of it in the page.
	EndNews(ctx context.Context, lease string, s Sending) error
	// ReplayNews sends one of a person's that has ended once more, under its own id.
	ReplayNews(ctx context.Context, act Act, person, id string) error
	// Sendings lists what was sent to a person beyond the page since then, newest first.
	Sendings(ctx context.Context, person string, since int64, n int) ([]Sending, error)
	// NewsItem is one of a person's.
	NewsItem(ctx context.Context, person, id string) (Sending, error)

	// PageNews lists what the page tells a person in a workspace, newest first.
	PageNews(ctx context.Context, person, workspace string, from, n int) (list []Sending, more bool, err error)
	// UnreadNews counts what is not over among the newest NewsLooked that are not read.
	UnreadNews(ctx context.Context, person, workspace string) (int, error)
	// ReadNews marks all read that came by until.
	ReadNews(ctx context.Context, person, workspace string, until, at int64) error
	// SweepNews forgets what has ended before then, except about asks that are still open.
	SweepNews(ctx context.Context, before int64) error
	// PushKey is the key of web push. The first call ever keeps the fresh one; every other one
	// changes nothing.
	PushKey(ctx context.Context, freshPrivate, freshPublic string, at int64) (private, public string, err error)
}

// NewsLooked is among how many unread pieces of news those are counted that are not over.
const NewsLooked = 100
