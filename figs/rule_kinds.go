package figs

// Rules of the other folders that agents write for people: artifact channels, finding registries and Agentfile
// workflows. They stand in the one catalogue behind the protocol's own. Their sentences are with those who judge
// them, so that the engine, which reads .figs alone, carries their names and nothing more.
const (
	// Artifact channels: records, producers, targets, revisions.
	RecordMalformed Code = AttachmentUnnamed + 1 + iota
	RecordFieldMissing
	RecordFieldMalformed
	RecordVersionUnknown
	RecordNameDiffers
	RecordIDReused
	RecordStatusUnknown
	RecordChannelMalformed
	RecordKindUnknown
	RecordTSMalformed
	RecordKeyDuplicate
	RecordTitleTooLong
	RecordSummaryTooLong
	RecordSummarySecret
	RecordTextHidden
	RecordPathDiffers
	ProducerMalformed
	ProducerWorkMissing
	TargetMissing
	TargetEscapes
	TargetUnreadable
	TargetKindDiffers
	TargetSizeDiffers
	TargetDigestDiffers
	TargetUnchecked
	DigestMalformed
	ReplacesUnknown
	ReplacesItself
	ReplacesCycle
	ReplacesOtherChannel
	RevisionsCompete
	ParentUnknown
	WorkCycle

	// Finding registries: entries and the file.
	EntryMalformed
	EntryFieldMissing
	EntryFieldMalformed
	EntryVersionUnknown
	EntrySourceIncomplete
	EntryApplicableUnknown
	EntryApplicableMissing
	EntryStatusUnknown
	EntrySeverityUnknown
	EntrySupersededByMissing
	EntrySupersededByUnknown
	EntrySupersedesCycle
	EntrySupersededByUnexpected
	EntryDedupKeyDiffers
	EntryDedupKeyReused
	EntryIDReused
	EntryKeyDuplicate
	EntryDateMalformed
	EntryExpired
	EntryTextHidden
	RegistryUnreadable
	RegistryLocked
	RegistryTorn

	// Agentfile: YAML, workflows, steps, prompts, manifests, status files.
	YAMLBroken
	YAMLAlias
	YAMLTooLarge
	YAMLKeyDuplicate
	WorkflowKeyUnknown
	WorkflowFieldMissing
	WorkflowFieldMalformed
	WorkflowSpecUnknown
	WorkflowNameMalformed
	WorkflowNameDiffers
	WorkflowVersionMalformed
	WorkflowTriggerUnknown
	WorkflowExecutionUnknown
	WorkflowStepsMissing
	WorkflowAgentsMissing
	WorkflowScriptMissing
	StepIDMalformed
	StepIDReused
	StepKindUnknown
	StepFieldMissing
	StepKeyUnknown
	StepScriptMissing
	StepGateUnknown
	StepFileMissing
	StepPathEscapes
	StepInputUnknown
	SharedFileMissing
	PromptHeadingMissing
	PromptSectionMissing
	WorkflowTextHidden
	ManifestMissing
	ManifestMalformed
	ManifestFieldMissing
	ManifestFieldMalformed
	ManifestSpecUnknown
	ManifestRunIDMalformed
	ManifestFolderDiffers
	ManifestStatusUnknown
	ManifestPhaseUnknown
	ManifestPhaseMissing
	ManifestStepUnknown
	ManifestStepMissing
	ManifestStepStatusUnknown
	ManifestStepReused
	ManifestFileMissing
	ManifestFileEscapes
	ManifestFileSizeDiffers
	ManifestFileChecksumDiffers
	ManifestFileUnchecked
	ManifestPromotionMissing
	ManifestWorkflowUnknown
	ManifestKeyDuplicate
	ManifestErrorsUnordered
	StatusFileMalformed
	StatusFieldMissing
	StatusFieldMalformed
	StatusFileDiffers
	StatusRunUnknown

	// Any of them.
	ProjectFileUnreadable
	ProjectFileTooLarge
	ProjectUTF8Invalid
	ProjectTooManyFiles
)

// kindCodes is the first code that is not the protocol's own.
const kindCodes = AttachmentUnnamed + 1

