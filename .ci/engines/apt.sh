# Sourced by the engine scripts: a private apt state that reads Debian packages of any suite and leaves the system's alone.

# The address that this machine's own apt uses.
debian_mirror() {
  local found
  found=$(awk '/^URIs:/ { print $2; exit }' /etc/apt/sources.list.d/*.sources 2>/dev/null || true)
  [ -n "$found" ] || found=$(sed -nE 's/^deb +(\[[^]]*\] +)?([^ ]+) .*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | head -n 1)
  [ -n "$found" ] || { echo "no Debian mirror in /etc/apt" >&2; return 1; }
  echo "$found"
}

# private_apt FOLDER SUITE: writes FOLDER/apt.conf and fetches the package lists.
private_apt() {
  local folder=$1 suite=$2 mirror
  local keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  mirror=$(debian_mirror)
  [ -r "$keyring" ] || { echo "Debian's archive keyring is not on this machine" >&2; return 1; }
  mkdir -p "$folder"/etc/preferences.d "$folder"/state/lists/partial "$folder"/cache/archives/partial "$folder"/log
  echo "deb [signed-by=$keyring] $mirror $suite main" >"$folder/sources.list"
  : >"$folder/status"
  cat >"$folder/apt.conf" <<CONF
Dir::Etc::SourceList "$folder/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "$folder/etc/preferences.d";
Dir::State "$folder/state";
Dir::State::status "$folder/status";
Dir::Cache "$folder/cache";
Dir::Log "$folder/log";
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "2";
Acquire::http::Timeout "30";
CONF
  APT_CONFIG="$folder/apt.conf" apt-get update -qq
}

# unpack_packages FOLDER PREFIX PACKAGE…: the packages and all they depend on (own libc included), unpacked into PREFIX.
unpack_packages() {
  local folder=$1 prefix=$2 package
  shift 2
  APT_CONFIG="$folder/apt.conf" apt-get install -y -qq --download-only "$@" >/dev/null
  for package in "$folder"/cache/archives/*.deb; do dpkg -x "$package" "$prefix"; done
}

# unpack_alone FOLDER PREFIX PACKAGE: one package without its dependencies.
unpack_alone() {
  (cd "$1" && APT_CONFIG="$1/apt.conf" apt-get download -qq "$3" && dpkg -x "$3"_*.deb "$2" && rm "$3"_*.deb)
}

# with_patchelf FOLDER: makes sure that `patchelf` runs, from the machine or unpacked beside the package lists.
with_patchelf() {
  if command -v patchelf >/dev/null; then return; fi
  mkdir -p "$1/tools"
  # The machine's own suite: a newer one may need a newer libc.
  local suite
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  private_apt "$1/own" "$suite"
  unpack_alone "$1/own" "$1/tools" patchelf
  PATH="$1/tools/usr/bin:$PATH"
}

# The folder of shared libraries inside a prefix: /usr/lib/x86_64-linux-gnu, /usr/lib/aarch64-linux-gnu, …
library_folder() {
  echo "$1/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || gcc -print-multiarch 2>/dev/null || echo "$(uname -m)-linux-gnu")"
}

# The dynamic loader that came with a prefix's own libc.
loader() {
  find "$(library_folder "$1")" -maxdepth 1 -name 'ld-linux*.so.*' | head -n 1
}
