package accountpages

// SigningKey is the public key of a server.
type SigningKey struct {
	Key   string // base64url
	Since int64  // microseconds since 1970
}
