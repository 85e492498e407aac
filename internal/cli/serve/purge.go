package serve

// purgeFlags say what a server does with workspaces that were deleted.
type purgeFlags struct {
	PurgeDeleted bool `help:"Permanently remove workspaces 30 days after they were deleted. Default: keep them until figs-web admin workspace purge."`
}
