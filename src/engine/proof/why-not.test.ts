import { expect, it } from 'vitest';
import { WHY_NOT } from './why-not.ts';

it('says of every reason what it is and what would help', () => {
  expect(Object.entries(WHY_NOT).map(([why, { what, help }]) => `${why}: ${what}; ${help}`)).toEqual([
    'not-found: its program was not found; install it, or correct `run` in holdfast.config.json',
    'not-executable: its program may not be executed; make it executable with `chmod +x`',
    'no-folder: the folder in its `cwd` is not there; correct `cwd` in holdfast.config.json',
    'no-sandbox: it must run in a sandbox, and here it cannot be given one; a person can look with `holdfast doctor` at what is missing',
    "no-time: its time limit does not fit into what this stop has left; lower its `timeout`, or raise the time limit of the client's Stop hook",
    'changes-files: files changed while it ran, each time; have git ignore what it writes, or name in `paths` what it depends on',
    'too-much-output: it printed more than 64 MB and was ended; make it print less',
  ]);
});