var kindRules = [...]rule{
	RecordMalformed - kindCodes:        {"record_malformed", Error, OriginProtocol},
	RecordFieldMissing - kindCodes:     {"record_field_missing", Error, OriginProtocol},
	RecordFieldMalformed - kindCodes:   {"record_field_malformed", Error, OriginProtocol},
	RecordVersionUnknown - kindCodes:   {"record_version_unknown", Error, OriginProtocol},
	RecordNameDiffers - kindCodes:      {"record_name_differs", Error, OriginProtocol},
	RecordIDReused - kindCodes:         {"record_id_reused", Error, OriginProtocol},
	RecordStatusUnknown - kindCodes:    {"record_status_unknown", Error, OriginProtocol},
	RecordChannelMalformed - kindCodes: {"record_channel_malformed", Warning, OriginProtocol},
	RecordKindUnknown - kindCodes:      {"record_kind_unknown", Info, OriginProtocol},
	RecordTSMalformed - kindCodes:      {"record_ts_malformed", Error, OriginProtocol},
	RecordKeyDuplicate - kindCodes:     {"record_key_duplicate", Warning, OriginProtocol},
	RecordTitleTooLong - kindCodes:     {"record_title_too_long", Warning, OriginProtocol},
	RecordSummaryTooLong - kindCodes:   {"record_summary_too_long", Warning, OriginProtocol},
	RecordSummarySecret - kindCodes:    {"record_summary_secret", Warning, OriginProtocol},
	RecordTextHidden - kindCodes:       {"record_text_hidden", Warning, OriginProtocol},
	RecordPathDiffers - kindCodes:      {"record_path_differs", Warning, OriginProtocol},
	ProducerMalformed - kindCodes:      {"producer_malformed", Error, OriginProtocol},
	ProducerWorkMissing - kindCodes:    {"producer_work_missing", Error, OriginProtocol},
	TargetMissing - kindCodes:          {"target_missing", Warning, OriginProtocol},
	TargetEscapes - kindCodes:          {"target_escapes", Error, OriginProtocol},
	TargetUnreadable - kindCodes:       {"target_unreadable", Warning, OriginProtocol},
	TargetKindDiffers - kindCodes:      {"target_kind_differs", Warning, OriginProtocol},
	TargetSizeDiffers - kindCodes:      {"target_size_differs", Error, OriginProtocol},
	TargetDigestDiffers - kindCodes:    {"target_digest_differs", Error, OriginProtocol},
	TargetUnchecked - kindCodes:        {"target_unchecked", Info, OriginProtocol},
	DigestMalformed - kindCodes:        {"digest_malformed", Error, OriginProtocol},
	ReplacesUnknown - kindCodes:        {"replaces_unknown", Warning, OriginProtocol},
	ReplacesItself - kindCodes:         {"replaces_itself", Error, OriginProtocol},
	ReplacesCycle - kindCodes:          {"replaces_cycle", Error, OriginProtocol},
	ReplacesOtherChannel - kindCodes:   {"replaces_other_channel", Warning, OriginProtocol},
	RevisionsCompete - kindCodes:       {"revisions_compete", Warning, OriginProtocol},
	ParentUnknown - kindCodes:          {"parent_unknown", Warning, OriginProtocol},
	WorkCycle - kindCodes:              {"work_cycle", Warning, OriginProtocol},

	EntryMalformed - kindCodes:              {"entry_malformed", Warning, OriginProtocol},
	EntryFieldMissing - kindCodes:           {"entry_field_missing", Error, OriginProtocol},
	EntryFieldMalformed - kindCodes:         {"entry_field_malformed", Error, OriginProtocol},
	EntryVersionUnknown - kindCodes:         {"entry_version_unknown", Error, OriginProtocol},
	EntrySourceIncomplete - kindCodes:       {"entry_source_incomplete", Error, OriginProtocol},
	EntryApplicableUnknown - kindCodes:      {"entry_applicable_unknown", Error, OriginProtocol},
	EntryApplicableMissing - kindCodes:      {"entry_applicable_missing", Error, OriginProtocol},
	EntryStatusUnknown - kindCodes:          {"entry_status_unknown", Error, OriginProtocol},
	EntrySeverityUnknown - kindCodes:        {"entry_severity_unknown", Warning, OriginProtocol},
	EntrySupersededByMissing - kindCodes:    {"entry_superseded_by_missing", Error, OriginProtocol},
	EntrySupersededByUnknown - kindCodes:    {"entry_superseded_by_unknown", Warning, OriginProtocol},
	EntrySupersedesCycle - kindCodes:        {"entry_supersedes_cycle", Warning, OriginProtocol},
	EntrySupersededByUnexpected - kindCodes: {"entry_superseded_by_unexpected", Warning, OriginProtocol},
	EntryDedupKeyDiffers - kindCodes:        {"entry_dedup_key_differs", Warning, OriginProtocol},
	EntryDedupKeyReused - kindCodes:         {"entry_dedup_key_reused", Warning, OriginProtocol},
	EntryIDReused - kindCodes:               {"entry_id_reused", Error, OriginProtocol},
	EntryKeyDuplicate - kindCodes:           {"entry_key_duplicate", Warning, OriginProtocol},
	EntryDateMalformed - kindCodes:          {"entry_date_malformed", Warning, OriginProtocol},
	EntryExpired - kindCodes:                {"entry_expired", Info, OriginProtocol},
	EntryTextHidden - kindCodes:             {"entry_text_hidden", Warning, OriginProtocol},
	RegistryUnreadable - kindCodes:          {"registry_unreadable", Warning, OriginProtocol},
	RegistryLocked - kindCodes:              {"registry_locked", Info, OriginProtocol},
	RegistryTorn - kindCodes:                {"registry_torn", Warning, OriginProtocol},

	YAMLBroken - kindCodes:                  {"yaml_broken", Error, OriginProtocol},
	YAMLAlias - kindCodes:                   {"yaml_alias", Error, OriginProtocol},
	YAMLTooLarge - kindCodes:                {"yaml_too_large", Error, OriginProtocol},
	YAMLKeyDuplicate - kindCodes:            {"yaml_key_duplicate", Error, OriginProtocol},
	WorkflowKeyUnknown - kindCodes:          {"workflow_key_unknown", Error, OriginProtocol},
	WorkflowFieldMissing - kindCodes:        {"workflow_field_missing", Error, OriginProtocol},
	WorkflowFieldMalformed - kindCodes:      {"workflow_field_malformed", Error, OriginProtocol},
	WorkflowSpecUnknown - kindCodes:         {"workflow_spec_unknown", Error, OriginProtocol},
	WorkflowNameMalformed - kindCodes:       {"workflow_name_malformed", Error, OriginProtocol},
	WorkflowNameDiffers - kindCodes:         {"workflow_name_differs", Warning, OriginProtocol},
	WorkflowVersionMalformed - kindCodes:    {"workflow_version_malformed", Error, OriginProtocol},
	WorkflowTriggerUnknown - kindCodes:      {"workflow_trigger_unknown", Error, OriginProtocol},
	WorkflowExecutionUnknown - kindCodes:    {"workflow_execution_unknown", Error, OriginProtocol},
	WorkflowStepsMissing - kindCodes:        {"workflow_steps_missing", Error, OriginProtocol},
	WorkflowAgentsMissing - kindCodes:       {"workflow_agents_missing", Error, OriginProtocol},
	WorkflowScriptMissing - kindCodes:       {"workflow_script_missing", Warning, OriginProtocol},
	StepIDMalformed - kindCodes:             {"step_id_malformed", Error, OriginProtocol},
	StepIDReused - kindCodes:                {"step_id_reused", Error, OriginProtocol},
	StepKindUnknown - kindCodes:             {"step_kind_unknown", Error, OriginProtocol},
	StepFieldMissing - kindCodes:            {"step_field_missing", Error, OriginProtocol},
	StepKeyUnknown - kindCodes:              {"step_key_unknown", Error, OriginProtocol},
	StepScriptMissing - kindCodes:           {"step_script_missing", Error, OriginProtocol},
	StepGateUnknown - kindCodes:             {"step_gate_unknown", Error, OriginProtocol},
	StepFileMissing - kindCodes:             {"step_file_missing", Error, OriginProtocol},
	StepPathEscapes - kindCodes:             {"step_path_escapes", Error, OriginProtocol},
	StepInputUnknown - kindCodes:            {"step_input_unknown", Warning, OriginProtocol},
	SharedFileMissing - kindCodes:           {"shared_file_missing", Warning, OriginProtocol},
	PromptHeadingMissing - kindCodes:        {"prompt_heading_missing", Error, OriginProtocol},
	PromptSectionMissing - kindCodes:        {"prompt_section_missing", Error, OriginProtocol},
	WorkflowTextHidden - kindCodes:          {"workflow_text_hidden", Warning, OriginProtocol},
	ManifestMissing - kindCodes:             {"manifest_missing", Warning, OriginProtocol},
	ManifestMalformed - kindCodes:           {"manifest_malformed", Error, OriginProtocol},
	ManifestFieldMissing - kindCodes:        {"manifest_field_missing", Error, OriginProtocol},
	ManifestFieldMalformed - kindCodes:      {"manifest_field_malformed", Error, OriginProtocol},
	ManifestSpecUnknown - kindCodes:         {"manifest_spec_unknown", Error, OriginProtocol},
	ManifestRunIDMalformed - kindCodes:      {"manifest_run_id_malformed", Error, OriginProtocol},
	ManifestFolderDiffers - kindCodes:       {"manifest_folder_differs", Error, OriginProtocol},
	ManifestStatusUnknown - kindCodes:       {"manifest_status_unknown", Error, OriginProtocol},
	ManifestPhaseUnknown - kindCodes:        {"manifest_phase_unknown", Error, OriginProtocol},
	ManifestPhaseMissing - kindCodes:        {"manifest_phase_missing", Warning, OriginProtocol},
	ManifestStepUnknown - kindCodes:         {"manifest_step_unknown", Warning, OriginProtocol},
	ManifestStepMissing - kindCodes:         {"manifest_step_missing", Warning, OriginProtocol},
	ManifestStepStatusUnknown - kindCodes:   {"manifest_step_status_unknown", Error, OriginProtocol},
	ManifestStepReused - kindCodes:          {"manifest_step_reused", Error, OriginProtocol},
	ManifestFileMissing - kindCodes:         {"manifest_file_missing", Warning, OriginProtocol},
	ManifestFileEscapes - kindCodes:         {"manifest_file_escapes", Error, OriginProtocol},
	ManifestFileSizeDiffers - kindCodes:     {"manifest_file_size_differs", Error, OriginProtocol},
	ManifestFileChecksumDiffers - kindCodes: {"manifest_file_checksum_differs", Error, OriginProtocol},
	ManifestFileUnchecked - kindCodes:       {"manifest_file_unchecked", Info, OriginProtocol},
	ManifestPromotionMissing - kindCodes:    {"manifest_promotion_missing", Warning, OriginProtocol},
	ManifestWorkflowUnknown - kindCodes:     {"manifest_workflow_unknown", Info, OriginProtocol},
	ManifestKeyDuplicate - kindCodes:        {"manifest_key_duplicate", Warning, OriginProtocol},
	ManifestErrorsUnordered - kindCodes:     {"manifest_errors_unordered", Warning, OriginProtocol},
	StatusFileMalformed - kindCodes:         {"status_file_malformed", Error, OriginProtocol},
	StatusFieldMissing - kindCodes:          {"status_field_missing", Error, OriginProtocol},
	StatusFieldMalformed - kindCodes:        {"status_field_malformed", Error, OriginProtocol},
	StatusFileDiffers - kindCodes:           {"status_file_differs", Error, OriginProtocol},
	StatusRunUnknown - kindCodes:            {"status_run_unknown", Info, OriginProtocol},

	ProjectFileUnreadable - kindCodes: {"project_file_unreadable", Error, OriginProtocol},
	ProjectFileTooLarge - kindCodes:   {"project_file_too_large", Error, OriginProtocol},
	ProjectUTF8Invalid - kindCodes:    {"project_utf8_invalid", Warning, OriginProtocol},
	ProjectTooManyFiles - kindCodes:   {"project_too_many_files", Warning, OriginProtocol},
}

// OfKind reports whether the rule is about another folder than .figs.
func (c Code) OfKind() bool { return c >= kindCodes }
