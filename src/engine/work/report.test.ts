import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { putOutput } from '../../../test/support/outputs.ts';
import { stoppedIn } from '../../../test/support/stop-here.ts';
import type { Finding } from '../../reviewers/findings.ts';
import type { Reviewer } from '../../reviewers/reviewer.ts';
import type { ReviewAttempt } from '../../store/records.ts';
import type { Project } from '../project.ts';
import { withLeftOutput } from './output.ts';
import { type ReviewReport, readReportAgain, readReport as readReportFrom } from './report.ts';

const BEGUN = 1_000_000;
const attempt: ReviewAttempt = {
  ...{ id: 'a1', work: 'review', reviewer: 'critic', kind: 'k', number: 4, file: 'r.md', model: 'm' },
  ...{ owner: null, deadline: 1, status: 'done', verdict: 'clean', before: 'now', begun: BEGUN },
};
const finding: Finding = { severity: 'high', file: null, line: null, claim: 'x', evidence: null };
const findings = { list: [finding, { ...finding, severity: 'low' as const }], cut: 0 };
const spend = { usd: 2, tokens: null };
const plain: Reviewer = {
  name: 'critic',
  call: () => ({ program: 'critic', args: [], env: {} }),
  readVerdict: () => 'clean',
};
/** Finds what it printed, and nothing else. */
const critic: Reviewer = {
  ...plain,
  readFindings: (stdout) => (stdout === 'printed' ? findings : null),
  readSpend: (stdout) => (stdout === 'printed' ? spend : null),
};

const nothing: ReviewReport = {
  ...{ attempt: 'a1', findings: null, listed: null, spend: null, milliseconds: null, journaled: false },
};
const everything: ReviewReport = {
  ...{ ...nothing, findings, listed: { high: 1, medium: 0, low: 1 }, spend, milliseconds: 2000 },
};

let project: Project;
beforeEach(() => {
  project = bareProject();
});

/** What it printed, and how long after its begin. */
function print(text: string, after = 2000): void {
  fs.utimesSync(putOutput(project, attempt.id, text), 1, (BEGUN + after) / 1000);
}

const readReport = (of: Project, attempt: ReviewAttempt, by: Reviewer): ReviewReport =>
  withLeftOutput(of, attempt.id, (stdout) => readReportFrom(attempt, by, stdout));

describe('the report of a review', () => {
  it.each(['clean', 'findings'] as const)('has what it listed, cost and took: %s', (verdict) => {
    print('printed');
    expect(readReport(project, { ...attempt, verdict }, critic)).toEqual(everything);
  });

  it.each(['none', 'failed', null] as const)(
    'lists nothing without a verdict, and has its price: %s',
    (verdict) => {
      print('printed');
      expect(readReport(project, { ...attempt, verdict }, critic)).toEqual({
        ...{ ...nothing, spend, milliseconds: 2000 },
      });
    },
  );

  it('has nothing of a reviewer that says nothing of it', () => {
    print('printed');
    expect(readReport(project, attempt, plain)).toEqual({ ...nothing, milliseconds: 2000 });
    print('other');
    expect(readReport(project, attempt, critic)).toEqual({ ...nothing, milliseconds: 2000 });
  });

  it('has no time where nobody knows its begin or its end, and never less than none', () => {
    expect(readReport(project, attempt, critic)).toEqual(nothing);
    print('printed');
    expect(readReport(project, { ...attempt, begun: undefined }, critic).milliseconds).toBeNull();
    print('printed', -1000);
    expect(readReport(project, attempt, critic).milliseconds).toBe(0);
    print('printed', 0.75);
    expect(readReport(project, attempt, critic).milliseconds).toBe(1);
  });
});

describe('the report of a review that an earlier stop ran', () => {
  const again = (reviewer: Reviewer | null): Promise<ReviewReport> =>
    readReportAgain(
      attempt,
      stoppedIn(
        project,
        {},
        {
          findReviewer: async (name) => {
            if (reviewer === null || name !== 'critic') throw new Error(`no reviewer ${name}`);
            return reviewer;
          },
        },
      ),
    );

  function journal(line: object): void {
    const file = path.join(project.home, 'journal.jsonl');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.appendFileSync(file, `${JSON.stringify(line)}\n`);
  }
  const line = {
    ...{ schema: 2, time: 't', session: null, event: 'review', workflow: 'toy', run: 'a', attempt: 'a1' },
  };

  it('is the same', async () => {
    print('printed');
    expect(await again(critic)).toEqual(everything);
  });

  it('says whether it is in the journal', async () => {
    print('printed');
    journal({ ...line, attempt: 'a2' });
    expect(await again(critic)).toEqual(everything);
    journal(line);
    expect(await again(critic)).toEqual({ ...everything, journaled: true });
  });

  it('has nothing where another version alone knows the reviewer', async () => {
    print('printed');
    expect(await again(null)).toEqual(nothing);
    journal(line);
    expect(await again(null)).toEqual({ ...nothing, journaled: true });
  });
});
