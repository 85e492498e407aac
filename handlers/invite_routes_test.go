package handlers

// inviteRows are the routes of invites: to the link of an invite everybody may come, and one that
// there is not lets nobody in.
func inviteRows(_ *town) map[string]hostedRow {
	page, nobody := hostedKinds["page"], answers{404, 404, 404, 404, 404, 404, 404, 404, 404}
	signedIn := nobody
	for _, i := range []int{0, 6, 7, 8} { // to sign-in first
		signedIn[i] = 303
	}
	return map[string]hostedRow{
		"GET /invite":           {"/invite?key=WRONG", "", page, nobody},
		"POST /invite":          {"/invite", "key=WRONG", page, signedIn},
		"POST /invite/join":     {"/invite/join", "key=WRONG&name=X&email=x@example.org&password=long-enough-1", page, nobody},
		"POST /invite/provider": {"/invite/provider", "key=WRONG", page, nobody},
		// This town knows no provider.
		"GET /sign-in/oidc":                         {"/sign-in/oidc", "", page, nobody},
		"GET /sign-in/oidc/callback":                {"/sign-in/oidc/callback?state=x&code=x", "", page, nobody},
		"GET /sign-in/oidc/again":                   {"/sign-in/oidc/again", "", page, signedIn},
		"POST /settings/signing-in/link":            {"/settings/signing-in/link", "x=1", page, signedIn},
		"POST /settings/signing-in/unlink":          {"/settings/signing-in/unlink", "issuer=x&subject=x", page, owned},
		"POST /w/:workspace/settings/invite":        {"/w/acme/settings/invite", "invited=&role=viewer", page, running},
		"POST /w/:workspace/settings/invite/revoke": {"/w/acme/settings/invite/revoke", "id=none", page, answers{303, 404, 403, 403, 422, 422, 303, 303, 303}},
	}
}
