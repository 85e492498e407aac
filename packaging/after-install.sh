#!/bin/sh
# After the package is installed or upgraded: the account is made, and a service that runs is started anew.
set -eu
if command -v systemd-sysusers >/dev/null 2>&1; then
	systemd-sysusers figs-web.conf
fi
if test -d /run/systemd/system; then
	systemctl daemon-reload
	systemctl try-restart figs-web.service
fi
