// The docket of a plan, through the real hook with a scripted reviewer: what it lists gets an id, the agent's answers are
// read from its post-reviews, and what is rejected and raised again is said for the person to judge.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type PlanProject, planProject } from '../fixtures/taskie/plan.ts';

const SESSION = 's1';
const DOCKET = '.taskie/plans/my-plan/docket.json';

const projects: PlanProject[] = [];
afterAll(() => {
  for (const project of projects) project.remove();
});

async function ownPlan(
  reviews: readonly unknown[],
  fields: Readonly<Record<string, unknown>> = {},
  config?: object,
): Promise<PlanProject> {
  const project = planProject();
  projects.push(project);
  project.setState(fields);
  if (config !== undefined) {
    const folder = path.join(project.home, '.config/holdfast');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'holdfast.config.json'), JSON.stringify(config));
  }
  project.reviewer(reviews);
  const bound = await project.holdfast(['taskie', 'next', '--plan', 'my-plan'], SESSION);
  expect(bound.exitCode).toBe(0);
  return project;
}

const stop = (project: PlanProject) =>
  project.stop({ session_id: SESSION, prompt_id: 'p1', hook_event_name: 'Stop' });

const listing = (print: 'pass' | 'fail', ...findings: readonly object[]) => ({ print, file: true, findings });
const finding = (claim: string, more: object = {}) => ({
  severity: 'high',
  file: 'src/a.ts',
  line: 12,
  claim,
  evidence: 'run it',
  ...more,
});

type Entry = Record<string, unknown> & { id: string };
const entries = (project: PlanProject): Entry[] => JSON.parse(project.read(DOCKET)).findings;

const twoRounds = () => [
  listing(
    'fail',
    finding('the lock is never released'),
    finding('a name', { severity: 'low', file: 'b.ts', line: null }),
  ),
  listing('fail', finding('the lock again'), finding('no timeout', { severity: 'medium', file: 'c.ts' })),
  listing('pass'),
  listing('pass'),
];

