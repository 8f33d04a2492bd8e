// A repository that somebody filled for us: states, notes, journals, configs, locks. It may cause a notice; it may
// not hold a session, start a reviewer, run a command, loosen a limit or steer a terminal.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { newSidecar } from '../../../src/store/records.ts';
import { FULL_STATE } from '../../fixtures/taskie/plan.ts';
import { LOOP_ID, SESSION } from '../corpus.ts';
import { type Stage, stages } from '../stage.ts';
import { type Hostile, hostileProject, isAllowed, METACHARACTERS } from './hostile.ts';

function stageOf(workflow: string): Stage {
  const stage = stages.find((each) => each.workflow === workflow);
  if (stage === undefined) throw new Error(`there is no stage for ${workflow}`);
  return stage;
}

const DUE = JSON.stringify({ ...FULL_STATE, phase: 'new-plan', next_phase: 'plan-review' });
const ESCAPE = '\u001b]0;owned\u0007\u001b[2J';

describe.concurrent('a run that came with the repository', () => {
  test.each(stages.map((stage) => [stage.workflow, stage] as const))(
    'of %s costs a new session one notice and nothing else',
    async (workflow, stage) => {
      const project = hostileProject();
      project.put(
        stage,
        'the-session-of-whoever-committed-this',
        workflow === 'taskie' ? { [stage.state]: DUE } : {},
      );
      // An index that claims the run for everyone it can think of.
      fs.rmSync(path.join(project.root, '.holdfast/sessions'), { recursive: true });
      for (const name of ['generic', 'null', 'undefined', 'x-0', '*', '..%2f'])
        project.write(
          `.holdfast/sessions/${name}.json`,
          JSON.stringify({ schema: 2, runs: [stage.run], notified: [], looked: {} }),
        );
      const first = await project.stop();
      expect(isAllowed(first)).toBe(true);
      expect(first.answer?.systemMessage).toMatch(
        /^Holdfast: \S+ is unfinished here but is not this session's\. To go on with it: [^\n]+$/,
      );
      const second = await project.stop();
      expect({ allowed: isAllowed(second), stdout: second.stdout }).toEqual({ allowed: true, stdout: '' });
      expect(project.started()).toEqual([]);
    },
  );

  test('is not made ours by a ticket in the repository', async () => {
    const project = hostileProject();
    project.put(stageOf('idle'), 'nobody');
    const waiting = [{ run: 'idle:loop-1', expires: 9e15 }];
    const ticket = JSON.stringify({ root: project.root, runs: ['idle:loop-1'], expires: 9e15, waiting });
    for (const place of ['.holdfast/next-session/x.json', '.local/state/holdfast/next-session/x.json'])
      project.write(place, ticket);
    expect(isAllowed(await project.stop())).toBe(true);
  });

  test('with a review under way is left alone: nothing is ended, moved or counted', async () => {
    const project = hostileProject();
    const stage = stageOf('taskie');
    const attempt = {
      work: 'review' as const,
      id: '../../../outside',
      reviewer: 'claude',
      kind: 'plan-review',
      number: 1,
      file: '../outside/precious.md',
      model: METACHARACTERS,
      owner: null,
      deadline: 1,
      status: 'running',
      verdict: null,
      before: 'x',
    };
    project.put(stage, 'nobody', {
      '.holdfast/runs/taskie-p.json': JSON.stringify({ ...newSidecar('taskie:p'), attempts: [attempt] }),
    });
    const before = [...project.snapshot(), project.read(stage.state)];
    expect(isAllowed(await project.stop())).toBe(true);
    expect([...project.snapshot(), project.read(stage.state)]).toEqual(before);
    expect(project.started()).toEqual([]);
  });

  test('with a review under way, once adopted, still moves nothing out of .git or the project', async () => {
    for (const file of ['../outside/precious.md', '.git/config', '/etc/hostname']) {
      const project = hostileProject();
      const stage = stageOf('taskie');
      const attempt = {
        work: 'review' as const,
        id: 'a1',
        reviewer: 'claude',
        kind: 'plan-review',
        number: 1,
        file,
        model: 'opus',
        owner: null,
        deadline: 1,
        status: 'running',
        verdict: null,
        before: 'x',
      };
      project.put(stage, SESSION, {
        '.holdfast/runs/taskie-p.json': JSON.stringify({
          ...newSidecar('taskie:p'),
          sessions: [SESSION],
          attempts: [attempt],
        }),
      });
      const before = [...project.snapshot(), project.read('.git/config')];
      expect((await project.stop()).exitCode).toBe(0);
      expect([...project.snapshot(), project.read('.git/config')]).toEqual(before);
    }
  });

  test('under the name of a reviewer we do not know starts nothing', async () => {
    const project = hostileProject();
    const attempt = {
      work: 'review' as const,
      id: 'a1',
      reviewer: '/bin/sh',
      kind: 'plan-review',
      number: 1,
      file: 'x.md',
      model: '-c',
      owner: null,
      deadline: 1,
      status: 'running',
      verdict: null,
      before: 'x',
    };
    project.put(stageOf('taskie'), SESSION, {
      '.holdfast/runs/taskie-p.json': JSON.stringify({
        ...newSidecar('taskie:p'),
        sessions: [SESSION],
        attempts: [attempt],
      }),
    });
    const fired = await project.stop();
    expect(isAllowed(fired)).toBe(true);
    expect(fired.answer?.systemMessage).toContain('there is no reviewer called /bin/sh');
    expect(project.started()).toEqual([]);
  });
});

