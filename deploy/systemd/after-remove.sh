#!/bin/sh
# After the removal of the package. The user stays, since the configurations of the jobs do.
set -e
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
fi
