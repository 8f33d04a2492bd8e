// Checks that clean the tree before they begin, as many a project's do: what they take along of a run is there again
// when they have ended, and what they said counts.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { giveTrust } from '../../src/engine/proof/trust.ts';
import { type PlanProject, planProject } from '../fixtures/taskie/plan.ts';
import { flowScene } from '../flow/scene.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { fireHook, runCli } from '../support/hook.ts';
import { openProject } from '../support/proof.ts';
import { isRunning } from '../toy/scene.ts';
import { COMPLETE, checkOf, eventually, proofScene, type Scene, writePin } from './scene.ts';

const CLEAN = 'git clean -xfdq';
const RED = `${CLEAN} && echo red && exit 1`;

async function loopWith(script: string, more = {}): Promise<Scene> {
  const scene = proofScene();
  await scene.start(['idle', 'loop', '--max', '9', 'a task']);
  scene.pin([scene.check('test', script, more)]);
  return scene;
}

const stateOf = (scene: Scene) => {
  const line = scene.read('.jwz/messages.jsonl').trim().split('\n').at(-1) ?? '';
  return JSON.parse(JSON.parse(line).body);
};

/** A check that cleans the tree, and then runs until it is let go. */
function cleaning(): { script: string; pid(): number; letGo(): void; isStarted(): boolean } {
  const folder = fs.mkdtempSync(path.join(process.env.TMPDIR ?? '/tmp', 'holdfast-clean-'));
  atTheEnd(() => fs.rmSync(folder, { recursive: true, force: true }));
  const [pid, go] = [path.join(folder, 'pid'), path.join(folder, 'go')];
  return {
    script: `${CLEAN}; echo $$ >'${pid}.new'; mv '${pid}.new' '${pid}'; while [ ! -e '${go}' ]; do sleep 0.05; done; exit 1`,
    pid: () => Number(fs.readFileSync(pid, 'utf8')),
    letGo: () => fs.writeFileSync(go, ''),
    isStarted: () => fs.existsSync(pid),
  };
}

/** The same, but the tree is cleaned at its end: nothing in the project says any more what happened meanwhile. */
const late = (script: string): string =>
  script.replace(`${CLEAN}; `, '').replace('exit 1', `${CLEAN}; exit 1`);

const SHORT = `flow: short
start: wait
states:
  wait:
    say: Wait
    leave:
      - when: { signal: go }
        to: done
  done: { end: completed }
`;

/** A plan whose task is said to be done. */
function plan(): PlanProject {
  const project = planProject('my-plan', 'claude-code');
  atTheEnd(() => project.remove());
  project.setState({ phase: 'complete-task', next_phase: 'code-review', current_task: '1' });
  writePin(project, 'taskie:my-plan', [checkOf('test', RED)]);
  return project;
}

const records = ({ home }: { home: string }): string[] => {
  const folder = path.join(home, '.local/state/holdfast/checking');
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
};

describe('a check that cleans the tree, at a claim in idle', () => {
  it('refuses the claim when it is red, and the loop goes on as it stood', async () => {
    const scene = await loopWith(RED);
    const before = { state: stateOf(scene), run: scene.run() };
    const { answer } = await scene.stop(COMPLETE);
    expect(answer?.decision).toBe('block');
    expect(answer?.reason).toContain('test: exit code 1');
    expect(answer?.reason).toContain('a task');
    expect(answer?.systemMessage).toContain(
      `the check test took files of ours along. ${before.run} was put back`,
    );
    expect(answer?.systemMessage).toContain('Gone and not put back: .holdfast/journal.jsonl');
    expect(answer?.systemMessage).toContain('git clean -xfd -e .holdfast');
    const { stack, run_id } = stateOf(scene);
    expect(run_id).toBe(before.state.run_id);
    expect(stack).toMatchObject([{ id: before.state.stack[0].id, iter: before.state.stack[0].iter + 1 }]);
    expect(records(scene)).toEqual([]);
    const again = await scene.stop(COMPLETE);
    expect(again.answer?.decision).toBe('block');
  });

  it('writes through no link that it leaves in the place of what it took', async () => {
    const scene = await loopWith(`${CLEAN}; mkdir other; ln -s other .jwz; exit 1`);
    const { answer } = await scene.stop(COMPLETE);
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('the check test took files of');
    expect(answer?.systemMessage).toContain('behind a link');
    expect(fs.readdirSync(path.join(scene.root, 'other'))).toEqual([]);
  });
});