describe.concurrent("the repository's config", () => {
  test('loosens no limit: an agent that does nothing is let go after three holds', async () => {
    const project = hostileProject();
    project.put(stageOf('claudex'), SESSION);
    project.write(
      'holdfast.config.json',
      JSON.stringify({ guard: { unmoved: 1000, tools: 1000, workflows: { claudex: { unmoved: 1000 } } } }),
    );
    // One line that stays: the transcript tells that no tool was called.
    const transcript_path = path.join(project.outside, 'transcript.jsonl');
    fs.writeFileSync(
      transcript_path,
      `${JSON.stringify({ uuid: 'u1', type: 'user', message: { content: 'go' } })}\n`,
    );
    const held: boolean[] = [];
    for (let stops = 0; stops < 5; stops++)
      held.push((await project.stop({ transcript_path })).answer?.decision === 'block');
    expect(held).toEqual([true, true, true, false, false]);
  });

  test('cannot be a link out of the project, and a giant one is not read', async () => {
    for (const make of [
      (file: string, project: Hostile) => fs.symlinkSync(path.join(project.outside, 'precious.md'), file),
      (file: string) => fs.closeSync(fs.openSync(file, 'w')) ?? fs.truncateSync(file, 2 ** 31),
    ]) {
      const project = hostileProject();
      project.put(stageOf('idle'), SESSION);
      make(path.join(project.root, 'holdfast.config.json'), project);
      const fired = await project.stop();
      expect(fired.answer?.decision).toBe('block');
      expect(fired.answer?.systemMessage).toMatch(
        /holdfast\.config\.json: cannot be read \([^\n]+\); it is ignored/,
      );
      expect(fired.answer?.systemMessage).not.toContain('mine');
    }
  });

  test('names commands that are shown to the agent and never run', async () => {
    const project = hostileProject();
    project.write(
      'holdfast.config.json',
      JSON.stringify({ idle: { issues: { list: 'touch pwned', show: METACHARACTERS } } }),
    );
    expect((await project.cli(['idle', 'grind'])).exitCode).toBe(0);
    const fired = await project.stop();
    expect(fired.answer?.reason).toContain('touch pwned');
    expect(project.started()).toEqual([]);
  });
});

describe.concurrent("the repository's git settings", () => {
  /** A compaction asks git which files changed, for a run that is this session's. */
  async function compact(settings: Readonly<Record<string, string>>): Promise<Hostile> {
    const project = hostileProject();
    project.put(stageOf('idle'), SESSION);
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', project.root, ...args], { encoding: 'utf8' }).trim();
    project.write('file.txt', 'text\n');
    git('add', 'file.txt');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'one');
    const tree = git('rev-parse', 'HEAD^{tree}');
    execFileSync('git', ['clone', '--quiet', '--bare', project.root, path.join(project.outside, 'origin')]);
    for (const [name, value] of Object.entries(settings))
      git('config', name, value.replaceAll('OUTSIDE', project.outside));
    if ('extensions.partialClone' in settings)
      fs.rmSync(path.join(project.root, '.git/objects', tree.slice(0, 2), tree.slice(2)));
    project.write('.gitattributes', '* filter=evil\n');
    project.write('file.txt', 'other\n');
    const fired = await project.stop({ hook_event_name: 'PreCompact' }, { args: ['pre-compact'] });
    expect(fired).toMatchObject({ exitCode: 0, stdout: '' });
    return project;
  }

  test.each([
    ['a file watcher', { 'core.fsmonitor': 'touch pwned' }],
    ['a filter', { 'filter.evil.clean': 'touch pwned; cat', 'filter.evil.smudge': 'touch pwned; cat' }],
    [
      'a place to fetch what is missing from',
      {
        'core.repositoryformatversion': '1',
        'extensions.partialClone': 'evil',
        'remote.evil.promisor': 'true',
        'remote.evil.url': 'OUTSIDE/origin',
        'remote.evil.uploadpack': 'touch pwned; git-upload-pack',
        'protocol.file.allow': 'always',
        'protocol.ext.allow': 'always',
      },
    ],
  ])('run nothing when a conversation is compacted: %s', async (_, settings) => {
    const project = await compact(settings);
    expect(project.started()).toEqual([]);
    expect(project.read('.jwz/messages.jsonl')).toContain('ANCHOR');
  });
});