describe.concurrent('the docket of a plan', () => {
  test('goes through two rounds: one fixed, one rejected, raised again and contested to the end', async () => {
    const project = await ownPlan(twoRounds());
    const first = (await stop(project)).answer;
    expect(first?.reason).toContain('- F1 high src/a.ts:12: the lock is never released');
    expect(first?.reason).toContain('- F2 low b.ts: a name');
    expect(first?.reason).toContain('`F1 fixed: <what you changed>` or `F1 rejected: <why>`');
    expect(entries(project)).toEqual([
      expect.objectContaining({ id: 'F1', review: 'plan-review-1.md', round: 1, by: 'opus', status: 'open' }),
      expect.objectContaining({ id: 'F2', severity: 'low', file: 'b.ts', line: null }),
    ]);

    project.put(
      'plan-post-review-1.md',
      '# Answers\n\n- **F1 rejected:** it is released on exit\n- F2 fixed: renamed\n',
    );
    const second = (await stop(project)).answer;
    expect(second?.reason).toContain('- F3 high src/a.ts:12: the lock again');
    expect(second?.reason).toContain(
      'raised again; earlier F1 (the lock is never released) was rejected: it is released on exit',
    );
    expect(second?.reason).not.toContain('F2');
    expect(entries(project)).toMatchObject([
      { id: 'F1', status: 'rejected', answer: 'it is released on exit' },
      { id: 'F2', status: 'fixed', answer: 'renamed' },
      { id: 'F3', by: 'sonnet', round: 2, earlier: ['F1'], status: 'open' },
      { id: 'F4', severity: 'medium' },
    ]);

    // What no stop has taken up yet is shown as it will be, and nothing is written for it.
    project.put('plan-post-review-2.md', 'F3 rejected: no\nF4 fixed: added\n');
    const before = project.read(DOCKET);
    const shown = await project.holdfast(['findings', '--json'], SESSION);
    expect(JSON.parse(shown.stdout).runs[0]).toMatchObject({
      found: 4,
      fixed: 2,
      rejected: 2,
      open: 0,
      contested: ['F1'],
    });
    expect(project.read(DOCKET)).toBe(before);
    const contested = await project.holdfast(['findings', '--contested'], SESSION);
    expect(contested.stdout).toContain('F1');
    expect(contested.stdout).not.toContain('F4');

    await stop(project);
    project.put('plan-post-review-3.md', 'Nothing was found.\n');
    const passed = (await stop(project)).answer;
    expect(passed?.systemMessage).toContain('4 found: 2 fixed, 2 rejected, 0 open');
    expect(passed?.systemMessage).toContain('Contested, for you to judge');
    expect(passed?.systemMessage).toContain(
      'F1 high src/a.ts:12: the lock is never released (rejected: it is released on exit)',
    );
    const status = await project.holdfast(['status', '--all'], SESSION);
    expect(status.stdout).toContain('4 found: 2 fixed, 2 rejected, 0 open');
    expect(status.stdout).toContain('contested  F1 high');
    const own = await project.holdfast(['taskie', 'status'], SESSION);
    expect(own.stdout).toContain('4 found: 2 fixed, 2 rejected, 0 open');
  });

  test('is set aside when it is broken, and begun again without an id that was there', async () => {
    const project = await ownPlan(twoRounds());
    await stop(project);
    const broken = project.read(DOCKET).replace('"claim": "a name"', '"claim": a name');
    project.write(DOCKET, broken);
    project.put('plan-review-1.md', '# Review\n\n## High\n- the lock\n');
    project.put('plan-post-review-1.md', 'F1 fixed: yes\n');
    const { answer } = await stop(project);
    expect(answer?.systemMessage).toContain('docket.json could not be understood');
    expect(entries(project)).toMatchObject([{ id: 'F1', status: 'fixed' }, { id: 'F3' }, { id: 'F4' }]);
    const aside = project.files().find((file) => file.startsWith('docket.broken-')) ?? '';
    expect(project.read(`.taskie/plans/my-plan/${aside}`)).toBe(broken);
  });

  test.each<[string, (file: string, precious: string) => void, string]>([
    ['through a link', (file, precious) => fs.symlinkSync(precious, file), 'it is a link'],
    ['where it is too long', (file) => fs.writeFileSync(file, Buffer.alloc(79e6, ' ')), 'is 79000000'],
  ])('is not written %s, and the hold calls it no whole list', async (_, put, why) => {
    const project = await ownPlan([listing('fail', finding('x'))]);
    project.write('src/precious.ts', 'kept');
    put(path.join(project.root, DOCKET), path.join(project.root, 'src/precious.ts'));
    const { answer } = await stop(project);
    expect(answer?.decision).toBe('block');
    expect(answer?.reason).toMatch(/docket\.json cannot be used: /);
    for (const said of [answer?.reason, answer?.systemMessage]) expect(said).toContain(why);
    expect((await stop(project)).answer?.reason).not.toContain('docket.json');
    expect(project.read('src/precious.ts')).toBe('kept');
  });
});

describe.concurrent('the floor', () => {
  const low = () => listing('fail', finding('a name', { severity: 'low' }));

  test('counts a review as clean whose findings all lie below it, says so, and lists them', async () => {
    const project = await ownPlan([low(), low()], {}, { review: { floor: 'medium' } });
    const first = (await stop(project)).answer;
    expect(first?.reason).toContain('lies below your floor (`review.floor` is medium)');
    expect(first?.reason).toContain('- F1 low src/a.ts:12: a name');
    expect(project.state()).toMatchObject({ consecutive_clean: 1 });
    project.put('plan-post-review-1.md', 'F1 fixed: renamed\n');
    const second = (await stop(project)).answer;
    expect(second?.decision).toBeUndefined();
    expect(second?.systemMessage).toContain('two clean reviews in a row');
    expect(second?.systemMessage).toContain('lies below your floor');
    expect(project.state()).toMatchObject({ next_phase: 'create-tasks', consecutive_clean: 2 });
    const why = await project.holdfast(['why'], SESSION);
    expect(why.stdout).toContain('below the floor');
  });
});
