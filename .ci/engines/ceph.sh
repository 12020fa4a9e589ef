#!/bin/bash
# Ceph with its RADOS Gateway, a store that speaks S3, from a Debian suite into a prefix of its own: ceph.sh PREFIX SUITE
set -euo pipefail
prefix=$1 suite=$2
. "$(dirname "$0")/apt.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "Ceph: package lists of $suite"
private_apt "$work" "$suite"
with_patchelf "$work"
echo "Ceph: packages"
unpack_packages "$work" "$prefix" ceph-mon ceph-osd radosgw ceph-common
# Packages of this suite put some libraries into /lib, others into /usr/lib.
cp -a "$prefix"/lib/. "$prefix/usr/lib/" && rm -rf "$prefix/lib"
libraries=$(library_folder "$prefix")
interpreter=$(loader "$prefix")
python=$(find "$prefix/usr/bin" -name 'python3.*' -type f | head -n 1)
mkdir -p "$prefix/bin"
# Libraries of Ceph name the folder they were built for, so the path to them comes from outside.
run() {
  local name=$1
  shift
  cat >"$prefix/bin/$name" <<SH
#!/bin/sh
# Starts this Ceph's $name with its own libraries.
export LD_LIBRARY_PATH=$libraries/ceph:$libraries PYTHONHOME=$prefix/usr PYTHONPATH=$prefix/usr/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1
exec $* "\$@"
SH
  chmod +x "$prefix/bin/$name"
}
for program in ceph-mon ceph-osd radosgw radosgw-admin ceph-authtool monmaptool; do
  patchelf --set-interpreter "$interpreter" "$prefix/usr/bin/$program"
  run "$program" "$prefix/usr/bin/$program"
done
patchelf --set-interpreter "$interpreter" "$python"
run ceph "$python" "$prefix/usr/bin/ceph"
# Where the daemons find their parts, for their configuration.
ln -sfn "$libraries" "$prefix/libraries"
keep=$(printf '%s\n' ceph ceph-mon ceph-osd radosgw radosgw-admin ceph-authtool monmaptool "$(basename "$python")")
find "$prefix/usr/bin" -mindepth 1 | while read -r file; do grep -qxF "$(basename "$file")" <<<"$keep" || rm -f "$file"; done
rm -rf "$prefix"/usr/share/{doc,locale,man,icons,lintian,perl,python-wheels} "$prefix"/usr/lib/{gcc,perl} "$prefix"/usr/{sbin,games,include} "$libraries"/perl*
"$prefix/bin/ceph-mon" --version >"$prefix/.version.new"
"$prefix/bin/ceph" --version >/dev/null
mv "$prefix/.version.new" "$prefix/.version"
