// The first file node runs, for the hook and the CLI alike. So plain that any old node can read it and say
// that it is too old, instead of dying on newer syntax in the bundle beside it.
'use strict';

function main(role) {
  if (Number(process.versions.node.split('.')[0]) < 20) tooOld(role);
  else if (role === 'hook') require('./hook.cjs').main(process.argv.slice(3));
  else require('./cli.cjs').main(process.argv.slice(2));
}

function tooOld(role) {
  const text = `Holdfast needs Node 20 or later; this is ${process.versions.node} at ${process.execPath}. Install a newer one, or set HOLDFAST_NODE to its path.`;
  if (role !== 'hook') {
    process.stderr.write(`${text}\n`);
    process.exitCode = 1;
    return;
  }
  if (!toldBefore()) process.stdout.write(`${JSON.stringify({ systemMessage: text })}\n`);
}

// Once per user, like the launcher's own notice about a missing node.
function toldBefore() {
  const fs = require('fs');
  const folder = `${process.env.XDG_STATE_HOME || `${process.env.HOME}/.local/state`}/holdfast`;
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.closeSync(fs.openSync(`${folder}/told-old-node`, 'wx'));
    return false;
  } catch (error) {
    return error.code === 'EEXIST';
  }
}

exports.main = main;
if (require.main === module) main(process.argv[2]);