describe('other runs of the project', () => {
  it('of all workflows and sessions are put back with it', async () => {
    const scene = await loopWith(RED);
    const other = { CLAUDE_CODE_SESSION_ID: 'another' };
    const start = await runCli(scene.root, ['claudex', 'plan', 'a topic'], { env: other });
    expect(start.exitCode).toBe(0);
    const folder = path.join(scene.root, '.claude/claudex');
    const [name = ''] = fs.readdirSync(folder).filter((each) => each.endsWith('.state'));
    const state = fs.readFileSync(path.join(folder, name), 'utf8');
    const { answer } = await scene.stop(COMPLETE);
    expect(answer?.systemMessage).toContain(`claudex:${name.replace('.state', '')}`);
    expect(fs.readFileSync(path.join(folder, name), 'utf8')).toBe(state);
    const payload = { session_id: 'another', cwd: scene.root, prompt_id: 'p1', hook_event_name: 'Stop' };
    const { answer: others } = await fireHook(scene.root, { ...payload, last_assistant_message: 'Hm.' });
    expect(others?.decision).toBe('block');
    expect(others?.reason).toContain('PLAN.md');
  });
});

describe('a check that cleans the tree, in the other workflows', () => {
  it('taskie: no reviewer is paid for while it is red; the state is put back, and what is gone is named', async () => {
    const project = plan();
    const before = project.state();
    const { answer } = await project.stop();
    expect(answer?.decision).toBe('block');
    expect(answer?.reason).toContain('test: exit code 1');
    expect(project.calls()).toEqual([]);
    expect(project.state()).toEqual(before);
    expect(answer?.systemMessage).toContain('taskie:my-plan was put back');
    expect(answer?.systemMessage).toContain('.taskie/plans/my-plan/plan.md');
  });

  it('flow: the run takes the line that the check says', async () => {
    const scene = flowScene();
    scene.checks({ test: RED });
    await scene.start('tdd');
    const definition = fs.readFileSync(scene.runFile('definition.json'), 'utf8');
    const answer = await scene.stop('A failing test.');
    expect(answer.decision).toBe('block');
    expect(answer.reason).toContain('tdd: green');
    expect(answer.systemMessage).toContain('was put back');
    expect(fs.readFileSync(scene.runFile('definition.json'), 'utf8')).toBe(definition);
    expect(scene.state()).toMatchObject({ at: 'green', held: 1 });
    expect((await scene.stop('Still red.')).decision).toBe('block');
  });
});

describe('a run that is ended while such a check runs', () => {
  it('by a command stays ended', async () => {
    const check = cleaning();
    const scene = await loopWith(late(check.script));
    const { ended } = scene.beginStop(COMPLETE);
    await eventually('the check runs', check.isStarted);
    expect((await scene.cli(['idle', 'cancel'])).exitCode).toBe(0);
    check.letGo();
    expect(await ended).not.toContain('block');
    expect(scene.exists('.jwz/messages.jsonl')).toBe(false);
    expect(records(scene)).toEqual([]);
  });

  it.each(['idle cancel', 'cancel'])('by `%s` while its files are gone is not put back', async (words) => {
    const check = cleaning();
    const scene = await loopWith(check.script);
    const { ended } = scene.beginStop(COMPLETE);
    await eventually('the check runs', check.isStarted);
    const { stdout, exitCode } = await scene.cli(words.split(' '));
    check.letGo();
    expect({ stdout, exitCode }).toMatchObject({
      stdout: expect.stringContaining('is cancelled'),
      exitCode: 0,
    });
    expect(await ended).not.toContain('block');
    expect(scene.exists('.jwz')).toBe(false);
  });

  it('by a stop stays ended, though the check is of another run', async () => {
    const check = cleaning();
    const scene = await loopWith(late(check.script));
    const env = { CLAUDE_CODE_SESSION_ID: 'another' };
    scene.write('holdfast.flows/short.yaml', SHORT);
    expect((await runCli(scene.root, ['flow', 'start', 'short'], { env })).exitCode).toBe(0);
    const { ended } = scene.beginStop(COMPLETE);
    await eventually('the check runs', check.isStarted);
    const payload = { session_id: 'another', cwd: scene.root, prompt_id: 'p1', hook_event_name: 'Stop' };
    await fireHook(scene.root, { ...payload, last_assistant_message: '<flow>go</flow>' });
    expect(
      scene.read(`.holdfast/flow/${fs.readdirSync(`${scene.root}/.holdfast/flow`)[0]}/state.json`),
    ).toContain('completed');
    check.letGo();
    expect(await ended).toContain('"block"');
    expect(await ended).not.toContain('flow:');
    expect(scene.exists('.holdfast/flow')).toBe(false);
  });
});

