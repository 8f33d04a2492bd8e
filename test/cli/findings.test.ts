// `holdfast findings` at the command line: wrong usage, no runs, a docket of ten thousand findings.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

let project: TempProject;
beforeEach(() => {
  project = tempProject();
});
afterEach(() => project.remove());

const PLAN = '.taskie/plans/p';

function withDocket(findings: readonly object[]): void {
  project.write(`${PLAN}/plan.md`, '# Plan\n');
  project.write(`${PLAN}/docket.json`, JSON.stringify({ findings }));
}

describe('holdfast findings', () => {
  it('says what to do where there are no runs', async () => {
    const { stdout, exitCode } = await runCli(project.root, ['findings']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('there are no runs here');
  });

  it.each([
    [['--open', '--contested'], 2],
    [['--json', '--markdown'], 2],
    [['--run', 'taskie:nobody'], 1],
  ])('refuses %j', async (args, code) => {
    withDocket([{ id: 'F1', claim: 'x' }]);
    const { stderr, exitCode } = await runCli(project.root, ['findings', ...args]);
    expect(exitCode).toBe(code);
    expect(stderr).not.toBe('');
  });

  it('groups them by review, worst first, with the answers beside them', async () => {
    withDocket([
      { id: 'F1', review: 'plan-review-1.md', round: 1, by: 'opus', severity: 'low', claim: 'a name' },
      {
        ...{ id: 'F2', review: 'plan-review-1.md', severity: 'high', file: 'a.ts', line: 3, claim: 'a lock' },
        ...{ status: 'rejected', answer: 'it is meant so' },
      },
      {
        id: 'F3',
        review: 'plan-review-2.md',
        severity: 'high',
        file: 'a.ts',
        claim: 'again',
        earlier: ['F2'],
      },
    ]);
    const { stdout } = await runCli(project.root, ['findings']);
    expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
      'taskie:p  3 found: 0 fixed, 1 rejected, 2 open (1 high), 1 contested  .taskie/plans/p/docket.json',
      '',
      'plan-review-1.md',
      '  \u2717 F2 high    a.ts:3  a lock',
      '       rejected: it is meant so  contested',
      '  \u25cf F1 low     a name',
      '',
      'plan-review-2.md',
      '  \u25cf F3 high    a.ts  again',
      '       raised again: F2 was rejected: it is meant so',
      '',
    ]);
    const markdown = await runCli(project.root, ['findings', '--markdown', '--contested']);
    expect(markdown.stdout).toContain(
      '- **F2** high `a.ts:3`: a lock\n  - rejected: it is meant so (**contested**)',
    );
    const json = JSON.parse((await runCli(project.root, ['findings', '--json', '--open'])).stdout);
    expect(json.runs[0].findings.map(({ id }: { id: string }) => id)).toEqual(['F1', 'F3']);
  });

  it('reads ten thousand of them', async () => {
    withDocket(
      Array.from({ length: 10_000 }, (_, index) => ({ id: `F${index + 1}`, claim: `claim ${index}` })),
    );
    const { stdout, exitCode } = await runCli(project.root, ['findings', '--open']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('10000 found');
  });
});
