#!/bin/bash
# Java libraries of Debian as jars beside the very sources they were built from: libraries.sh PREFIX SUITE NAME=PACKAGE:ROOTS:JARS…
# ROOTS are the source roots inside the source package, JARS the archives in /usr/share/java, both with commas between.
set -euo pipefail
prefix=$1 suite=$2
shift 2
. "$(dirname "$0")/apt.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "libraries: package lists of $suite"
private_apt "$work" "$suite"
# Source packages come from a list of their own, so that the other engines need not fetch it.
sed -i 's/^deb \(.*\)/&\ndeb-src \1/' "$work/sources.list"
export APT_CONFIG="$work/apt.conf"
apt-get update -qq

# about PACKAGE FIELD: what the package list says.
about() {
  apt-cache show --no-all-versions "$1" | sed -n "s/^$2: //p"
}

# unpack_source FOLDER PACKAGE: the source package of a binary package, with Debian's changes, in FOLDER/tree.
unpack_source() {
  local folder=$1 package=$2 name version patch
  # The field reads `name` or, where their versions differ, `name (version)`.
  read -r name version <<<"$(about "$package" Source | tr -d '()')"
  mkdir -p "$folder/tree"
  (cd "$folder" && apt-get source -qq --download-only "${name:-$package}=${version:-$(about "$package" Version)}" >/dev/null)
  tar -xf "$folder"/*.orig.tar.* -C "$folder/tree" --strip-components=1
  tar -xf "$folder"/*.debian.tar.* -C "$folder/tree"
  [ -s "$folder/tree/debian/patches/series" ] || return 0
  sed -e 's/#.*//' -e 's/[[:space:]].*//' -e '/^$/d' "$folder/tree/debian/patches/series" | while read -r patch; do
    (cd "$folder/tree" && git apply --whitespace=nowarn "debian/patches/$patch")
  done
}

for recipe in "$@"; do
  name=${recipe%%=*}
  IFS=: read -r package roots jars <<<"${recipe#*=}"
  echo "libraries: $name"
  folder=$work/$name
  unpack_source "$folder" "$package"
  mkdir -p "$folder/binary" "$prefix/src/$name" "$prefix/jars/$name"
  unpack_alone "$work" "$folder/binary" "$package"
  for root in ${roots//,/ }; do cp -r "$folder/tree/$root/." "$prefix/src/$name"; done
  for jar in ${jars//,/ }; do cp -L "$folder/binary/usr/share/java/$jar" "$prefix/jars/$name"; done
  echo "$name $(about "$package" Version)" >>"$prefix/.versions"
  rm -rf "$folder"
done
paste -sd, "$prefix/.versions" | sed 's/,/, /g' >"$prefix/.version.new"
mv "$prefix/.version.new" "$prefix/.version"
