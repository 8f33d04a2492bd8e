// Why a check cannot run, and what would help: the same words for agents, notices, `why` and the log.

import type { CannotRun } from './types.ts';

export const WHY_NOT: Readonly<Record<CannotRun, { what: string; help: string }>> = {
  'not-found': {
    what: 'its program was not found',
    help: 'install it, or correct `run` in holdfast.config.json',
  },
  'not-executable': { what: 'its program may not be executed', help: 'make it executable with `chmod +x`' },
  'no-folder': {
    what: 'the folder in its `cwd` is not there',
    help: 'correct `cwd` in holdfast.config.json',
  },
  'no-sandbox': {
    what: 'it must run in a sandbox, and here it cannot be given one',
    help: 'a person can look with `holdfast doctor` at what is missing',
  },
  'no-time': {
    what: 'its time limit does not fit into what this stop has left',
    help: "lower its `timeout`, or raise the time limit of the client's Stop hook",
  },
  'changes-files': {
    what: 'files changed while it ran, each time',
    help: 'have git ignore what it writes, or name in `paths` what it depends on',
  },
  'too-much-output': { what: 'it printed more than 64 MB and was ended', help: 'make it print less' },
};
