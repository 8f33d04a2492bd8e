// A plan's docket: what a verdict takes up, which answers count, and what is said of it.

import { beforeEach, describe, expect, it } from 'vitest';
import { contextIn } from '../../../test/support/bare-project.ts';
import { type PlanScene, planScene } from '../../../test/support/taskie-plan.ts';
import { docketText, parseDocket } from '../../engine/docket/format.ts';
import { EMPTY_DOCKET, type Entry } from '../../engine/docket/types.ts';
import type { Finding, Findings } from '../../reviewers/findings.ts';
import { docketNow, takeUp } from './docket.ts';
import { accountsAtEnd, docketInHold } from './say-docket.ts';
import type { RememberedReview } from './types.ts';

let scene: PlanScene;
beforeEach(() => {
  scene = planScene();
  scene.sound();
});

const REVIEW: RememberedReview = { kind: 'plan-review', task: null, iteration: 2, number: 3, by: 'opus' };
const finding = (claim: string): Finding => ({
  severity: 'high',
  file: null,
  line: null,
  claim,
  evidence: null,
});
const entry = (id: string, review: string, more: Partial<Entry> = {}): Entry => ({
  ...{ id, review, round: 1, by: null, severity: 'high', file: null, line: null, claim: `${id} breaks.` },
  ...{ evidence: null, status: 'open', answer: null, earlier: [], others: {} },
  ...more,
});
const keep = (...findings: Entry[]): void =>
  scene.put('docket.json', docketText({ ...EMPTY_DOCKET, last: findings.length, findings }));
const context = (findings?: Findings) =>
  contextIn(scene.project, 'my-plan', findings === undefined ? {} : { findings });
const take = (findings?: Findings, review = REVIEW) => takeUp(review, scene.folder(), context(findings));
const now = () => docketNow(scene.project, 'my-plan', scene.folder());
const statuses = () => now()?.findings.map(({ id, status, answer }) => [id, status, answer]);

describe('a review that is taken up', () => {
  it('leaves no docket where no reviewer lists findings and there is none', () => {
    expect(take()).toBeNull();
  });

  it('begins one with what it listed', () => {
    const taken = take({ list: [finding('It breaks.')], cut: 4 });
    const docket = {
      ...{ last: 1, strays: [], others: {} },
      findings: [entry('F1', 'plan-review-3.md', { round: 2, by: 'opus', claim: 'It breaks.' })],
    };
    expect(taken).toEqual({
      docket,
      review: 'plan-review-3.md',
      cut: 4,
      writes: [{ kind: 'replace', path: scene.at('docket.json'), content: docketText(docket) }],
      notice: null,
    });
  });

  it('has the name of its kind and task, and nobody’s where nobody is known', () => {
    const { by: _by, ...unknown } = REVIEW;
    const taken = take({ list: [finding('x')], cut: 0 }, { ...unknown, kind: 'code-review', task: '2' });
    expect(taken).toMatchObject({ review: 'task-2-review-3.md', cut: 0 });
    expect(taken?.docket.findings[0]).toMatchObject({ review: 'task-2-review-3.md', by: null });
  });

  it('takes up answers, also where the reviewer listed nothing', () => {
    keep(entry('F1', 'plan-review-1.md'));
    scene.put('plan-post-review-1.md', 'F1 fixed: changed it\n');
    const taken = take();
    expect(taken).toMatchObject({ review: 'plan-review-3.md', cut: 0, notice: null });
    expect(taken?.docket.findings).toEqual([
      entry('F1', 'plan-review-1.md', { status: 'fixed', answer: 'changed it' }),
    ]);
    expect(taken?.writes).toHaveLength(1);
  });

  it('writes nothing where nothing changed', () => {
    keep(entry('F1', 'plan-review-1.md'));
    expect(take({ list: [], cut: 0 })?.writes).toEqual([]);
  });

  it('reads the reviews again where the docket is broken, in their order, and says so', () => {
    scene.put('docket.json', '{"findings": [');
    scene.put('plan-review-2.md', '## High\n- Second (`b.ts:1`)\n');
    scene.put('plan-review-1.md', '## High\n- First (`a.ts:1`)\n');
    scene.put('plan-review-10.md', '## High\n- Tenth (`c.ts:1`)\n');
    scene.put('plan-post-review-1.md', '## High\n- No review (`d.ts:1`)\n');
    const taken = take();
    expect(taken?.docket.findings.map(({ id, review, round, by }) => [id, review, round, by])).toEqual([
      ['F1', 'plan-review-1.md', 1, null],
      ['F2', 'plan-review-2.md', 2, null],
      ['F3', 'plan-review-10.md', 10, null],
    ]);
    expect(taken?.notice).toMatch(
      /^Plan 'my-plan': \.taskie\/plans\/my-plan\/docket\.json could not be understood, so it was set aside as \.taskie\/plans\/my-plan\/docket\.broken-\w{8}\.json and begun again, with 0 finding\(s\) that could still be read in it and 3 from the reviews\./,
    );
  });
});

