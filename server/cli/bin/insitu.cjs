#!/usr/bin/env node
// The `insitu` command: checks the Node.js version, then loads a bundle beside this folder.
'use strict';
require('./check-node.cjs').checkNode('insitu', process.version);
if (process.argv[2] === 'record') require('./begin-anew.cjs').beginAnew();
// Compiled code is kept between runs, so that the next start is faster.
var cache = require('node:module').enableCompileCache().directory;
// Threads look for it in the environment.
if (cache) process.env.NODE_COMPILE_CACHE = cache;
if (process.argv[2] === 'lsp') require('./start-lsp.cjs').startLsp(process.argv.slice(3));
else require('../insitu.cjs');
