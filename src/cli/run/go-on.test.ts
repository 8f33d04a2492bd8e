import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NO_BUDGET, newRecord } from '../../../test/driver/records.ts';
import { cleanEnvironment, runCli } from '../../../test/support/hook.ts';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import { takeRun } from '../../driver/kept.ts';
import { type DriverRecord, readRecord, recordName, recordsOf, saveRecord } from '../../driver/record.ts';
import { NO_COUNTS } from '../../driver/types.ts';
import type { Project } from '../../engine/project.ts';
import { giveTrust } from '../../engine/proof/trust.ts';
import { openProject } from '../../engine/stop/find-project.ts';
import { type Call, NotNow, WrongUsage } from '../../engine/workflow-cli.ts';
import { runtimeHere } from '../../hook/runtime.ts';
import { processWith } from '../../processes/known.ts';
import { forAgents } from '../table.ts';
import { goOn } from './go-on.ts';

let project: TempProject;
let env: Record<string, string>;
let written: string;
let putBack: () => void;

beforeEach(() => {
  project = tempProject();
  const bin = path.join(path.dirname(project.root), 'bin');
  fs.mkdirSync(bin);
  // Nothing here starts it: a run that is over or waits for a person is not driven on.
  fs.writeFileSync(path.join(bin, 'claude'), '#!/bin/sh\nexit 9\n', { mode: 0o755 });
  env = { ...cleanEnvironment(project.root), PATH: `${bin}:${process.env.PATH}` };
  written = '';
  const streams = [process.stdout, process.stderr].map(
    (stream) => [stream, stream.listeners('error') as (() => void)[]] as const,
  );
  putBack = () => {
    for (const [stream, listeners] of streams) {
      stream.removeAllListeners('error');
      for (const listener of listeners) stream.on('error', listener);
    }
  };
});
afterEach(() => {
  vi.restoreAllMocks();
  putBack();
  project.remove();
});

async function continued(flags: Call['flags'], ...words: string[]): Promise<number> {
  const opened = (): Promise<Project> => openProject(project.root, runtimeHere(env));
  const call: Call = {
    ...{ flags: { continue: true, ...flags }, words, env, cwd: project.root, now: Date.now() },
    ...{ stdin: () => '', print: () => {}, existing: opened, forNewRun: opened },
  };
  const writing = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += text;
    return true;
  });
  try {
    return await goOn(call);
  } finally {
    writing.mockRestore();
  }
}

/** What was driven before, of a run that is over by now. */
function drivenBefore(
  given: Partial<DriverRecord> = {},
  options: Partial<DriverRecord['options']> = {},
): string {
  const record = newRecord({ root: project.root, run: 'idle:gone', ...given }, options);
  const name = recordName(record);
  saveRecord(env, name, record);
  return name;
}

const loop = async (...flags: string[]): Promise<string> => {
  const { stdout, stderr } = await runCli(project.root, ['idle', 'loop', ...flags, 'a task'], {
    env: { ...env, CLAUDE_CODE_SESSION_ID: 's1' },
  });
  const [run] = /idle:[\w-]+/.exec(stdout) ?? [];
  if (run === undefined) throw new Error(stderr);
  return run;
};

