#!/bin/bash
# Runs one engine script under a lock, twice at most, and writes the stamp that says the engine is whole: fetch.sh PREFIX KEY SCRIPT ARGS…
set -euo pipefail
prefix=$(realpath -m "$1") key=$2 script=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
name=$(basename "$prefix")
mkdir -p "$(dirname "$prefix")"

stop() {
  echo "$1"
  exit 1
}
command -v apt-get >/dev/null || stop "apt-get is not on this machine (the engine comes from Debian's packages)"
command -v dpkg >/dev/null || stop "dpkg is not on this machine (the engine comes from Debian's packages)"

exec 9>"$prefix.lock"
flock -n 9 || { echo "$name: another run fetches it, waiting" && flock 9; }
if [ "$(head -n 1 "$prefix/.insitu-stamp" 2>/dev/null)" = "$key" ]; then exit 0; fi

started=$SECONDS
for attempt in 1 2; do
  # Prefixes hold absolute paths, so they are built where they stay; the stamp comes last.
  rm -rf "$prefix"
  mkdir -p "$prefix"
  if bash "$here/$script" "$prefix" "$@" && [ -s "$prefix/.version" ]; then
    printf '%s\n%s\n' "$key" "$(head -n 1 "$prefix/.version")" >"$prefix/.insitu-stamp.new"
    mv "$prefix/.insitu-stamp.new" "$prefix/.insitu-stamp"
    echo "$name: $(head -n 1 "$prefix/.version"), ready after $((SECONDS - started)) s"
    exit 0
  fi
  [ $attempt = 2 ] || { echo "$name: trying once more" && sleep 3; }
done
rm -rf "$prefix"
stop "$name could not be fetched from Debian's packages (the lines above say why)"
