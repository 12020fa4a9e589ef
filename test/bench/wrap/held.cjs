// Loaded into the proxy by the benchmark: notes how long each message that is measured is there, from the bytes' arrival until they are handed on, and until the system has taken them.
'use strict';
const { writeFileSync } = require('node:fs');
const { Socket } = require('node:net');
const { Readable, Writable } = require('node:stream');

/** Where to; what the proxy starts has other arguments, and is left alone. */
const file = process.env.HELD_FILE;
if (file !== undefined && process.argv.includes('--wrap')) {
  /** When it came, was handed on, and was taken, in nanoseconds of the machine's clock. */
  const held = [];
  let came = 0n;
  // The question's method, and what only its answer holds.
  const isMeasured = bytes =>
    /"method":"textDocument\/completion"|"result":\{"came":/.test(bytes.toString('latin1', 0, 200));

  const { push } = Readable.prototype;
  Socket.prototype.push = function (chunk, encoding) {
    came = process.hrtime.bigint();
    return push.call(this, chunk, encoding);
  };

  const { write } = Writable.prototype;
  Socket.prototype.write = function (bytes, ...rest) {
    if (!Buffer.isBuffer(bytes) || rest.length > 0 || !isMeasured(bytes)) return write.call(this, bytes, ...rest);
    const times = [came, process.hrtime.bigint()];
    return write.call(this, bytes, () => held.push([...times, process.hrtime.bigint()].map(String)));
  };

  process.on('exit', () => writeFileSync(file, JSON.stringify(held)));
}
