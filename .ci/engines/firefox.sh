#!/bin/bash
# Firefox, in which tests look at the page beside Chromium, from a Debian suite into a prefix of its own: firefox.sh PREFIX SUITE
set -euo pipefail
prefix=$1 suite=$2
. "$(dirname "$0")/apt.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "Firefox: package lists of $suite"
private_apt "$work" "$suite"
with_patchelf "$work"
echo "Firefox: packages"
unpack_packages "$work" "$prefix" firefox-esr fontconfig-config fonts-dejavu-core
libraries=$(library_folder "$prefix")
home=$prefix/usr/lib/firefox-esr
for program in firefox-esr plugin-container glxtest vaapitest; do
  file=$home/$program
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
cat >"$prefix/bin/firefox" <<SH
#!/bin/sh
# Starts this Firefox with its own libraries and fonts; its sandbox needs rights that containers lack.
export FONTCONFIG_FILE=$prefix/fonts.conf LD_LIBRARY_PATH=$home:$libraries
export MOZ_DISABLE_CONTENT_SANDBOX=1 MOZ_DISABLE_GMP_SANDBOX=1 MOZ_DISABLE_RDD_SANDBOX=1 MOZ_DISABLE_SOCKET_PROCESS_SANDBOX=1 MOZ_CRASHREPORTER_DISABLE=1
exec $home/firefox-esr "\$@"
SH
chmod +x "$prefix/bin/firefox"
HOME=$work "$prefix/bin/firefox" --version >"$prefix/.version.new" 2>"$work/errors" || { tail -n 3 "$work/errors"; exit 1; }
mv "$prefix/.version.new" "$prefix/.version"
