// Loaded by node before the hook (`--require`): adds a line to a file right before the hook opens it for the N-th time,
// as a client does whose transcript lags. No clock is involved.
'use strict';

const fs = require('node:fs');

const { LATE_FILE: file, LATE_LINE: line, LATE_AT: at } = process.env;
delete process.env.NODE_OPTIONS;

const { openSync } = fs;
let opened = 0;
fs.openSync = (path, ...rest) => {
  if (path === file && ++opened === Number(at)) fs.appendFileSync(file, `${line}\n`);
  return openSync(path, ...rest);
};
