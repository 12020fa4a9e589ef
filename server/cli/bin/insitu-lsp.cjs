#!/usr/bin/env node
// The `insitu-lsp` command, for editors that start a server by one name: the same as `insitu lsp`.
'use strict';
require('./check-node.cjs').checkNode('insitu-lsp', process.version);
require('node:module').enableCompileCache();
process.argv.splice(2, 0, 'lsp');
require('../insitu.cjs');