describe('the docket as it is now', () => {
  it('is none where there is no file of it', () => {
    expect(now()).toBeNull();
  });

  it('is as it stands where nothing was found', () => {
    keep();
    scene.put('plan-post-review-1.md', 'F1 fixed: x\n');
    expect(now()).toEqual(EMPTY_DOCKET);
  });

  it('has the answers of post-reviews that no stop has taken up, the later one first of two', () => {
    keep(entry('F1', 'plan-review-1.md'), entry('F2', 'plan-review-1.md'), entry('F3', 'plan-review-1.md'));
    scene.put('plan-post-review-2.md', 'F1 rejected: it is right\n');
    scene.put('plan-post-review-10.md', 'F2 fixed: later\n');
    scene.put('plan-post-review-1.md', 'F1 fixed: at first\nF2 fixed: at first\n');
    scene.put('plan-review-1.md', 'F3 fixed: said by a reviewer\n');
    expect(statuses()).toEqual([
      ['F1', 'rejected', 'it is right'],
      ['F2', 'fixed', 'later'],
      ['F3', 'open', null],
    ]);
    expect(parseDocket(docketText(now() ?? EMPTY_DOCKET))).toEqual(now());
  });

  it('knows no answer that came before its finding', () => {
    keep(entry('F1', 'plan-review-1.md'), entry('F2', 'plan-review-2.md'), entry('F3', 'tasks-review-1.md'));
    scene.put('plan-post-review-1.md', 'F1 fixed: one\nF2 fixed: too early\nF3 fixed: too early\n');
    scene.put('plan-post-review-2.md', 'F2 rejected: for a reason\nF3 fixed: too early\n');
    expect(statuses()).toEqual([
      ['F1', 'fixed', 'one'],
      ['F2', 'rejected', 'for a reason'],
      ['F3', 'open', null],
    ]);
  });

  it('takes a finding that is in no review for one of before', () => {
    keep(entry('F1', 'by hand'), entry('F2', 'tasks-review-1.md'));
    scene.put('plan-post-review-1.md', 'F1 fixed: one\nF2 fixed: too early\n');
    expect(statuses()).toEqual([
      ['F1', 'fixed', 'one'],
      ['F2', 'open', null],
    ]);
  });
});

describe('what is said of the docket', () => {
  const hold = { name: 'hold-plan-review', slots: { post: 'plan-post-review-3.md' } };
  const world = (findings?: Findings) => {
    const docket = findings === undefined ? null : take(findings);
    return { folder: scene.folder(), stateText: null, ...(docket === null ? {} : { docket }) };
  };
  const held = (of = world()) => docketInHold(hold, of, context());

  it('in a hold is nothing where there is none', () => {
    expect(held()).toBe('');
    expect(docketInHold(hold, undefined, context())).toBe('');
  });

  it('in a hold that comes with a verdict is the open findings', () => {
    keep(entry('F1', 'plan-review-1.md'));
    expect(held(world({ list: [finding('It breaks.')], cut: 2 }))).toBe(
      [
        `Open findings, the worst first (${scene.at('docket.json')} has them all):`,
        '- F1 high: F1 breaks.',
        '- F2 high: It breaks.',
        `Answer each in ${scene.at('plan-post-review-3.md')}, on a line of its own outside code: \`F1 fixed: <what you changed>\` or \`F1 rejected: <why>\`. A rejection counts only with its reason. Left without an answer before: F1. 2 more were listed than are read.`,
      ].join('\n'),
    );
  });

  it('in a hold that is given again is where they are', () => {
    keep(entry('F1', 'plan-review-1.md'));
    expect(held()).toBe(
      `The findings are in ${scene.at('docket.json')}. Answer each that is open in ${scene.at('plan-post-review-3.md')}, on a line of its own outside code, such as \`F7 fixed: <what you changed>\` or \`F7 rejected: <why>\`. A rejection counts only with its reason.`,
    );
  });

  const atEnd = (name: string, of: ReturnType<typeof world> | undefined = world()) =>
    accountsAtEnd({ name, slots: {} }, of, context());

  it.each(['passed', 'passed-row-pending', 'limit-reached'])('at the end, %s, is the accounts', (name) => {
    expect(atEnd(name)).toBe('');
    keep(entry('F1', 'plan-review-1.md'));
    scene.put('plan-post-review-1.md', 'F1 fixed: x\n');
    expect(atEnd(name)).toBe('Findings: 1 found: 1 fixed, 0 rejected, 0 open.');
    expect(atEnd(name, world({ list: [finding('y')], cut: 0 }))).toBe(
      'Findings: 2 found: 1 fixed, 0 rejected, 1 open (high).',
    );
    expect(accountsAtEnd({ name, slots: {} }, undefined, context())).toBe('');
  });

  it('is nothing in any other message', () => {
    keep(entry('F1', 'plan-review-1.md'));
    expect(atEnd('validated')).toBe('');
  });
});
