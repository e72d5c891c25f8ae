#!/bin/sh
# Before the .deb's files go: the connected tools of everyone in the list of users get their files back, as by
# "Disconnect all". Whatever fails, the removal goes on. dpkg calls it before an update too, which leaves all as it is.
[ "$1" = remove ] || exit 0
app=/opt/Switchyard/switchyard

getent passwd | while IFS=: read -r name _ uid _ _ home _; do
  [ "$uid" -eq 0 ] || [ "$uid" -ge 1000 ] || continue
  timeout 5 ls "$home"/.config/Switchyard/connect/*.json >/dev/null 2>&1 || continue
  # While it runs, its folder is in use. It ends by itself, calls under way first.
  if pkill -TERM -u "$uid" -f "^$app"; then
    for _ in 1 2 3 4 5 6 7 8 9 10; do
      pgrep -u "$uid" -f "^$app" >/dev/null || break
      sleep 1
    done
  fi
  # As that person, who may have no display now, and away from root's terminal. The environment of whoever
  # removes the package has folders of theirs. Chromium refuses to run as root with its sandbox.
  sandbox=
  [ "$uid" -ne 0 ] || sandbox=--no-sandbox
  # shellcheck disable=SC2086
  setsid --wait runuser -u "$name" -- env -i HOME="$home" PATH=/usr/bin:/bin timeout -k 5 60 "$app" \
    --ozone-platform=headless --disable-gpu $sandbox --disconnect-all </dev/null 2>&1 |
    while IFS= read -r line; do printf 'switchyard, %s: %s\n' "$name" "$line"; done
done
exit 0
