// Gives a process that lives for months what counts only when it is there from the start: a flag of V8, and how memory is allocated.
'use strict';

/**
 * The GNU allocator counts as large what is larger than anything freed before, and gives back little of the rest: a process stays as large as it
 * ever was. With limits that stand still (bytes) it gives columns back at once.
 */
var allocation = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '262144' };

/**
 * Starts this program once more in the same process, with compilation on its main thread. Where that cannot be, it goes on as it is; so it
 * does where the user has already decided about `--concurrent-recompilation`, either way.
 *
 * V8 compiles in four threads, and what each needed at most stays with its allocator: 10 MiB in all after some minutes, and more whenever a
 * larger function comes. On the main thread it is memory that other things use at other times.
 */
exports.beginAnew = function beginAnew() {
  if (process.platform !== 'linux' || typeof process.execve !== 'function') return;
  // An editor's program that stands in for Node.js.
  if (process.versions.electron) return;
  if (/--(no-?)?concurrent[-_]recompilation/.test(process.execArgv.join('\n'))) return;
  var flags = ['--no-concurrent-recompilation'].concat(process.execArgv);
  var environment = Object.assign({}, allocation, process.env);
  try {
    // A program that has gone meanwhile would end this one too: what cannot be started aborts.
    require('node:fs').accessSync(process.execPath, require('node:fs').constants.X_OK);
    process.execve(process.execPath, [process.execPath].concat(flags, process.argv.slice(1)), environment);
  } catch (_) {
    // Not allowed, as with `node --permission`.
  }
};