describe('run --continue is refused', () => {
  it.each<[Call['flags'], string[], string]>([
    [{ worktree: '' }, [], 'run --continue: --worktree is said at the start; a run stays where it is.'],
    [{}, ['idle:a', 'b'], 'run --continue: "b" is one word too many.'],
    [{}, ['idle:a', 'b', '--', 'c'], 'run --continue: "b" is one word too many.'],
    [{ answer: '' }, [], 'run --continue: --answer takes the text of your answer.'],
    [{ answer: ' \n' }, [], 'run --continue: --answer takes the text of your answer.'],
    [{ answer: true }, [], 'run --continue: --answer takes the text of your answer.'],
  ])('for what cannot be meant: %j %j', async (flags, words, text) => {
    await expect(continued(flags, ...words)).rejects.toThrow(new WrongUsage(text));
  });

  it('where no run goes on', async () => {
    await expect(continued({})).rejects.toThrow(
      new NotNow('no run goes on here, so there is nothing to continue. `holdfast status --all` lists them.'),
    );
  });

  it('where the run that is named is over', async () => {
    const run = await loop();
    await runCli(project.root, ['cancel', run], { env });
    await expect(continued({}, run)).rejects.toThrow(NotNow);
    await expect(continued({}, run)).rejects.toThrow(/^idle:\S+ is .*: there is nothing to go on with\.$/);
    expect(recordsOf(env, project.root)).toEqual([]);
  });

  it('where several go on and none is named', async () => {
    const run = await loop();
    project.write(
      'holdfast.flows/mine.yaml',
      'flow: mine\nstart: work\nstates:\n  work:\n    say: Work.\n    leave: [ { when: { signal: a }, to: b } ]\n  b: { end: completed }\n',
    );
    const flow = await runCli(project.root, ['flow', 'start', 'mine'], {
      env: { ...env, CLAUDE_CODE_SESSION_ID: 's2' },
    });
    expect(flow, flow.stderr).toMatchObject({ exitCode: 0 });
    const [other = ''] = /flow:mine-[\d-]+/.exec(flow.stdout) ?? [];
    await expect(continued({})).rejects.toThrow(NotNow);
    await expect(continued({})).rejects.toThrow(/^several runs go on here: .*, .*\. Name one\.$/);
    await expect(continued({})).rejects.toThrow(run);
    await expect(continued({})).rejects.toThrow(other);
  });

  it.each([
    [
      'what was driven',
      { fresh: true },
      "--fresh does not go with claudex: its reviewer runs in the agent's",
    ],
    ['what was driven', { 'stop-at': 'plan' }, '--stop-at is for taskie; claudex has no stages.'],
  ])('with what does not go with %s: %j', async (_, flags, text) => {
    drivenBefore({ run: 'claudex:gone', workflow: 'claudex' });
    await expect(continued(flags, 'gone')).rejects.toThrow(WrongUsage);
    await expect(continued(flags, 'gone')).rejects.toThrow(text);
  });

  it('with what does not go with a run that nobody drove', async () => {
    await loop();
    await expect(continued({ 'stop-at': 'plan' })).rejects.toThrow(
      new WrongUsage('run: --stop-at is for taskie; idle has no stages.'),
    );
    expect(recordsOf(env, project.root)).toEqual([]);
  });

  it('where another drives it, and where more is granted to what has no run yet', async () => {
    const name = drivenBefore({ run: null, id: 'i1' });
    const record = readRecord(env, name);
    if (record === null) throw new Error('there is no record');
    const held = takeRun(env, record);
    await expect(continued({}, 'i1')).rejects.toThrow(/is driven already by process \d+/);
    held.release();
    await expect(continued({ usd: '5' }, 'i1')).rejects.toThrow(
      new NotNow('its agent has begun no run yet, so there is no budget to add to.'),
    );
    // It was let go.
    takeRun(env, record).release();
    expect(written).toBe('');
  });

  it('where this version knows its client or its workflow no more', async () => {
    drivenBefore({ run: 'other:gone', workflow: 'other' });
    await expect(continued({}, 'gone')).rejects.toThrow(
      new NotNow('claude-code or other is not known to this version, so it cannot be driven.'),
    );
  });
});

