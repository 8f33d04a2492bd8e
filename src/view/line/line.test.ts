import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareProject, budgetOf, giveBudget, writeIn } from '../../../test/support/bare-project.ts';
import { budgetPlace } from '../../engine/budget/place.ts';
import type { Runtime } from '../../engine/context.ts';
import type { Project } from '../../engine/project.ts';
import type { RegistryEntry, ShortRun } from '../../engine/workflow.ts';
import { sidecarPath } from '../../store/home.ts';
import { NO_GUARD_MEMORY, newSidecar, type ReviewAttempt, type Sidecar } from '../../store/records.ts';
import { writeSession, writeSidecar } from '../../store/sidecars.ts';
import { userStateFolder } from '../../store/user-state.ts';
import { lineFor } from './line.ts';

const MINUTE = 60_000;
const now = Date.UTC(2026, 10, 17, 9);
const entry = (name: string, runs: readonly ShortRun[]): RegistryEntry => ({
  ...{ name, description: '', begin: '', traces: [`.${name}`], short: async () => () => runs },
  load: () => Promise.reject(new Error('not for a line')),
  cli: () => Promise.reject(new Error('not for a line')),
});
const runtime = ({ env, root }: Project, registry: readonly RegistryEntry[]): Runtime => ({
  ...{ registry, env, cwd: root, now, cli: 'holdfast', lockPatienceMs: 0 },
  findReviewer: () => Promise.reject(new Error('not for a line')),
  whenAskedToEnd: () => undefined,
});
const TOY = [{ run: 'a', stands: '1/3' }];

/** A project in which the toy has one run, and what the line says of it. */
function toy(more: Partial<Sidecar> = {}): { project: Project; line(session?: string): Promise<string> } {
  const project = bareProject(now);
  fs.mkdirSync(project.home);
  writeIn(project, '.toy', '');
  writeSidecar(project.root, { ...newSidecar('toy:a'), sessions: ['s1'], ...more });
  return {
    project,
    line: (session) =>
      lineFor({ session: session ?? null, folders: [] }, runtime(project, [entry('toy', TOY)])),
  };
}

describe('a status line', () => {
  it('is where the run stands, for its session and for whoever names none', async () => {
    const { line } = toy();
    expect([await line(), await line('s1'), await line('s2')]).toEqual(['toy 1/3', 'toy 1/3', '']);
  });

  it('says how many more there are', async () => {
    const { project } = toy();
    writeIn(project, '.other', '');
    const runs = ['b', 'c'].map((run) => ({ run, stands: 'x' }));
    const asked = { session: null, folders: [] };
    const two = [entry('toy', TOY), entry('other', runs.slice(1))];
    expect(await lineFor(asked, runtime(project, two))).toBe('toy 1/3 · and 1 more');
    const three = [entry('toy', TOY), entry('other', runs)];
    expect(await lineFor(asked, runtime(project, three))).toBe('toy 1/3 · and 2 more');
    expect(await lineFor({ ...asked, session: 's1' }, runtime(project, three))).toBe('toy 1/3');
  });

  it('is empty without a project, without a run, and for a workflow that has no file here', async () => {
    const { project } = toy();
    const asked = { session: null, folders: [] };
    expect(await lineFor(asked, runtime(project, [entry('toy', [])]))).toBe('');
    expect(await lineFor(asked, runtime(project, [entry('other', TOY)]))).toBe('');
    expect(await lineFor(asked, runtime(bareProject(now), [entry('toy', TOY)]))).toBe('');
    const { short: _, ...silent } = entry('toy', TOY);
    expect(await lineFor(asked, runtime(project, [silent]))).toBe('');
    const beside = [entry('other', TOY), entry('toy', TOY)];
    expect(await lineFor(asked, runtime(project, beside))).toBe('toy 1/3');
  });

  it('is of the folder that has the session’s runs, else of the nearest that was named', async () => {
    const [one, two] = [toy(), toy()];
    const asked = (session: string | null) =>
      lineFor(
        { session, folders: [one.project.root, two.project.root] },
        runtime(bareProject(now), [
          {
            ...entry('toy', []),
            short:
              async () =>
              ({ root }) => [{ run: 'a', stands: path.basename(path.dirname(root)) }],
          },
        ]),
      );
    const name = ({ project }: typeof one) => `toy ${path.basename(path.dirname(project.root))}`;
    writeSession(two.project.root, 's1', { schema: 2, runs: ['toy:a'], notified: [], looked: {} });
    expect(await asked('s1')).toBe(name(two));
    expect(await asked(null)).toBe(name(one));
  });

  it('stands though its notes or its budget cannot be read', async () => {
    const { project, line } = toy();
    fs.writeFileSync(sidecarPath(project.home, 'toy:a'), 'broken');
    giveBudget(project, budgetOf(project, 'toy:a'));
    fs.writeFileSync(path.join(userStateFolder(project.env), budgetPlace(project.root, 'toy:a')), 'broken');
    expect(await line()).toBe('toy 1/3');
  });
});

