#!/bin/sh
# Before the .deb's files go: everyone's connected tools get their files back, as by "Disconnect all". Whatever
# fails, the removal goes on. dpkg calls it before an update too, which leaves all as it is.
[ "$1" = remove ] || exit 0

getent passwd | while IFS=: read -r name _ uid _ _ home _; do
  [ "$uid" -eq 0 ] || [ "$uid" -ge 1000 ] || continue
  ls "$home"/.config/Switchyard/connect/*.json >/dev/null 2>&1 || continue
  # As that person, who may have no display now, and away from root's terminal. The environment of whoever
  # removes the package has folders of theirs. Chromium refuses to run as root with its sandbox.
  sandbox=
  [ "$uid" -ne 0 ] || sandbox=--no-sandbox
  # shellcheck disable=SC2086
  setsid --wait runuser -u "$name" -- env -i HOME="$home" PATH=/usr/bin:/bin timeout 60 /opt/Switchyard/switchyard \
    --ozone-platform=headless --disable-gpu $sandbox --disconnect-all </dev/null 2>&1 |
    sed "s/^/switchyard, $name: /"
done
exit 0