describe('what is said again to run --continue', () => {
  const SAID = { access: 'full', fresh: true, model: 'a', persist: 4, unattended: true } as const;
  const recordIn = (name: string): DriverRecord => {
    const record = readRecord(env, name);
    if (record === null) throw new Error('there is no record');
    return record;
  };

  it('counts from now on, and what is not stays as it was', async () => {
    const name = drivenBefore({}, { ...SAID, args: ['-x'] });
    expect(await continued({ json: true }, 'gone')).toBe(5);
    const before = recordIn(name).options;
    expect(before).toMatchObject({ ...SAID, args: ['-x'], stopAt: null, client: 'claude-code' });
    await continued({ json: true, access: 'edit', model: 'b', persist: '0' }, 'gone', '--', '-y', 'z');
    expect(recordIn(name).options).toEqual({
      ...before,
      ...{ access: 'edit', model: 'b', persist: 0, args: ['-y', 'z'] },
    });
    await continued({ json: true, fresh: false, unattended: false }, 'gone', '--');
    expect(recordIn(name).options).toMatchObject({ fresh: false, unattended: false, args: [] });
    await continued({ json: true, fresh: true, unattended: true }, 'gone');
    expect(recordIn(name).options).toMatchObject({ fresh: true, unattended: true });
  });

  const stages: readonly [string | null, Call['flags'], string | null][] = [
    [null, {}, 'plan'],
    ['stop-at', {}, null],
    ['stuck', {}, 'plan'],
    ['stop-at', { 'stop-at': 'tasks' }, 'tasks'],
    [null, { 'stop-at': 'task' }, 'task'],
  ];
  it.each(stages)('where it ended by %j, %j has it stop at %j', async (why, flags, stopAt) => {
    const ended = why === null ? null : { code: 0, why, at: 1 };
    const name = drivenBefore({ run: 'taskie:gone', workflow: 'taskie', ended }, { stopAt: 'plan' });
    await continued({ json: true, ...flags }, 'gone');
    expect(recordIn(name).options.stopAt).toBe(stopAt);
  });

  const COUNTS = { ...NO_COUNTS, crashes: 2, persisted: 1 };
  const NEXT = { session: 'same', say: 'after-crash', at: null } as const;
  const NEW = { session: 'new', say: 'new-session', at: null };
  const SAME = { session: 'same', say: 'continue', at: null };
  it.each<[string | null, Partial<DriverRecord>]>([
    [null, { counts: COUNTS, next: NEXT, session: 's1', former: ['s0'] }],
    ['crashes', { counts: NO_COUNTS, next: SAME as DriverRecord['next'], session: 's1', former: ['s0'] }],
    ['released', { counts: NO_COUNTS, next: NEW as DriverRecord['next'], session: 's1', former: ['s0'] }],
    ['overflows', { counts: NO_COUNTS, next: NEW as DriverRecord['next'], session: 's1', former: ['s0'] }],
    ['taken-over', { counts: NO_COUNTS, next: NEW as DriverRecord['next'], session: null }],
  ])('what was driven and ended by %j goes on so: %j', async (why, wanted) => {
    const ended = why === null ? null : { code: 5, why, at: 1 };
    const name = drivenBefore({ ended, counts: COUNTS, next: NEXT, session: 's1', former: ['s0'] });
    await continued({ json: true }, 'gone');
    const { counts, next, session, former } = recordIn(name);
    expect({ counts, next, session, ...(former === undefined ? {} : { former }) }).toEqual(wanted);
    expect(recordIn(name).ended).toMatchObject({ code: 5, why: 'unknown-end' });
  });
});

describe('what a drive says at its end', () => {
  const events = () =>
    written
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('is a table and what to do next', async () => {
    drivenBefore({ asked: 'idle loop Do it' }, { access: 'full' });
    expect(await continued({}, 'gone')).toBe(5);
    const [first, task, began, empty, ...table] = written.trimEnd().split('\n');
    expect(first).toMatch(/^--access full: the agent may run any command/);
    expect(began).toMatch(
      new RegExp(
        `^\\d\\d:\\d\\d:\\d\\d {2}begins {5}as idle:gone, Claude Code with --access full, in ${project.root}$`,
      ),
    );
    expect(task).toBe('Task: idle loop Do it');
    expect(empty).toBe('');
    expect(table.slice(0, 4)).toEqual([
      '  asked       idle loop Do it',
      '  run         idle:gone',
      '  outcome     over, and nobody knows how it ended',
      '  proven by   no checks were asked for',
    ]);
    expect(table.at(-1)).toMatch(/^What happened: \S+ log$/);
  });

  it('is an object with --json, and says nothing for people', async () => {
    drivenBefore();
    expect(await continued({ json: true }, 'gone')).toBe(5);
    const [began, finished, ...more] = events();
    expect(more).toEqual([]);
    expect(began).toEqual({
      ...{ time: expect.any(String), event: 'began', run: 'idle:gone', asked: 'idle loop Do it all' },
      ...{ access: 'edit', root: project.root, client: 'Claude Code' },
    });
    expect(finished).toMatchObject({
      ...{ event: 'finished', code: 5, why: 'unknown-end', run: 'idle:gone', worktree: null },
      ...{ outcome: 'over, and nobody knows how it ended', next: [expect.stringMatching(/ log$/)] },
    });
  });

  it('has how to merge a work tree', async () => {
    const worktree = { path: project.root, branch: 'holdfast/x', from: '/from' };
    drivenBefore({ worktree });
    await continued({}, 'gone');
    expect(written).toContain(
      `The work is in ${project.root}, on the branch holdfast/x. To take it over: cd /from && git merge holdfast/x\nAfterwards: git worktree remove ${project.root} && git branch -d holdfast/x\n`,
    );
    written = '';
    await continued({ json: true }, 'gone');
    expect(events().at(-1)).toMatchObject({ worktree });
  });

  it('leaves the run to the next one, and no signal caught', async () => {
    const name = drivenBefore();
    const before = process.listenerCount('SIGINT');
    await continued({ json: true }, 'gone');
    expect(process.listenerCount('SIGINT')).toBe(before);
    const record = readRecord(env, name);
    if (record === null) throw new Error('there is no record');
    takeRun(env, record).release();
  });
});

