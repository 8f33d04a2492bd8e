import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import type { Project } from '../project.ts';
import { callAbout } from './call.ts';
import type { News } from './types.ts';

type Spawned = { input: string; cwd: unknown; detached: unknown; env: Record<string, string> };
type Started = { program: string; words: readonly string[]; outputs: unknown; child: EventEmitter };
const spawned: Spawned[] = [];
const started: Started[] = [];
let unreferenced = 0;
let temp: TempProject;
let project: Project;
beforeEach(() => {
  spawned.length = 0;
  started.length = 0;
  unreferenced = 0;
  const spawn = (
    program: string,
    words: string[],
    options: Spawned & { stdio: [number, string, string] },
  ) => {
    const { cwd, detached, env } = options;
    spawned.push({ input: fs.readFileSync(options.stdio[0], 'utf8'), cwd, detached, env });
    const unref = (): void => {
      unreferenced++;
    };
    const child = Object.assign(new EventEmitter(), { unref });
    started.push({ program, words, outputs: options.stdio.slice(1), child });
    return child;
  };
  vi.spyOn(childProcess, 'spawn').mockImplementation(spawn as unknown as typeof childProcess.spawn);
  // Whoever imported it by its name, in whichever file, has this one now.
  syncBuiltinESMExports();
  temp = tempProject('project', { emptyHome: true });
  const { root } = temp;
  const config = { ...DEFAULT_CONFIG, notify: [{ by: 'desktop' as const, on: ['done' as const] }] };
  const env = { HOME: temp.home, HOLDFAST_DRIVER: 'secret', CLAUDE_CODE_SESSION_ID: 's' };
  project = { root, home: `${root}/.holdfast`, env, now: 0, cli: 'holdfast', config };
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  temp.remove();
});

const news = (more: Partial<News> = {}): News => ({
  ...{ event: 'done', run: 'toy:a', cause: 'done completed s', text: 'toy:a is done', why: 'It is.' },
  ...more,
});

it('calls once about one cause, and again about another', () => {
  callAbout([news()], project);
  callAbout([news()], project);
  expect(spawned).toHaveLength(1);
  callAbout([news({ cause: 'done completed t' }), news({ run: 'toy:b' })], project);
  expect(JSON.parse(spawned[1]?.input ?? '{}').calls).toHaveLength(2);
});

it('starts nothing where nobody wants to know', () => {
  callAbout([news({ event: 'limit' })], project);
  callAbout([], project);
  expect(spawned).toEqual([]);
});

it('gives the process nothing of ours, and leaves no file with what is said', () => {
  callAbout([news()], project);
  expect(spawned[0]).toMatchObject({ cwd: temp.home, detached: true });
  expect(Object.keys(spawned[0]?.env ?? {})).toEqual(['HOME']);
  expect(JSON.parse(spawned[0]?.input ?? '{}')).toMatchObject({
    root: temp.root,
    calls: [{ project: 'project' }],
  });
  const left = fs.readdirSync(`${temp.home}/.local/state/holdfast`);
  expect(left.filter((name) => !name.startsWith('notified-session-call-'))).toEqual([]);
});

it('starts our own command, and waits neither for it nor for its trouble', () => {
  callAbout([news()], project);
  const [call] = started;
  expect([call?.program, call?.words.slice(1), call?.outputs]).toEqual([
    process.execPath,
    ['notify', '--send'],
    ['ignore', 'ignore'],
  ]);
  expect(call?.words[0]).toMatch(/\/bin\/holdfast$/);
  expect(unreferenced).toBe(1);
  expect(() => call?.child.emit('error', new Error('no such program'))).not.toThrow();
});

it('says what happened, where and when, and only what somebody wants to know', () => {
  const notify = [
    { by: 'desktop' as const, on: ['limit' as const] },
    { by: 'desktop' as const, on: ['let-go' as const, 'done' as const] },
  ];
  const all = [news(), news({ event: 'needs-you', cause: 'x' }), news({ event: 'limit', cause: 'y' })];
  callAbout(all, { ...project, config: { ...project.config, notify } });
  const about = { project: 'project', run: 'toy:a', text: 'toy:a is done', why: 'It is.' };
  const time = '1970-01-01T00:00:00.000Z';
  expect(JSON.parse(spawned[0]?.input ?? '{}').calls).toEqual([
    { event: 'done', ...about, time },
    { event: 'limit', ...about, time },
  ]);
});

it('calls about the same cause in another project', () => {
  callAbout([news()], project);
  callAbout([news()], { ...project, root: `${project.root}-2` });
  expect(spawned).toHaveLength(2);
});
