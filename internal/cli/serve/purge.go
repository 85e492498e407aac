package serve

// purgeFlags say what a server does with workspaces that were deleted.
type purgeFlags struct {
	PurgeDeleted bool `help:"Remove workspaces for good that were deleted 30 days ago. Default: they stay until figs-web admin workspace purge."`
}
