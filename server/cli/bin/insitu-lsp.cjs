#!/usr/bin/env node
// The `insitu-lsp` command, for editors that start a server by one name: the same as `insitu lsp`.
'use strict';
require('./check-node.cjs').checkNode('insitu-lsp', process.version);
var cache = require('node:module').enableCompileCache().directory;
// Threads look for it in the environment.
if (cache) process.env.NODE_COMPILE_CACHE = cache;
process.argv.splice(2, 0, 'lsp');
require('./start-lsp.cjs').startLsp(process.argv.slice(3));