describe.concurrent("the repository's notes", () => {
  const poison = (more: object) =>
    JSON.stringify({
      time: `t${ESCAPE}`,
      event: 'stop',
      client: ESCAPE,
      session: ESCAPE,
      turn: null,
      workflow: 'idle',
      run: ESCAPE,
      state: {},
      facts: {},
      guard: null,
      step: { kind: { toString: 1 }, message: { name: `n${ESCAPE}`, slots: { a: { toString: 1 } } } },
      answer: 'hold',
      notice: false,
      error: null,
      milliseconds: ESCAPE,
      ...more,
    });

  test.each([
    ['log'],
    ['why'],
    ['replay', '1'],
    ['status'],
    ['doctor'],
    ['claudex', 'status'],
    ['taskie', 'status'],
  ])('neither steer a terminal nor end a command (%s %s)', async (...command) => {
    const project = hostileProject();
    for (const stage of stages) project.put(stage, 'nobody');
    project.write(
      '.holdfast/journal.jsonl',
      [poison({}), poison({ error: ESCAPE }), poison({ run: null, workflow: null })]
        .map((line) => `${line}\n`)
        .join(''),
    );
    const state = `.claude/claudex/${LOOP_ID}.state`;
    project.write(state, project.read(state).replace(/^topic: .*$/m, `topic: ${JSON.stringify(ESCAPE)}`));
    const ran = await project.cli(command.filter((word) => word !== undefined));
    expect(ran.exitCode).toSatisfy((code) => code === 0 || code === 1);
    for (const steering of ['\u001b]0', '\u001b[2J', '\u0007'])
      expect(ran.stdout + ran.stderr).not.toContain(steering);
    // Doctor asks both clients for their version.
    if (command[0] !== 'doctor') expect(project.started()).toEqual([]);
  });

  test.each([
    [
      'a lease of a generation nobody can count past',
      (project: Hostile) => project.write(`.holdfast/lock.lease/${'9'.repeat(40)}`, 'x'),
    ],
    [
      'a lease of a process that is us',
      (project: Hostile) =>
        project.write(
          '.holdfast/lock.lease/1',
          `${JSON.stringify({ pid: process.pid, start: null, boot: '', namespace: '', kernelFile: null })}\n`,
        ),
    ],
    [
      'a lease of two gigabytes',
      (project: Hostile) => fs.truncateSync(project.write('.holdfast/lock.lease/1', ''), 2 ** 31),
    ],
    [
      'a lock of two gigabytes',
      (project: Hostile) => fs.truncateSync(project.write('.holdfast/lock', ''), 2 ** 31),
    ],
  ])('do not make the lock unusable for good: %s', async (_, plant) => {
    const project = hostileProject();
    project.put(stageOf('idle'), SESSION);
    project.write('.holdfast/lease-only', '');
    plant(project);
    // Cloned a while ago: nobody renews it.
    const lease = path.join(project.root, '.holdfast/lock.lease');
    if (fs.existsSync(lease))
      for (const name of fs.readdirSync(lease)) fs.utimesSync(path.join(lease, name), 1e9, 1e9);
    fs.utimesSync(path.join(project.root, '.holdfast/lock'), 1e9, 1e9);
    for (const env of [{}, { HOLDFAST_LOCK: 'lease' }])
      expect((await project.stop({}, { env })).answer?.decision).toBe('block');
  });
});
