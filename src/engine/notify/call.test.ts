import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import type { NotifyEvent } from '../../config/notify.ts';
import type { Project } from '../project.ts';
import { callAbout } from './call.ts';
import type { News } from './types.ts';

type Options = { cwd: string; detached: boolean; env: object; stdio: [number, string, string] };
type Call = { words: readonly string[]; input: { calls: object[] }; options: Options; child: EventEmitter };
let started: Call[];
let project: Project;
beforeEach(() => {
  started = [];
  const spawn = (program: string, args: readonly string[], options: Options) => {
    const child = Object.assign(new EventEmitter(), { unref: () => {} });
    const input = JSON.parse(fs.readFileSync(options.stdio[0], 'utf8'));
    started.push({ words: [program, ...args], input, options, child });
    return child;
  };
  vi.spyOn(childProcess, 'spawn').mockImplementation(spawn as unknown as typeof childProcess.spawn);
  // Whoever imported it by its name, in whichever file, has this one now.
  syncBuiltinESMExports();
  const bare = bareProject(0);
  const env = { ...bare.env, HOLDFAST_DRIVER: 'secret', CLAUDE_CODE_SESSION_ID: 's' };
  const notify = [['limit'], ['let-go', 'done']].map((on) => ({
    by: 'desktop' as const,
    on: on as NotifyEvent[],
  }));
  project = { ...bare, env, config: { ...bare.config, notify } };
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const news = (more: Partial<News> = {}): News => ({
  ...{ event: 'done', run: 'toy:a', cause: 'done completed s', text: 'toy:a is done', why: 'It is.' },
  ...more,
});

it('somebody is called once about one cause, and about another, another run and another project', () => {
  for (const more of [{}, {}, { cause: 'another' }, { run: 'toy:b' }]) callAbout([news(more)], project);
  callAbout([news()], { ...project, root: `${project.root}-2` });
  expect(started).toHaveLength(4);
});

it('they are told at once what happened, where and when, and only what somebody wants to know', () => {
  callAbout(
    [news(), news({ event: 'needs-you', cause: 'x' }), news({ event: 'limit', cause: 'y' })],
    project,
  );
  const about = { project: 'project', run: 'toy:a', text: 'toy:a is done', why: 'It is.' };
  const calls = ['done', 'limit'].map((event) => ({ event, ...about, time: '1970-01-01T00:00:00.000Z' }));
  expect(started.map(({ input }) => input)).toEqual([{ root: project.root, calls }]);
  callAbout([news({ event: 'needs-you' })], project);
  expect(started).toHaveLength(1);
});

it('our own command is started with nothing of ours, no file is left, and its trouble is its own', () => {
  callAbout([news()], project);
  const [{ words = [], options, child } = {}] = started;
  expect([words[0], path.basename(words[1] ?? ''), ...words.slice(2)]).toEqual([
    ...[process.execPath, 'holdfast', 'notify', '--send'],
  ]);
  expect(options).toMatchObject({
    cwd: project.env.HOME,
    detached: true,
    stdio: [expect.any(Number), 'ignore', 'ignore'],
  });
  expect(Object.keys(options?.env ?? {}).sort()).toEqual(['HOME', 'PATH', 'XDG_STATE_HOME']);
  const left = fs.readdirSync(`${project.env.XDG_STATE_HOME}/holdfast`);
  expect(left.filter((name) => !name.startsWith('notified-session-call-'))).toEqual([]);
  expect(() => child?.emit('error', new Error('no such program'))).not.toThrow();
});
