package serve

// OIDCClaimFlags say how to read the claims of providers that differ from the standard.
type OIDCClaimFlags struct {
	OIDCVerifiedClaim         string `placeholder:"NAME" help:"The claim that says that a person's email address is verified, as in xms_edov for Microsoft Entra. Default: email_verified."`
	OIDCMissingGroupsMeanNone bool   `help:"If the provider sends no groups claim for someone, treat them as a member of no group: they lose their roles in the workspaces of --oidc-role. For providers that leave the claim out for people without groups. Without it, their roles don't change."`
}
