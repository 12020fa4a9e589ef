#!/bin/bash
# OpenJDK 11, of which the launcher's library lies in a folder of its own: jdk11.sh PREFIX SUITE
set -euo pipefail
prefix=$1 suite=$2
home=$prefix/usr/lib/jvm/java-11-openjdk-$(dpkg --print-architecture)
LD_LIBRARY_PATH="$home/lib/jli" bash "$(dirname "$0")/jdk.sh" "$prefix" "$suite" 11
ln -sfn jli/libjli.so "$home/lib/libjli.so"
"$prefix/java-home/bin/java" -version 2>/dev/null
