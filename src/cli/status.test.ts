import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder, NOW, projectIn, writeIn } from '../../test/support/bare-project.ts';
import { called, callIn } from '../../test/support/call.ts';
import { cleanEnvironment, runCli } from '../../test/support/hook.ts';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import type { Project } from '../engine/project.ts';
import { type Call, WrongUsage } from '../engine/workflow-cli.ts';
import { homeOf, sidecarPath } from '../store/home.ts';
import type { CheckAttempt, ProofNotes, ReviewAttempt, Waiting } from '../store/records.ts';
import { readSidecar, writeSidecar } from '../store/sidecars.ts';
import { allRuns } from '../view/runs.ts';
import { cancel as cancelLoop } from '../workflows/idle/cli/cancel.ts';
import { loop as loopCommand } from '../workflows/idle/cli/loop.ts';
import { registry } from '../workflows/registry.ts';
import { status, statusOf } from './status.ts';

let project: TempProject;

beforeEach(() => {
  project = tempProject();
});
afterEach(() => {
  vi.restoreAllMocks();
  project.remove();
});

async function shown(flags: Call['flags'] = {}, env = {}, command = status): Promise<string[]> {
  const all = { ...cleanEnvironment(project.root), ...env };
  const { call, printed } = callIn(project.root, { flags, env: all });
  expect(await command.run(call)).toBe(0);
  return printed;
}

const ofWorkflow = (name: string) => {
  const entry = registry.find((each) => each.name === name);
  if (entry === undefined) throw new Error(name);
  return statusOf(entry);
};

const TASK = '\n  a task';
const SESSION = { CLAUDE_CODE_SESSION_ID: 's1' };

async function loop(env: Record<string, string> = SESSION, ...flags: string[]): Promise<string> {
  const { stdout, stderr } = await runCli(project.root, ['idle', 'loop', ...flags, 'a task'], { env });
  const [run] = /idle:[\w-]+/.exec(stdout) ?? /idle:[\w-]+/.exec((await shown()).join('\n')) ?? [];
  if (run === undefined) throw new Error(stderr);
  return run;
}

function plan(findings: readonly object[]): void {
  project.write('.taskie/plans/p/plan.md', '# Plan\n');
  project.write('.taskie/plans/p/docket.json', JSON.stringify({ findings }));
}

describe('whose a run is', () => {
  it('is this session’s, or that of another one', async () => {
    const run = await loop();
    expect(await shown({}, SESSION)).toEqual([`● ${run}  loop, iteration 0/10  this session's${TASK}`]);
    expect(await shown({}, { CLAUDE_CODE_SESSION_ID: 's2' })).toEqual([
      `● ${run}  loop, iteration 0/10  session s1${TASK}`,
    ]);
    expect(await shown()).toEqual([`● ${run}  loop, iteration 0/10  session s1${TASK}`]);
    const [text = ''] = await shown({ json: true }, SESSION);
    expect(JSON.parse(text)).toMatchObject({
      root: project.root,
      runs: [{ run, live: true, sessions: ['s1'], mine: true, ticket: false, waiting: null, attempt: null }],
      ...{ troubles: [], unused: [] },
    });
    const [other = ''] = await shown({ json: true });
    expect(JSON.parse(other).runs).toMatchObject([
      { mine: false, proof: null, budget: null, findings: null },
    ]);
  });

  it('is the next one’s, or nobody’s', async () => {
    const run = await loop({});
    expect(await shown()).toEqual([
      `○ ${run}  not started: loop, iteration 0/10  holds the next session here${TASK}`,
    ]);
    const [text = ''] = await shown({ json: true });
    expect(JSON.parse(text).runs).toMatchObject([{ ticket: true, mine: false, sessions: [] }]);
    fs.rmSync(path.join(project.home, '.local/state/holdfast'), { recursive: true });
    expect(await shown()).toEqual([
      `○ ${run}  not started: loop, iteration 0/10  nobody's; \`holdfast adopt ${run}\` gives it to the next session here${TASK}`,
    ]);
    expect(await shown({}, SESSION)).toEqual([
      `○ ${run}  not started: loop, iteration 0/10  nobody's; \`holdfast adopt ${run}\` makes it this session's${TASK}`,
    ]);
  });

  it('cannot be said where its notes cannot be read', async () => {
    const run = await loop();
    fs.writeFileSync(sidecarPath(homeOf(project.root), run), '{ torn');
    const [line = ''] = await shown();
    expect(line).toMatch(
      new RegExp(
        `^! ${run} {2}needs you: loop, iteration 0/10 {2}whose it is cannot be read: .+; to fix it, .+`,
      ),
    );
    const [text = ''] = await shown({ json: true });
    expect(JSON.parse(text).runs).toMatchObject([{ run, notesTrouble: { what: expect.any(String) } }]);
  });
});

