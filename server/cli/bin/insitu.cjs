#!/usr/bin/env node
// The `insitu` command: checks the Node.js version, then loads the bundle beside this folder.
'use strict';
require('./check-node.cjs').checkNode('insitu', process.version);
// Compiled code is kept between runs, so that the next start is faster.
var cache = require('node:module').enableCompileCache().directory;
// Threads look for it in the environment.
if (cache) process.env.NODE_COMPILE_CACHE = cache;
require('../insitu.cjs');
