#!/bin/bash
# OpenJDK without a desktop from a Debian suite into a prefix of its own, system untouched: jdk.sh PREFIX SUITE VERSION [with-sources]
set -euo pipefail
prefix=$1 suite=$2 version=$3 sources=${4:-}
. "$(dirname "$0")/apt.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "OpenJDK $version: package lists of $suite"
private_apt "$work" "$suite"
with_patchelf "$work"
echo "OpenJDK $version: packages"
unpack_packages "$work" "$prefix" "openjdk-$version-jdk-headless"
libraries=$(library_folder "$prefix")
interpreter=$(loader "$prefix")
home=$(find "$prefix/usr/lib/jvm" -maxdepth 1 -type d -name "java-$version-openjdk-*" | head -n 1)
for program in "$home"/bin/* "$home"/lib/jspawnhelper; do
  if [ -f "$program" ] && [ ! -L "$program" ] && patchelf --print-interpreter "$program" >/dev/null 2>&1; then
    patchelf --set-interpreter "$interpreter" --force-rpath --set-rpath "$home/lib:$libraries" "$program"
  fi
done
# Debian's configuration files are links into /etc and /usr: point them into the prefix.
find "$home" -type l | while read -r link; do
  target=$(readlink "$link")
  case $target in /etc/* | /usr/*) ln -sfn "$prefix$target" "$link" ;; esac
done
if [ -n "$sources" ]; then
  echo "OpenJDK $version: sources"
  unpack_alone "$work" "$work/sources" "openjdk-$version-source"
  archive=$(find "$work/sources" -name src.zip -type f | head -n 1)
  mkdir -p "$prefix/src"
  (cd "$prefix/src" && "$home/bin/jar" --extract --file "$archive" java.base jdk.compiler java.xml)
fi
rm -rf "$prefix"/usr/share/{doc,locale,man,icons,lintian}
ln -sfn "$home" "$prefix/java-home"
"$prefix/java-home/bin/java" -version 2>"$prefix/.version.new"
mv "$prefix/.version.new" "$prefix/.version"