it('as data the review or check that is under way goes along, and none that is done', async () => {
  const run = await loop();
  const sidecar = readSidecar(project.root, run);
  const attempt: CheckAttempt = {
    ...{ id: 'a1', work: 'check', check: 'test', definition: 'd', owner: null, status: 'running' },
    deadline: Date.now() + 60_000,
  };
  writeSidecar(project.root, { ...sidecar, attempts: [attempt] });
  const [text = ''] = await shown({ json: true });
  expect(JSON.parse(text).runs).toMatchObject([{ run, attempt: { id: 'a1', check: 'test' } }]);
});

describe('which runs are listed', () => {
  it('is none where there are none', async () => {
    expect(await shown()).toEqual(['No runs here. Start one with a workflow: `holdfast help` lists them.']);
    expect(await shown({}, {}, ofWorkflow('claudex'))).toEqual([
      'No runs of claudex here. `holdfast claudex help` lists how to start one.',
    ]);
    expect(await shown({ json: true })).toEqual([
      JSON.stringify({ root: null, runs: [], troubles: [], unused: [] }, null, 2),
    ]);
  });

  it('is those that go on; what is finished is counted, or listed with --all', async () => {
    const run = await loop();
    await runCli(project.root, ['cancel', run]);
    expect(await shown()).toEqual(['1 ended; `holdfast status --all` lists them too.']);
    const [line, ...more] = await shown({ all: true });
    expect(line).toMatch(new RegExp(`^○ ${run} {2}`));
    expect(more).toEqual([]);
    expect(await shown({}, {}, ofWorkflow('idle'))).toEqual([
      '1 ended; `holdfast idle status --all` lists them too.',
    ]);
    expect(await shown({}, {}, ofWorkflow('taskie'))).toEqual([
      'No runs of taskie here. `holdfast taskie help` lists how to start one.',
    ]);
  });

  it('is not said in a line with anything else', async () => {
    const { call } = callIn(project.root, { flags: { line: true } });
    expect(() => status.run(call)).toThrow(
      new WrongUsage('status: --line stands alone: `holdfast status --line`.'),
    );
  });
});

describe('the findings of a run', () => {
  const contested = (count: number): object[] =>
    Array.from({ length: count }, (_, at) => [
      {
        id: `F${at + 1}`,
        claim: `claim ${at + 1}`,
        status: 'rejected',
        severity: 'high',
        file: 'a.ts',
        line: 3,
      },
      { id: `F${at + 101}`, claim: 'again', earlier: [`F${at + 1}`] },
    ]).flat();
  const findingsShown = async (): Promise<string[]> => {
    const lines = (await shown({ all: true })).flatMap((text) => text.split('\n'));
    return lines.filter((line) => /findings|contested/.test(line));
  };

  it('are counted, with five that are contested at the most', async () => {
    plan(contested(1));
    expect(await findingsShown()).toEqual([
      '  findings  2 found: 0 fixed, 1 rejected, 1 open  `holdfast findings taskie:p`',
      '  contested  F1 high a.ts:3: claim 1',
    ]);
    plan(contested(6));
    expect(await findingsShown()).toEqual([
      '  findings  12 found: 0 fixed, 6 rejected, 6 open  `holdfast findings taskie:p`',
      ...[1, 2, 3, 4, 5].map((at) => `  contested  F${at} high a.ts:3: claim ${at}`),
    ]);
    const [text = ''] = await shown({ json: true });
    expect(JSON.parse(text).runs).toMatchObject([
      {
        findings: {
          ...{ found: 12, fixed: 0, rejected: 6, open: 6 },
          contested: ['F1', 'F2', 'F3', 'F4', 'F5', 'F6'],
        },
      },
    ]);
  });

  it('that cannot be read are said so, and are none as data', async () => {
    plan(contested(1));
    const { lstatSync } = fs;
    vi.spyOn(fs, 'lstatSync').mockImplementation(((file: string, ...rest: []) => {
      if (file.endsWith('docket.json')) throw new Error('EIO: the disk');
      return lstatSync(file, ...rest);
    }) as typeof fs.lstatSync);
    expect(await findingsShown()).toEqual(['  ! its findings cannot be read: EIO: the disk']);
    const [text = ''] = await shown({ json: true });
    expect(JSON.parse(text).runs).toMatchObject([{ run: 'taskie:p', findings: null }]);
  });
});