describe('what a status line says of a wait', () => {
  const wait = { since: now - MINUTE, until: now + 5 * MINUTE, what: 'w' };
  const released = { guard: { s: NO_GUARD_MEMORY, t: { ...NO_GUARD_MEMORY, released: true } } };
  it.each<[string, Partial<Sidecar>, string]>([
    ['a question', { waiting: { ...wait, for: 'person' } }, ' · asks you'],
    ['work', { waiting: { ...wait, for: 'work' } }, ' · waits for work'],
    ['a limit', { waiting: { ...wait, for: 'limit' } }, ' · at a limit until 09:05 UTC'],
    ['a limit without an end', { waiting: { ...wait, for: 'limit', until: null } }, ' · at a limit'],
    ['one that is over', { waiting: { ...wait, for: 'person', until: now } }, ''],
    ['none, being let go', released, ' · let go: no progress'],
    ['one, though it was let go', { ...released, waiting: { ...wait, for: 'work' } }, ' · waits for work'],
    ['none', { guard: { s: NO_GUARD_MEMORY } }, ''],
  ])('%s', async (_, more, said) => {
    expect(await toy(more).line()).toBe(`toy 1/3${said}`);
  });
});

describe('what a status line says of work', () => {
  const review: ReviewAttempt = {
    ...{ id: 'x', work: 'review', reviewer: 'codex', kind: 'plan-review', number: 1, file: 'f', model: '' },
    ...{ owner: null, begun: now - 30_000, deadline: now + 1, status: 'running', verdict: null, before: '' },
  };
  const check = {
    ...{ id: 'y', check: 'test', definition: '', owner: null, deadline: now + 1 },
    ...{ work: 'check' as const, status: 'running' as const },
  };
  const { begun: _, ...untimed } = review;
  it.each<[string, Sidecar['attempts'], string]>([
    ['a review', [review], ' · codex reviews 30 s'],
    ['a review of which nobody knows since when', [untimed], ' · codex reviews'],
    ['a review that began by another clock', [{ ...review, begun: now + 5000 }], ' · codex reviews 0 s'],
    ['a check', [check], ' · test runs'],
    ['the first of two', [check, review], ' · test runs'],
    ['none that has ended', [{ ...review, status: 'done' }, check], ' · test runs'],
    ['none whose time is up', [{ ...review, deadline: now }], ''],
  ])('%s', async (_name, attempts, said) => {
    expect(await toy({ attempts }).line()).toBe(`toy 1/3${said}`);
  });
});

describe('what a status line says of a budget', () => {
  it.each<[NonNullable<Parameters<typeof budgetOf>[2]>, string]>([
    [{}, ''],
    [{ limits: { tokens: 10 }, spent: { tokens: 3 } }, ' · 3 of 10 tokens'],
    [{ limits: { tokens: 10, reviews: 4, usd: 1 } }, ' · 0 of 10 tokens · 0 of 4 reviews'],
    [{ limits: { usd: 1 }, stage: 'paused' }, ' · paused · $0.00 of $1.00'],
    [{ limits: { usd: 1 }, stage: 'last-hold' }, ' · $0.00 of $1.00'],
  ])('%j', async (more, said) => {
    const { project, line } = toy();
    giveBudget(project, budgetOf(project, 'toy:a', more));
    expect(await line()).toBe(`toy 1/3${said}`);
  });

  it('comes after what checks said, and those after what is waited for', async () => {
    const { project, line } = toy({ waiting: { for: 'work', since: now, until: now + MINUTE, what: 'w' } });
    giveBudget(project, budgetOf(project, 'toy:a', { limits: { usd: 1 } }));
    const facts = { proof: { checks: [{ name: 'test', end: 'failed' }] } };
    const said = { time: new Date(now - MINUTE).toISOString(), workflow: 'toy', run: 'a', facts };
    writeIn(project, '.holdfast/journal.jsonl', `${JSON.stringify(said)}\n`);
    expect(await line()).toBe('toy 1/3 · waits for work · test ✗ 60 s ago · $0.00 of $1.00');
  });
});
