import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callIn } from '../../../test/support/call.ts';
import { cleanEnvironment } from '../../../test/support/hook.ts';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import { type DriverRecord, recordsOf } from '../../driver/record.ts';
import { readBudget } from '../../engine/budget/record.ts';
import type { Project } from '../../engine/project.ts';
import { openProject } from '../../engine/stop/find-project.ts';
import { type Call, NotNow, WrongUsage } from '../../engine/workflow-cli.ts';
import { runtimeHere } from '../../hook/runtime.ts';
import { readSidecar } from '../../store/sidecars.ts';
import { registry } from '../../workflows/registry.ts';
import { begin } from './begin.ts';

let project: TempProject;

beforeEach(() => {
  project = tempProject();
});
afterEach(() => project.remove());

function begun(words: readonly string[], flags: Call['flags'] = {}): Promise<number> {
  const env = { ...cleanEnvironment(project.root), PATH: '' };
  const opened = (): Promise<Project> => openProject(project.root, runtimeHere(env));
  return begin({
    ...{ flags, words, env, cwd: project.root, now: Date.now(), stdin: () => '', print: () => {} },
    ...{ existing: opened, forNewRun: opened },
  });
}

describe('a run is not begun', () => {
  const NAMES = registry.map(({ name }) => name).join(', ');
  const IDLE = 'idle loop, idle issue, idle grind';
  it.each<[string[], Call['flags'], string]>([
    [[], {}, `run: which workflow? One of ${NAMES}. \`holdfast help run\` shows how.`],
    [['--', 'idle'], {}, `run: which workflow? One of ${NAMES}. \`holdfast help run\` shows how.`],
    [
      ['Make the tests pass'],
      {},
      "run: which workflow? For a task: holdfast run idle loop 'Make the tests pass'",
    ],
    [['nothing', 'x'], {}, `run: there is no workflow "nothing". There are: ${NAMES}.`],
    [['idle'], {}, `run: "idle" starts no run. These do: ${IDLE}.`],
    [['flow', 'list'], {}, 'run: "flow list" starts no run. These do: flow start.'],
    [['taskie'], {}, 'run taskie: what is to be built? Usage: holdfast run taskie "<what to build>"'],
    [
      ['taskie', ' ', '', '--', 'x'],
      {},
      'run taskie: what is to be built? Usage: holdfast run taskie "<what to build>"',
    ],
    [
      ['idle', 'loop', 'x'],
      { answer: 'yes' },
      'run: --answer goes with --continue, to a run that has asked.',
    ],
    [['idle', 'loop', 'x'], { access: 'all' }, 'run: --access is "edit" or "full".'],
    [['idle', 'loop', 'x'], { 'stop-at': 'plan' }, 'run: --stop-at is for taskie; idle has no stages.'],
  ])('where nobody knows what is meant: %j %j', async (words, flags, text) => {
    await expect(begun(words, flags)).rejects.toThrow(new WrongUsage(text));
    expect(project.exists('.holdfast')).toBe(false);
  });

  it('where no client is there to be driven', async () => {
    await expect(begun(['idle', 'loop', 'x'])).rejects.toThrow(NotNow);
    await expect(begun(['idle', 'loop', 'x'])).rejects.toThrow(/^no client that can be driven is on PATH: /);
    expect(project.exists('.holdfast')).toBe(false);
  });
});

describe('a run is begun', () => {
  let env: Record<string, string>;
  let beside: string;

  beforeEach(() => {
    beside = path.dirname(project.root);
    fs.mkdirSync(path.join(beside, 'bin'));
    // It is told its task, and the run is gone when it ends, so that nothing is left to drive.
    const script = `#!/bin/sh
printf '%s\\n' "$@" >'${beside}/words'
read -r line
printf '%s\\n' "$line" >'${beside}/prompt'
rm -r '${project.root}/.jwz'
`;
    fs.writeFileSync(path.join(beside, 'bin/claude'), script, { mode: 0o755 });
    env = { ...cleanEnvironment(project.root), PATH: `${beside}/bin:${process.env.PATH}` };
    vi.spyOn(process, 'cwd').mockReturnValue(project.root);
  });
  afterEach(() => vi.restoreAllMocks());

  async function driven(words: readonly string[], flags: Call['flags'] = {}): Promise<DriverRecord> {
    const { call } = callIn(project.root, { words, flags: { json: true, ...flags }, env });
    const streams = [process.stdout, process.stderr].map(
      (stream) => [stream, stream.listeners('error') as (() => void)[]] as const,
    );
    const writing = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      expect(await begin(call)).toBe(5);
    } finally {
      writing.mockRestore();
      for (const [stream, listeners] of streams) {
        stream.removeAllListeners('error');
        for (const listener of listeners) stream.on('error', listener);
      }
    }
    const [known, ...more] = recordsOf(env, project.root);
    if (known === undefined || more.length > 0) throw new Error('there is not one record');
    return known.record;
  }

  it('by the command of its workflow, in a session of its own', async () => {
    const before = Date.now();
    const record = await driven(['idle', 'loop', '--max', '3', 'a', 'task', '--', '-x', 'y'], {
      ...{ model: 'opus', persist: '2', reviews: '4' },
    });
    const words = fs.readFileSync(path.join(beside, 'words'), 'utf8').trim().split('\n');
    const session = words[words.indexOf('--session-id') + 1];
    expect(words.slice(-4)).toEqual(['--model', 'opus', '-x', 'y']);
    expect(record).toMatchObject({
      ...{ schema: 1, root: project.root, run: expect.stringMatching(/^idle:loop-/), workflow: 'idle' },
      ...{ asked: 'idle loop --max 3 a task', session, worktree: null, commit: null },
      options: {
        ...{ client: 'claude-code', access: 'edit', fresh: false, model: 'opus', persist: 2, stopAt: null },
        ...{ unattended: false, args: ['-x', 'y'] },
      },
      ended: { code: 5, why: 'cancelled-by-agent' },
    });
    expect(record.startedAt).toBeGreaterThanOrEqual(before);
    const given = JSON.parse(fs.readFileSync(path.join(beside, 'prompt'), 'utf8'));
    expect(given.message.content).toBe(record.prompt);
    expect(record.prompt).toContain('a task');
    expect(record.prompt).toContain('<loop-done>COMPLETE</loop-done>');
    const here = await openProject(project.root, runtimeHere(env));
    expect(readBudget(here, record.run ?? '')?.limits).toEqual({
      ...{ tokens: null, timeMs: null, reviews: 4, usd: null },
    });
    expect(readSidecar(project.root, record.run ?? '').sessions).toEqual([session]);
    expect(fs.readFileSync(path.join(project.home, '.local/state/holdfast/driver-client.json'), 'utf8')).toBe(
      '{"program":"claude"}\n',
    );
  });

  it('not where its own command refuses', async () => {
    const { call } = callIn(project.root, { words: ['idle', 'loop', '--max', 'x', 'task'], env });
    await expect(begin(call)).rejects.toThrow(WrongUsage);
    expect(recordsOf(env, project.root)).toEqual([]);
    expect(fs.existsSync(path.join(beside, 'words'))).toBe(false);
  });
});
