// A loop's docket: which rounds are taken up, and what of PLAN.md answers a finding.

import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ID, putLoop, writeAt } from '../../../test/fixtures/claudex/project.ts';
import { emptyFolder, projectIn } from '../../../test/support/bare-project.ts';
import { docketText } from '../../engine/docket/format.ts';
import { EMPTY_DOCKET, type Entry } from '../../engine/docket/types.ts';
import type { Project } from '../../engine/project.ts';
import { takeUp } from './docket.ts';
import { filesOf, stateDirOf } from './files.ts';

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root);
  putLoop(project);
});

const files = () => filesOf(stateDirOf(project), ID);
const find = (round: number, ...claims: string[]): void =>
  writeAt(files().findings(round), `## High\n${claims.map((claim) => `- ${claim}\n`).join('')}`);
const plan = (text: string): void => writeAt(path.join(root, 'PLAN.md'), text);
const entry = (id: string, round: number, claim: string, more: Partial<Entry> = {}): Entry => ({
  ...{ id, review: `findings-round-${round}.md`, round, by: 'codex', severity: 'high', file: null },
  ...{ line: null, claim, evidence: null, status: 'open', answer: null, earlier: [], others: {} },
  ...more,
});
const keep = (...findings: Entry[]): void =>
  writeAt(
    path.join(files().folder, 'docket.json'),
    docketText({ ...EMPTY_DOCKET, last: findings.length, findings }),
  );
const take = (round: number, reviewed: readonly number[], by = 'codex/') =>
  takeUp({
    ...{ id: ID, dir: stateDirOf(project), files: files(), round, by },
    rounds: new Map(reviewed.map((each) => [each, {}])),
  });
const answers = (text: string) => {
  find(1, 'Alpha breaks');
  plan(text);
  return take(1, [1]).docket.findings.map(({ status, answer }) => [status, answer]);
};

describe('the docket of a loop', () => {
  it('begins with what the round found that is left behind', () => {
    find(1, 'Alpha breaks', 'Beta leaks');
    const taken = take(1, [1]);
    const docket = {
      ...EMPTY_DOCKET,
      last: 2,
      findings: [entry('F1', 1, 'Alpha breaks'), entry('F2', 1, 'Beta leaks')],
    };
    expect(taken).toEqual({
      docket,
      review: 'findings-round-1.md',
      writes: [
        {
          kind: 'replace',
          path: path.join(files().folder, 'docket.json'),
          content: docketText(docket),
        },
      ],
      notice: null,
    });
  });

  it('names the reviewer’s model where there is one', () => {
    find(1, 'Alpha breaks');
    expect(take(1, [1], 'codex/gpt-5').docket.findings[0]?.by).toBe('codex/gpt-5');
    expect(take(1, [1], 'opus').docket.findings[0]?.by).toBe('opus');
  });

  it('is empty where no round was reviewed', () => {
    plan('## Changelog\nF1 fixed: x\n');
    expect(take(1, [])).toEqual({
      ...{ docket: EMPTY_DOCKET, review: 'findings-round-1.md', writes: [], notice: null },
    });
  });

  it('takes up rounds that were passed over, but none beyond the one that is left', () => {
    for (const round of [1, 2, 3]) find(round, `Claim number${round}`);
    const found = (round: number) => take(round, [1, 2, 3]).docket.findings.map(({ round: of }) => of);
    expect([found(1), found(2), found(3)]).toEqual([[1], [1, 2], [1, 2, 3]]);
  });

  it('reads no earlier round again, and its own once more without a second entry', () => {
    keep(entry('F1', 2, 'Second claims'));
    find(1, 'First claims');
    find(2, 'Second claims', 'Added later');
    find(3, 'Third claims');
    expect(take(2, [1, 2]).docket.findings.map(({ id, claim }) => [id, claim])).toEqual([
      ['F1', 'Second claims'],
      ['F2', 'Added later'],
    ]);
    expect(take(3, [1, 2, 3]).docket.findings.map(({ claim }) => claim)).toEqual([
      'Second claims',
      'Third claims',
    ]);
  });

  it('takes an entry without a round for one of before', () => {
    keep(entry('F1', 1, 'By hand', { round: null }));
    find(1, 'First claims');
    expect(take(1, [1]).docket.findings.map(({ id }) => id)).toEqual(['F1', 'F2']);
  });

  it('takes up every round after an entry that has none', () => {
    keep(entry('F1', 1, 'By hand', { round: null }));
    find(1, 'First claims');
    find(2, 'Second breaks');
    expect(take(2, [1, 2]).docket.findings.map(({ round }) => round)).toEqual([null, 1, 2]);
  });

  it('has answers also where no round is there any more', () => {
    keep(entry('F1', 1, 'First claims'));
    plan('## Changelog\n- F1 fixed: done\n');
    expect(take(2, []).docket.findings).toEqual([
      entry('F1', 1, 'First claims', { status: 'fixed', answer: 'done' }),
    ]);
  });

  it('links what is raised again to what was answered before', () => {
    keep(entry('F1', 1, 'Cache never expires entries'));
    find(2, 'Cache never expires entries');
    plan('## Changelog\n- F1 rejected: it does\n');
    expect(take(2, [1, 2]).docket.findings.map(({ status, earlier }) => [status, earlier])).toEqual([
      ['rejected', []],
      ['open', ['F1']],
    ]);
  });

  it('is begun again from the findings where it is broken', () => {
    find(1, 'First claims');
    find(2, 'Second claims');
    writeAt(path.join(files().folder, 'docket.json'), '{');
    const { docket, notice } = take(2, [1, 2]);
    expect(docket.findings).toEqual([entry('F1', 1, 'First claims'), entry('F2', 2, 'Second claims')]);
    expect(notice).toMatch(
      new RegExp(
        `^Claudex loop ${ID}: \\.claude/claudex/${ID}/docket\\.json could not be understood, .+ with 0 finding\\(s\\) that could still be read in it and 2 from the reviews\\.`,
      ),
    );
  });
});

