#!/bin/sh
# gatehouse start      serves
# gatehouse COMMAND    everything else; "gatehouse --help" has the list
set -eu
umask 077

# A wrong setting, which trying again does not help (EX_CONFIG).
fail() {
  echo "gatehouse: $1" >&2
  exit 78
}
absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }

# Finds the folder of this script from the name it was called with. Only a link to the command
# itself is followed: a link to the folder may point to another version by the time the next worker
# starts.
self=$0
while [ -L "$self" ]; do
  to=$(readlink -- "$self")
  case $to in /*) self=$to ;; *) self=$(dirname -- "$self")/$to ;; esac
done
program=$(cd -- "$(dirname -- "$self")" && pwd)/program

# Settings (.env) and data: the machine's, if it has a folder for them, else those of the calling
# user.
if [ -z "${SETTINGS_DIR:-}" ]; then
  if [ -d /etc/gatehouse ]; then
    SETTINGS_DIR=/etc/gatehouse
    if [ ! -x "$SETTINGS_DIR" ] || { [ -e "$SETTINGS_DIR/.env" ] && [ ! -r "$SETTINGS_DIR/.env" ]; }; then
      fail "$SETTINGS_DIR/.env cannot be read by $(id -un). Call this as the user of the service (sudo -u gatehouse gatehouse ...), or set SETTINGS_DIR to a folder of your own."
    fi
  else
    [ -n "${XDG_DATA_HOME:-}${HOME:-}" ] || fail 'Set SETTINGS_DIR to the folder for settings and data.'
    SETTINGS_DIR=${XDG_DATA_HOME:-$HOME/.local/share}/gatehouse
  fi
fi
SETTINGS_DIR=$(absolute "$SETTINGS_DIR")
[ -z "${DATA_DIR:-}" ] || DATA_DIR=$(absolute "$DATA_DIR")
export SETTINGS_DIR ${DATA_DIR:+DATA_DIR} NODE_ENV=production NEXT_TELEMETRY_DISABLED=1

# Keeps compiled code for later starts.
cache=${CACHE_DIRECTORY:-${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}}
[ -z "$cache" ] || export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$cache/gatehouse}"

if [ "${1:-}" = start ]; then
  shift
  exec "$program/node" "$program/.next/programs/server/main.mjs" "$@"
fi
[ "${1:-}" != cli ] || shift
exec "$program/node" "$program/.next/programs/cli/main.mjs" "$@"
