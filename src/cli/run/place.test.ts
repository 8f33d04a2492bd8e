import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cleanEnvironment, runCli } from '../../../test/support/hook.ts';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import type { Call } from '../../engine/workflow-cli.ts';
import { leaveTicket } from '../../store/tickets.ts';
import { type Place, placeFor } from './place.ts';

let project: TempProject;
let env: Record<string, string>;
let place: Place;

beforeEach(() => {
  project = tempProject();
  env = cleanEnvironment(project.root);
  const folder = path.join(project.root, 'deeper');
  fs.mkdirSync(folder);
  place = placeFor(folder, { stdin: () => 'typed' } as Call, env);
});
afterEach(() => project.remove());

it('a command is called there, as somebody with that environment calls it', async () => {
  const printed: string[] = [];
  const flags = { json: true };
  const call = place.call({ flags, words: ['a', 'b'] }, (line) => printed.push(line));
  expect(call).toMatchObject({ flags, words: ['a', 'b'], env, cwd: path.join(project.root, 'deeper') });
  expect(call.stdin()).toBe('typed');
  call.print('a line');
  expect(printed).toEqual(['a line']);
  expect(await call.existing()).toBeNull();
  expect((await call.forNewRun()).root).toBe(project.root);
  await runCli(project.root, ['idle', 'loop', 'a task']);
  expect((await call.existing())?.root).toBe(project.root);
});

it('another environment is another place in the same folder', async () => {
  const other = place.as({ ...env, MINE: '1' });
  expect(other.env).toEqual({ ...env, MINE: '1' });
  expect(place.env).toEqual(env);
  expect((await other.forNewRun()).root).toBe(project.root);
  expect((await other.forNewRun()).env).toEqual({ ...env, MINE: '1' });
  expect(other.call({ flags: {}, words: [] }, () => {}).stdin()).toBe('typed');
});

it('knows the run that a session was given last', async () => {
  expect(await place.runOf('s1')).toBeNull();
  const { stdout } = await runCli(project.root, ['idle', 'loop', 'a task'], {
    env: { CLAUDE_CODE_SESSION_ID: 's1' },
  });
  const [run = ''] = /idle:[\w-]+/.exec(stdout) ?? [];
  expect(await place.runOf('s1')).toBe(run);
  expect(await place.runOf('s2')).toBeNull();
});

it('knows which runs wait for the next session, and which of them is new', async () => {
  expect(await place.tickets()).toEqual([]);
  expect(await place.newTicket([])).toBeNull();
  const now = Date.now();
  leaveTicket(project.root, 'idle:a', now, env);
  leaveTicket(project.root, 'idle:b', now, env);
  expect(await place.tickets()).toEqual(['idle:a', 'idle:b']);
  expect(await place.newTicket(['idle:a'])).toBe('idle:b');
  expect(await place.newTicket(['idle:b'])).toBe('idle:a');
  expect(await place.newTicket([])).toBe('idle:a');
  // One that was there before is left again: it is the last.
  expect(await place.newTicket(['idle:a', 'idle:b'])).toBe('idle:b');
});