describe('an answer in PLAN.md', () => {
  const FIXED = [['fixed', 'x']];
  const OPEN = [['open', null]];

  it.each([
    ['# Plan\n\n## Changelog\n\n- F1 fixed: x\n', FIXED],
    ['###### change log of it\nF1 fixed: x\n', FIXED],
    ['   ##CHANGELOG\nF1 fixed: x', FIXED],
    ['## Changelog\n### Round 1\nF1 fixed: x\n', FIXED],
    ['### Changelog\n#### Round 1\nF1 fixed: x\n## Next\n', FIXED],
    ['## Changelog\n#no heading\nF1 fixed: x\n', FIXED],
    ['## Changelog\n\n## Next\nF1 fixed: x\n', OPEN],
    ['## Changelog\nF1 fixed: x\n## Next\n', FIXED],
    ['## Changelog\nwhat ## Next was\nF1 fixed: x\n', FIXED],
    ['## Changelog\n## Next\nF1 fixed: x\n', OPEN],
    ['## Changelog\n# Next\nF1 fixed: x\n', OPEN],
    ['## Changelog\n   ## Next\nF1 fixed: x\n', OPEN],
    ['# Plan\nF1 fixed: x\n## Changelog\n', OPEN],
    ['# Plan\nF1 fixed: x\n', OPEN],
    ['## Changelogs\nF1 fixed: x\n', OPEN],
    ['## The changelog\nF1 fixed: x\n', OPEN],
    ['####### Changelog\nF1 fixed: x\n', OPEN],
    ['    ## Changelog\nF1 fixed: x\n', OPEN],
    ['Changelog\nF1 fixed: x\n', OPEN],
    ['## Changelog\n```\nF1 fixed: x\n```\n', OPEN],
    ['', OPEN],
  ])('%#: %j', (text, expected) => {
    expect(answers(text)).toEqual(expected);
  });
});
