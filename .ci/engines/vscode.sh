#!/bin/bash
# VS Code as code-server, from npm alone, with a Node.js of its own, into a prefix: vscode.sh PREFIX CODE_SERVER@VERSION NODE@VERSION
set -euo pipefail
prefix=$1 package=$2 node=$3
command -v npm >/dev/null || { echo "npm is not on this machine"; exit 1; }
quiet=(--no-audit --no-fund --loglevel=error)

cd "$prefix"
echo "VS Code: $node, which runs it"
echo '{ "name": "engine", "private": true }' >package.json
npm install "${quiet[@]}" --ignore-scripts=false "$node"
export PATH=$prefix/node_modules/.bin:$PATH
echo "VS Code: $package"
# Its own set-up would also fetch programs that no test needs, from places that are no package registry.
npm install "${quiet[@]}" --ignore-scripts "$package"
editor=$prefix/node_modules/code-server/lib/vscode
(cd "$editor" && npm install "${quiet[@]}" --omit=dev --ignore-scripts)
(cd "$editor/extensions" && npm install "${quiet[@]}" --omit=dev --ignore-scripts)
ln -sfn node_modules "$editor/node_modules.asar"
echo "VS Code: the compiled parts that it loads"
(cd "$editor" && npm rebuild "${quiet[@]}" @vscode/spdlog node-pty) || echo "VS Code: without terminal and log file"
npm rebuild "${quiet[@]}" argon2 --build-from-source
mkdir -p bin
cat >bin/code-server <<SH
#!/bin/sh
# Starts this code-server with the Node.js that it was installed with.
exec $prefix/node_modules/.bin/node $prefix/node_modules/code-server/out/node/entry.js "\$@"
SH
chmod +x bin/code-server
XDG_CONFIG_HOME=$prefix/configuration bin/code-server --version | tail -n 1 >.version.new
mv .version.new .version