it('what a run waits for is told as data', async () => {
  await loop();
  await runCli(project.root, ['ask', 'Which one?'], { env: SESSION });
  const [text = ''] = await shown({ json: true });
  const [run] = JSON.parse(text).runs;
  expect(run.waiting).toEqual({
    ...{ for: 'person', what: 'Which one?', since: expect.any(Number), until: expect.any(Number) },
  });
  expect(run.waiting.until - run.waiting.since).toBe(7 * 24 * 3600 * 1000);
  const lines = (await shown()).flatMap((line) => line.split('\n'));
  expect(lines).toHaveLength(3);
  expect(lines[2]).toMatch(/^ {2}\S.*Which one\?/);
});

describe('a run as it lies on the disk', () => {
  let root: string;
  let here: Project;
  beforeEach(() => {
    root = emptyFolder();
    here = projectIn(root, { env: SESSION });
  });

  const at = (command = status, flags: Call['flags'] = {}, where = here): Promise<string[]> =>
    called(command, where, { flags });
  async function looping(words: readonly string[] = ['a task'], flags: Call['flags'] = {}): Promise<string> {
    await called(loopCommand, here, { words, flags });
    return (await allRuns(here))[0]?.name ?? '';
  }
  const dataOf = async (where = here) =>
    JSON.parse((await at(status, { json: true }, where))[1] ?? '').runs[0];

  it('is told whole as data', async () => {
    const run = await looping();
    const { detail, ...data } = await dataOf();
    expect(data).toEqual({
      ...{ run, live: true, stage: 'loop, iteration 0/10', sessions: ['s1'], mine: true, ticket: false },
      ...{ waiting: null, attempt: null, proof: null, budget: null, findings: null },
      ...{ stateTrouble: null, notesTrouble: null },
      ...{ status: 'running', end: null, needs: null, asked: 'a task', dismissed: false },
    });
    expect(detail).toMatchObject({ run, stale: false, frames: [{ mode: 'loop', task: 'a task' }] });
  });

  it('has the attempt that is not done', async () => {
    const run = await looping();
    const done: ReviewAttempt = {
      ...{ id: 'a1', work: 'review', reviewer: 'codex', kind: 'review', number: 1, file: 'r.md', model: 'm' },
      ...{ owner: null, deadline: NOW, status: 'done', verdict: 'clean', before: 'b' },
    };
    writeSidecar(root, { ...readSidecar(root, run), attempts: [done] });
    expect((await dataOf()).attempt).toBeNull();
    writeSidecar(root, {
      ...readSidecar(root, run),
      attempts: [done, { ...done, id: 'a2', status: 'running', verdict: null }],
    });
    expect((await dataOf()).attempt).toMatchObject({ id: 'a2' });
  });

  it('has its budget on a line of its own', async () => {
    const run = await looping(['a task'], { reviews: '3' });
    expect(await at()).toEqual([
      '0',
      `● ${run}  loop, iteration 0/10  this session's${TASK}\n  Budget: 0 of 3 reviews.`,
    ]);
    expect((await dataOf()).budget).toMatchObject({ limits: { reviews: 3 } });
  });

  it('has its checks beside where it stands', async () => {
    const run = await looping();
    const proof: ProofNotes = {
      ...{ asked: { checks: ['a', 'b'], off: false }, definitions: '', content: null, pinned: false },
      ...{ refusals: 2, cannotRunSaid: false, protectedSaid: false },
    };
    writeSidecar(root, { ...readSidecar(root, run), proof });
    expect(await at()).toEqual([
      '0',
      `● ${run}  loop, iteration 0/10  checks a, b; claim refused 2 times in a row  this session's${TASK}`,
    ]);
    expect((await dataOf()).proof).toMatchObject({ checks: ['a', 'b'], refusals: 2, ended: null });
  });

  it('waits for a reviewer, whose name goes along as data', async () => {
    const run = await looping();
    const waiting: Waiting = {
      ...{ for: 'limit', since: NOW - 1000, until: NOW + 60_000, what: 'a limit', reviewer: 'codex' },
    };
    writeSidecar(root, { ...readSidecar(root, run), waiting: { ...waiting, shown: null } });
    expect((await dataOf()).waiting).toEqual(waiting);
    const [, line = ''] = await at();
    expect(line.split('\n')).toHaveLength(3);
    await called(cancelLoop, here);
    expect((await dataOf()).waiting).toBeNull();
    expect((await at(status, { all: true }))[1]?.split('\n')).toHaveLength(2);
  });

  it('is paused where it went stale, and says how it goes on', async () => {
    await looping();
    const later = { ...here, now: NOW + 30 * 24 * 3600 * 1000 };
    const [, line = ''] = await at(status, {}, later);
    expect(line.replaceAll('\n', ' ')).toMatch(/^! \S+ {2}paused: .* a task .*`holdfast resume idle:/);
  });

  it('has no owner where it is over', async () => {
    await looping();
    await called(cancelLoop, here);
    const [, line = ''] = await at(status, { all: true });
    expect(line).toMatch(/^○ \S+ {2}cancelled in session s1 {2}[\d: -]+\n {2}a task$/);
  });

  it('cannot be read, and is listed all the same', async () => {
    fs.mkdirSync(path.join(root, '.jwz'));
    fs.writeFileSync(path.join(root, '.jwz/messages.jsonl'), '{ torn\n');
    const lines = await at();
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^\? idle:\S+ {2}its state cannot be read: .+; to fix it, .+$/);
    expect((await dataOf()).stateTrouble).toEqual({ what: expect.any(String), fix: expect.any(String) });
  });

  const unusable = (name: string): string =>
    `! taskie:${name}  not used: its name begins with a dot; rename it: \`mv '${root}/.taskie/plans/${name}' ${root}/.taskie/plans/my-plan\``;

  it('is not used where its name is none', async () => {
    writeIn(here, '.taskie/plans/.my plan/plan.md', '# Plan\n');
    const none = 'No runs here. Start one with a workflow: `holdfast help` lists them.';
    expect(await at()).toEqual(['0', unusable('.my plan'), none]);
    const data = JSON.parse((await at(status, { json: true }))[1] ?? '');
    expect(data.unused).toMatchObject([{ run: '.my plan', name: 'taskie:.my plan' }]);
    expect((await at(ofWorkflow('taskie')))[1]).toBe(unusable('.my plan'));
    expect(await at(ofWorkflow('idle'))).toEqual([
      '0',
      'No runs of idle here. `holdfast idle help` lists how to start one.',
    ]);
  });

  it('is hidden by what is in the way, and then nobody knows that there is none', async () => {
    writeIn(here, '.taskie/plans', 'a file');
    const trouble = `! ${root}/.taskie/plans is a file where a folder belongs; to fix it, run \`mv ${root}/.taskie/plans ${root}/.taskie/plans.aside\``;
    expect(await at()).toEqual(['0', trouble]);
    expect(JSON.parse((await at(status, { json: true }))[1] ?? '').troubles).toHaveLength(1);
    const run = await looping();
    expect(await at()).toEqual(['0', trouble, `● ${run}  loop, iteration 0/10  this session's${TASK}`]);
  });

  it('is hidden also where there is no project to be seen', async () => {
    fs.symlinkSync('/nowhere', path.join(root, '.taskie'));
    const { call, printed } = callIn(root, { existing: async () => null });
    expect(await status.run(call)).toBe(0);
    expect(printed).toEqual([
      `! ${root}/.taskie is a link to nowhere; to fix it, run \`rm ${root}/.taskie\``,
    ]);
  });
});