describe('while the files are gone', () => {
  it('another stop is let go with a word, and the run holds again when the check has ended', async () => {
    const check = cleaning();
    const scene = await loopWith(check.script);
    const { ended } = scene.beginStop(COMPLETE);
    await eventually('the check runs', check.isStarted);
    const { answer } = await scene.stop('Hm.');
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('the check test still runs and has taken the files of idle:');
    check.letGo();
    expect(await ended).toContain('"block"');
    expect((await scene.stop('Hm.')).answer?.decision).toBe('block');
  });

  it('a hook that is told to end puts them back; the next stop takes the claim up again', async () => {
    const check = cleaning();
    const scene = await loopWith(check.script);
    const { child, ended } = scene.beginStop(COMPLETE);
    await eventually('the check runs', check.isStarted);
    child.kill('SIGTERM');
    await ended;
    await eventually('the check ends', () => !isRunning(check.pid()));
    check.letGo();
    const { answer } = await scene.stop(COMPLETE);
    expect(answer?.decision).toBe('block');
    expect(scene.runs('test')).toBe(2);
    expect(records(scene)).toEqual([]);
  });

  it('a hook that is killed leaves word of what is gone for the next stop', async () => {
    const check = cleaning();
    const scene = await loopWith(check.script);
    const name = scene.run();
    const { child, ended } = scene.beginStop(COMPLETE);
    await eventually('the check runs', check.isStarted);
    child.kill('SIGKILL');
    await ended;
    await eventually('the check ends', () => !isRunning(check.pid()));
    expect(fs.readdirSync(scene.root).filter((each) => each !== '.git')).toEqual(['code.txt']);
    const { answer } = await scene.stop(COMPLETE);
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain(`taken the files of ${name} along`);
    expect(answer?.systemMessage).toContain('start it again: /idle:loop');
    expect(records(scene)).toEqual([]);
    expect((await scene.stop('Hm.')).answer).toBeNull();
  });
});

it('`holdfast check` puts the live runs back as well, and says so', async () => {
  const scene = proofScene();
  scene.write('holdfast.config.json', JSON.stringify({ checks: { test: { run: RED } } }));
  execFileSync('git', ['-C', scene.root, 'add', 'holdfast.config.json']);
  const opened = await openProject(scene);
  giveTrust(opened, opened.config.checks);
  await scene.start(['idle', 'loop', '--max', '9', 'a task']);
  const before = { topic: stateOf(scene), sidecar: scene.sidecar() };

  const { stdout, stderr, exitCode } = await scene.cli(['check']);
  expect({ stdout, exitCode }).toMatchObject({ stdout: expect.stringContaining('failed'), exitCode: 1 });
  expect(stderr).toContain(`${before.sidecar.run} was put back`);
  expect({ topic: stateOf(scene), sidecar: scene.sidecar() }).toEqual(before);
  expect(records(scene)).toEqual([]);
  expect((await scene.stop('Working.')).answer?.decision).toBe('block');
});
