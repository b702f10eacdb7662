#!/bin/sh
# After the installation of the .deb or the .rpm: the user, whose group reads the configurations, and the unit. Without
# systemd, as in a container that is built, whoever runs the program chooses a user.
set -e
if command -v systemd-sysusers >/dev/null 2>&1; then
	systemd-sysusers fairstream.conf
	chgrp fairstream /etc/fairstream
fi
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
fi
