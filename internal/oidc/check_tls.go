package oidc

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"time"
)

// certificateFailure says what is wrong with the provider's TLS; code is "" if that isn't the reason.
func certificateFailure(err error, host string) (code, change, found string) {
	var invalid x509.CertificateInvalidError
	var name x509.HostnameError
	var unknown x509.UnknownAuthorityError
	var plain tls.RecordHeaderError
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && invalid.Cert != nil:
		found = "the provider's certificate expired on " + invalid.Cert.NotAfter.UTC().Format(time.DateOnly)
		if time.Now().Before(invalid.Cert.NotBefore) {
			found = "the provider's certificate is valid only from " + invalid.Cert.NotBefore.UTC().Format(time.DateOnly)
		}
		return "certificate_expired", "Renew the certificate, and check this machine's clock.", found
	case errors.As(err, &name):
		return "certificate_name", "Use the host that the certificate was issued for in --oidc-issuer, or get a certificate for this one.", "the provider's certificate is for another host than " + host
	case errors.As(err, &unknown):
		return "certificate_unknown", "Install your organization's root certificate on this machine (or set SSL_CERT_FILE), and let the provider send the whole chain.", "the provider's certificate is from an authority that this machine doesn't trust"
	case errors.As(err, &invalid):
		return "certificate", "Replace the certificate.", fmt.Sprintf("the provider's certificate isn't valid: %v", invalid)
	case errors.As(err, &plain), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "no_tls", "Check the port in --oidc-issuer: another one probably speaks TLS.", "the provider doesn't speak TLS at this port"
	}
	return "", "", ""
}
