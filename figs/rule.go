package figs

// Severity says what a finding means for the person who reads it.
type Severity uint8

const (
	// Info is worth knowing and asks for nothing.
	Info Severity = iota
	// Warning is odd, likely a mistake, and never stops a push.
	Warning
	// Error breaks the protocol (§5) or would be refused by a client.
	Error
)

// String returns the word of the report: "info", "warning" or "error".
//
//go:noinline
func (s Severity) String() string { return [...]string{"info", "warning", "error"}[s] }

// Origin says why a rule is an error where the reference client would let the line pass.
type Origin uint8

const (
	// OriginProtocol rules are refused by the reference client too, or are no errors.
	OriginProtocol Origin = iota
	// OriginStricter rules are errors by a sentence of the specification that the
	// reference client does not enforce; the lesson cites it.
	OriginStricter
	// OriginClient rules are legal by the protocol, but clients refuse to push the record.
	OriginClient
)

// String returns "protocol", "stricter" or "client".
func (o Origin) String() string { return [...]string{"protocol", "stricter", "client"}[o] }

// Code names a rule. Codes are snake_case words, noun first, and never reused;
// the number is an index into Rules and has no meaning outside one build.
type Code uint8

// String returns the rule's stable name, as it stands in reports and addresses.
//
//go:noinline
func (c Code) String() string { return c.rule().name }

// Severity returns how grave a finding of this rule is.
//
//go:noinline
func (c Code) Severity() Severity { return c.rule().severity }

// Origin returns where the rule's strictness comes from.
func (c Code) Origin() Origin { return c.rule().origin }

// Codes returns how many rules there are; every Code below it is valid.
func Codes() Code { return kindCodes + Code(len(kindRules)) }

// ParseCode finds a rule by its stable name.
func ParseCode(name string) (Code, bool) {
	for c := range Codes() {
		if c.rule().name == name {
			return c, true
		}
	}
	return 0, false
}

func (c Code) rule() *rule {
	if c.OfKind() {
		return &kindRules[c-kindCodes]
	}
	return &rules[c]
}

type rule struct {
	name     string
	severity Severity
	origin   Origin
}

// The rules in the order of §4 and §5: lines, files, records, references, attachments.
const (
	LineBroken Code = iota
	LineTorn
	LineNotObject
	LineTooLong
	LineTooDeep
	LineUTF8Invalid
	LineUnterminated
	KeyDuplicate
	RecordTooLarge
	LedgerTooLarge
	FileUTF16
	FileUnreadable
	FileChanged
	FolderUnrecognised

	AgentMissing
	AgentMalformed
	NameMissing
	PlaceholderLeft
	ConfigMalformed
	AgentIDMissing
	AgentIDMalformed
	WorkspaceIDMalformed
	EndpointMalformed
	UnitIncomplete
	StatsMalformed
	PropertiesMalformed
	StepsMalformed
	ResponsibilitiesMalformed
	StepsAndResponsibilities
	OrgMalformed
	AvatarMalformed
	UnitsMalformed

	RunIDMissing
	RunTSMissing
	RunStatusUnknown
	RunStateUnknown
	AskIDMissing
	AskTypeMissing
	AskTypeUnknown
	AskTypeRetired
	AskTitleMissing
	AskStatusUnknown
	AskToUnknown
	MessageIDMissing
	MessageKindMissing
	MessageKindUnknown
	MessageKindReserved
	MessageAskMissing
	MessageTSMissing
	MessageByMissing
	MessageVerdictMissing
	MessageVerdictUnknown
	MessageSourceRefused
	AnswerEmpty
	TSMalformed
	TextMalformed
	TextHiddenCharacters
	DollarEaten
	OptionsMalformed
	OptionTooLong
	OnApproveMalformed
	OnApproveOnQuestion
	DetailsMalformed
	DetailsValueMalformed
	AttachmentsMalformed
	ArtifactMalformed
	ArtifactsMalformed
	RefsMalformed
	AttachmentLegacyField
	ResolutionMalformed
	ResolutionViaUnknown
	SessionMalformed
	TokensMalformed

	UnitUnknown
	AskRunUnknown
	ResolutionRunUnknown
	ResolutionAnswerUnknown
	ResolutionAnswerMissing
	ResolutionAnswerOtherAsk
	ResolutionChosenUnknown
	AskChangedAfterReply
	CloseCitesEarlierRound
	CloseWithoutVerdict
	CloseAgainstVerdict
	AskRejectedReopened
	SignOffWithoutAttachment
	SignOffWithoutOnApprove
	MessageChosenUnknown
	MessageAskUnknown
	MessageIDReused
	VerdictOnQuestion
	AnswerOnSignOff
	JobSilent
	TSFuture
	TSOutOfOrder

	AttachmentNameInvalid
	AttachmentTypeUnsupported
	AttachmentTooLarge
	AttachmentMissing
	AttachmentCaseDiffers
	AttachmentUnnamed
)