describe('the client that a dead driver has left', () => {
  const left = () => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    const { pid } = child;
    if (pid === undefined) throw new Error('it did not start');
    return { child, known: processWith(pid), ended: once(child, 'exit') };
  };

  it('is waited for', async () => {
    const { child, known, ended } = left();
    const name = drivenBefore({ client: known });
    setTimeout(() => child.kill('SIGKILL'), 300);
    expect(await continued({ json: true }, 'gone')).toBe(5);
    // Not its signalCode, of which node may hear later than the driver sees that it is gone.
    expect(child.killed).toBe(true);
    expect(readRecord(env, name)?.client).toBeNull();
    await ended;
  });

  it('is named where it does not end', async () => {
    const { child, known, ended } = left();
    const name = drivenBefore({ client: known });
    const waits: unknown[] = [];
    const { setTimeout: later } = globalThis;
    // No time passes here.
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms: number) => {
      waits.push(ms);
      return later(act, 0);
    }) as typeof setTimeout);
    try {
      await expect(continued({ json: true }, 'gone')).rejects.toThrow(
        new NotNow(
          `process ${known.pid}, the client of a driver that has died, still runs. End it (kill ${known.pid}), then continue.`,
        ),
      );
    } finally {
      vi.restoreAllMocks();
      child.kill('SIGKILL');
    }
    expect(waits.filter((ms) => ms === 200)).toHaveLength(75);
    expect(readRecord(env, name)?.client).toEqual(known);
    await ended;
  });
});

it('a run that nobody drove is taken over in a new session, by the client that is there', async () => {
  const run = await loop();
  const asked = await runCli(project.root, ['ask', 'Which one?'], {
    env: { ...env, CLAUDE_CODE_SESSION_ID: 's1' },
  });
  expect(asked, asked.stderr).toMatchObject({ exitCode: 0 });
  const before = Date.now();
  expect(await continued({ json: true, model: 'opus', usd: undefined }, '--', '-x')).toBe(6);
  const [known, ...more] = recordsOf(env, project.root);
  expect(more).toEqual([]);
  expect(known?.record).toMatchObject({
    ...{ schema: 1, root: project.root, run, workflow: 'idle', asked: `go on with ${run}`, session: null },
    prompt: expect.stringMatching(
      new RegExp(`^Go on with ${run} \\(.+\\): \`\\S+ status\` shows where it stands\\.$`),
    ),
    options: {
      ...{ client: 'claude-code', access: 'edit', fresh: false, model: 'opus', persist: 1, stopAt: null },
      ...{ unattended: false, budget: NO_BUDGET, args: ['-x'] },
    },
    counts: NO_COUNTS,
    next: { session: 'new', say: 'new-session', at: null },
    ...{ client: null, commit: null, worktree: null, ended: { code: 6, why: 'question' } },
  });
  expect(known?.record.startedAt).toBeGreaterThanOrEqual(before);
  const client = path.join(project.home, '.local/state/holdfast/driver-client.json');
  expect(fs.readFileSync(client, 'utf8')).toBe('{"program":"claude"}\n');
  expect(written).toContain('It asks: Which one?');
});

it('a client with --access edit may run our commands, the checks that are trusted, and some of git', async () => {
  const run = await loop();
  const checks = { one: { run: 'npm test' }, list: { run: ['npm', 'x'] }, untrusted: { run: 'rm x' } };
  project.write('holdfast.config.json', JSON.stringify({ checks }));
  const here = await openProject(project.root, runtimeHere(env));
  giveTrust(
    { ...here, now: Date.now() },
    here.config.checks.filter(({ name }) => name !== 'untrusted'),
  );
  const words = path.join(path.dirname(project.root), 'words');
  // The run is gone when it ends, so that nothing is left to drive.
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" >'${words}'\nrm -r '${project.root}/.jwz'\n`;
  fs.writeFileSync(path.join(path.dirname(project.root), 'bin/claude'), script);
  expect(await continued({ json: true, model: 'opus' }, run, '--', '-x')).toBe(5);
  const given = fs.readFileSync(words, 'utf8').trim().split('\n');
  const from = given.indexOf('--allowedTools');
  const own = forAgents.map((words) => `${here.cli} ${words}`);
  expect(given.slice(from + 1)).toEqual([
    ...[...own, 'npm test', 'git add', 'git commit', 'git status'].flatMap((line) => [
      `Bash(${line})`,
      `Bash(${line} *)`,
    ]),
    ...['--permission-mode', 'acceptEdits', '--model', 'opus', '-x'],
  ]);
});
