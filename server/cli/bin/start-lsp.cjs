// Starts the language server by the bundle that its arguments need.
'use strict';

/** The options that editors give: nothing else has to be understood, and reading the command line takes a tenth of the time until the first hint. */
var plain = /^--stdio$|^--clientProcessId=\d+$/;

/** `args` follows the name of the command. */
exports.startLsp = function startLsp(args) {
  if (args.every(plain.test, plain)) return void require('../lsp-chunk.cjs').serveLanguage();
  // The proxy in front of a Java server is a small bundle: with little memory to look through it keeps no message waiting.
  require(/^--wrap(=|$)/m.test(args.join('\n')) ? '../wrap.cjs' : '../insitu.cjs');
};