var rules = [...]rule{
	LineBroken:         {"line_broken", Error, OriginStricter},
	LineTorn:           {"line_torn", Warning, OriginProtocol},
	LineNotObject:      {"line_not_object", Error, OriginProtocol},
	LineTooLong:        {"line_too_long", Error, OriginStricter},
	LineTooDeep:        {"line_too_deep", Error, OriginStricter},
	LineUTF8Invalid:    {"line_utf8_invalid", Warning, OriginProtocol},
	LineUnterminated:   {"line_unterminated", Info, OriginProtocol},
	KeyDuplicate:       {"key_duplicate", Warning, OriginProtocol},
	RecordTooLarge:     {"record_too_large", Warning, OriginProtocol},
	LedgerTooLarge:     {"ledger_too_large", Error, OriginStricter},
	FileUTF16:          {"file_utf16", Error, OriginProtocol},
	FileUnreadable:     {"file_unreadable", Error, OriginProtocol},
	FileChanged:        {"file_changed", Warning, OriginProtocol},
	FolderUnrecognised: {"folder_unrecognised", Error, OriginProtocol},

	AgentMissing:              {"agent_missing", Error, OriginProtocol},
	AgentMalformed:            {"agent_malformed", Error, OriginStricter},
	NameMissing:               {"name_missing", Error, OriginStricter},
	PlaceholderLeft:           {"placeholder_left", Error, OriginProtocol},
	ConfigMalformed:           {"config_malformed", Error, OriginProtocol},
	AgentIDMissing:            {"agent_id_missing", Error, OriginProtocol},
	AgentIDMalformed:          {"agent_id_malformed", Error, OriginStricter},
	WorkspaceIDMalformed:      {"workspace_id_malformed", Warning, OriginProtocol},
	EndpointMalformed:         {"endpoint_malformed", Warning, OriginProtocol},
	UnitIncomplete:            {"unit_incomplete", Warning, OriginProtocol},
	StatsMalformed:            {"stats_malformed", Warning, OriginProtocol},
	PropertiesMalformed:       {"properties_malformed", Warning, OriginProtocol},
	StepsMalformed:            {"steps_malformed", Warning, OriginProtocol},
	ResponsibilitiesMalformed: {"responsibilities_malformed", Warning, OriginProtocol},
	StepsAndResponsibilities:  {"steps_and_responsibilities", Warning, OriginProtocol},
	OrgMalformed:              {"org_malformed", Warning, OriginProtocol},
	AvatarMalformed:           {"avatar_malformed", Warning, OriginProtocol},
	UnitsMalformed:            {"units_malformed", Warning, OriginProtocol},

	RunIDMissing:          {"run_id_missing", Error, OriginProtocol},
	RunTSMissing:          {"run_ts_missing", Error, OriginProtocol},
	RunStatusUnknown:      {"run_status_unknown", Error, OriginProtocol},
	RunStateUnknown:       {"run_state_unknown", Error, OriginProtocol},
	AskIDMissing:          {"ask_id_missing", Error, OriginProtocol},
	AskTypeMissing:        {"ask_type_missing", Error, OriginProtocol},
	AskTypeUnknown:        {"ask_type_unknown", Error, OriginProtocol},
	AskTypeRetired:        {"ask_type_retired", Error, OriginProtocol},
	AskTitleMissing:       {"ask_title_missing", Error, OriginProtocol},
	AskStatusUnknown:      {"ask_status_unknown", Error, OriginProtocol},
	AskToUnknown:          {"ask_to_unknown", Error, OriginProtocol},
	MessageIDMissing:      {"message_id_missing", Error, OriginProtocol},
	MessageKindMissing:    {"message_kind_missing", Error, OriginStricter},
	MessageKindUnknown:    {"message_kind_unknown", Error, OriginProtocol},
	MessageKindReserved:   {"message_kind_reserved", Error, OriginProtocol},
	MessageAskMissing:     {"message_ask_missing", Error, OriginProtocol},
	MessageTSMissing:      {"message_ts_missing", Error, OriginProtocol},
	MessageByMissing:      {"message_by_missing", Error, OriginProtocol},
	MessageVerdictMissing: {"message_verdict_missing", Error, OriginProtocol},
	MessageVerdictUnknown: {"message_verdict_unknown", Error, OriginProtocol},
	MessageSourceRefused:  {"message_source_refused", Error, OriginClient},
	AnswerEmpty:           {"answer_empty", Error, OriginProtocol},
	TSMalformed:           {"ts_malformed", Error, OriginStricter},
	TextMalformed:         {"text_malformed", Warning, OriginProtocol},
	TextHiddenCharacters:  {"text_hidden_characters", Warning, OriginProtocol},
	DollarEaten:           {"dollar_eaten", Warning, OriginProtocol},
	OptionsMalformed:      {"options_malformed", Error, OriginProtocol},
	OptionTooLong:         {"option_too_long", Warning, OriginProtocol},
	OnApproveMalformed:    {"on_approve_malformed", Error, OriginProtocol},
	OnApproveOnQuestion:   {"on_approve_on_question", Error, OriginProtocol},
	DetailsMalformed:      {"details_malformed", Error, OriginProtocol},
	DetailsValueMalformed: {"details_value_malformed", Error, OriginStricter},
	AttachmentsMalformed:  {"attachments_malformed", Error, OriginProtocol},
	ArtifactMalformed:     {"artifact_malformed", Error, OriginProtocol},
	ArtifactsMalformed:    {"artifacts_malformed", Error, OriginProtocol},
	RefsMalformed:         {"refs_malformed", Error, OriginProtocol},
	AttachmentLegacyField: {"attachment_legacy_field", Warning, OriginProtocol},
	ResolutionMalformed:   {"resolution_malformed", Warning, OriginProtocol},
	ResolutionViaUnknown:  {"resolution_via_unknown", Warning, OriginProtocol},
	SessionMalformed:      {"session_malformed", Warning, OriginProtocol},
	TokensMalformed:       {"tokens_malformed", Warning, OriginProtocol},

	UnitUnknown:              {"unit_unknown", Warning, OriginProtocol},
	AskRunUnknown:            {"ask_run_unknown", Warning, OriginProtocol},
	ResolutionRunUnknown:     {"resolution_run_unknown", Warning, OriginProtocol},
	ResolutionAnswerUnknown:  {"resolution_answer_unknown", Warning, OriginProtocol},
	ResolutionAnswerMissing:  {"resolution_answer_missing", Warning, OriginProtocol},
	ResolutionAnswerOtherAsk: {"resolution_answer_other_ask", Warning, OriginProtocol},
	ResolutionChosenUnknown:  {"resolution_chosen_unknown", Warning, OriginProtocol},
	AskChangedAfterReply:     {"ask_changed_after_reply", Warning, OriginProtocol},
	CloseCitesEarlierRound:   {"close_cites_earlier_round", Warning, OriginProtocol},
	CloseWithoutVerdict:      {"close_without_verdict", Warning, OriginProtocol},
	CloseAgainstVerdict:      {"close_against_verdict", Warning, OriginProtocol},
	AskRejectedReopened:      {"ask_rejected_reopened", Warning, OriginProtocol},
	SignOffWithoutAttachment: {"sign_off_without_attachment", Warning, OriginProtocol},
	SignOffWithoutOnApprove:  {"sign_off_without_on_approve", Warning, OriginProtocol},
	MessageChosenUnknown:     {"message_chosen_unknown", Warning, OriginProtocol},
	MessageAskUnknown:        {"message_ask_unknown", Warning, OriginProtocol},
	MessageIDReused:          {"message_id_reused", Warning, OriginProtocol},
	VerdictOnQuestion:        {"verdict_on_question", Warning, OriginProtocol},
	AnswerOnSignOff:          {"answer_on_sign_off", Warning, OriginProtocol},
	JobSilent:                {"job_silent", Warning, OriginProtocol},
	TSFuture:                 {"ts_future", Warning, OriginProtocol},
	TSOutOfOrder:             {"ts_out_of_order", Warning, OriginProtocol},

	AttachmentNameInvalid:     {"attachment_name_invalid", Error, OriginStricter},
	AttachmentTypeUnsupported: {"attachment_type_unsupported", Error, OriginStricter},
	AttachmentTooLarge:        {"attachment_too_large", Error, OriginStricter},
	AttachmentMissing:         {"attachment_missing", Warning, OriginProtocol},
	AttachmentCaseDiffers:     {"attachment_case_differs", Warning, OriginProtocol},
	AttachmentUnnamed:         {"attachment_unnamed", Warning, OriginProtocol},
}
