#!/usr/bin/env node
// The `insitu` command: checks the Node.js version, then loads a bundle beside this folder.
'use strict';
require('./check-node.cjs').checkNode('insitu', process.version);
if (process.argv[2] === 'record') require('./begin-anew.cjs').beginAnew();
// Compiled code is kept between runs, so that the next start is faster.
var cache = require('node:module').enableCompileCache().directory;
// Threads look for it in the environment.
if (cache) process.env.NODE_COMPILE_CACHE = cache;
// What stands in front of a Java server is a small bundle: with little memory to look through it keeps no message waiting.
var wraps = process.argv[2] === 'lsp' && /^--wrap(=|$)/m.test(process.argv.slice(3).join('\n'));
require(wraps ? '../wrap.cjs' : '../insitu.cjs');
