#!/bin/bash
# Chromium, in which tests drive editors that are web pages, from a Debian suite into a prefix of its own: chromium.sh PREFIX SUITE
set -euo pipefail
prefix=$1 suite=$2
. "$(dirname "$0")/apt.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "Chromium: package lists of $suite"
private_apt "$work" "$suite"
with_patchelf "$work"
echo "Chromium: packages"
unpack_packages "$work" "$prefix" chromium chromium-sandbox- fontconfig-config fonts-dejavu-core
libraries=$(library_folder "$prefix")
for program in chromium chrome_crashpad_handler; do
  file=$prefix/usr/lib/chromium/$program
  if [ -f "$file" ]; then
    patchelf --set-interpreter "$(loader "$prefix")" "$file"
  fi
done
rm -rf "$prefix"/usr/share/{doc,locale,man,icons,lintian,mime}
mkdir -p "$prefix/bin"
cat >"$prefix/fonts.conf" <<XML
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>$prefix/usr/share/fonts</dir>
  <cachedir>$prefix/fonts-cache</cachedir>
</fontconfig>
XML
cat >"$prefix/bin/chromium" <<SH
#!/bin/sh
# Starts this Chromium with its own libraries and fonts, so that pictures are the same everywhere.
export FONTCONFIG_FILE=$prefix/fonts.conf
# By the environment and not in the binary: PulseAudio's library looks for its other half in the system alone.
export LD_LIBRARY_PATH=$libraries:$libraries/pulseaudio
exec $prefix/usr/lib/chromium/chromium "\$@"
SH
chmod +x "$prefix/bin/chromium"
"$prefix/bin/chromium" --version >"$prefix/.version.new" 2>"$work/errors" || { tail -n 3 "$work/errors"; exit 1; }
mv "$prefix/.version.new" "$prefix/.version"
