// Stops with a clear message on a Node.js that is too old; in a syntax that very old ones understand.
'use strict';

/** Oldest Node.js that runs the bundles; package.json's `engines` says the same. */
var oldest = [22, 18];

/** Ends the process with status 2 when `version` (`v20.1.0`) is older than the oldest one supported. */
exports.checkNode = function checkNode(program, version) {
  var parts = version.replace(/^v/, '').split('.');
  var major = Number(parts[0]);
  var minor = Number(parts[1]);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return;
  /** Paths may hold anything; nothing that knows more of it can be loaded here. */
  function shown(path) {
    return path.replace(/[^ -~]/g, '?').slice(0, 300);
  }
  process.stderr.write(
    program +
      ' needs Node.js ' +
      oldest.join('.') +
      ' or newer, this is ' +
      version +
      ' (' +
      shown(process.execPath) +
      ').\n' +
      'Install a newer Node.js and put it first in PATH, or start ' +
      program +
      ' with it: /path/to/newer/node ' +
      shown(process.argv[1]) +
      '\n',
  );
  process.exit(2);
};
