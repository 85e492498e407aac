#!/bin/sh
# After the package is installed or upgraded: the account is made, and a service that runs is started anew.
# In another root (dpkg --root, an image) no service is touched.
set -eu
if command -v systemd-sysusers >/dev/null 2>&1; then
	systemd-sysusers ${DPKG_ROOT:+"--root=$DPKG_ROOT"} figs-web.conf
fi
if test -z "${DPKG_ROOT:-}" && test -d /run/systemd/system; then
	systemctl daemon-reload
	systemctl try-restart figs-web.service
fi
