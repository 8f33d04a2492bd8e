import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { userInfo } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, budgetOf, giveBudget } from '../../../test/support/bare-project.ts';
import { journalIn, putToy } from '../../../test/support/stop-here.ts';
import type { BudgetLimits } from '../../store/records.ts';
import type { Project } from '../project.ts';
import { NotNow } from '../workflow-cli.ts';
import { grantMore, reportMoney } from './grant.ts';
import type { Grantor } from './grant-wall.ts';
import { readBudget } from './record.ts';

const HOUR = 3_600_000;
const NONE: BudgetLimits = { tokens: null, timeMs: null, reviews: null, usd: null };

let project: Project;
beforeEach(() => {
  project = bareProject();
});
type Given = Parameters<typeof budgetOf>[2];
const give = (more: Given): void => giveBudget(project, budgetOf(project, 'toy:a', more));
type How = { over?: string | null; grantor?: Grantor };
const grant = (
  more: Partial<BudgetLimits>,
  { over = null, grantor = { env: {}, command: 'run --continue' } }: How = {},
) => grantMore(project, { name: 'toy:a', over }, { ...NONE, ...more }, grantor);

/** Why it is refused; nothing is changed by that. */
function refusal(more: Partial<BudgetLimits>, how?: How): string {
  const before = readBudget(project, 'toy:a');
  try {
    grant(more, how);
  } catch (error) {
    expect(error).toBeInstanceOf(NotNow);
    expect([readBudget(project, 'toy:a'), journalIn(project)]).toEqual([before, []]);
    return error instanceof Error ? error.message : '';
  }
  throw new Error('it was granted');
}

describe('what a person grants', () => {
  it('is added, brings a paused run back, and is kept for the next notice and the journal', () => {
    give({ limits: { tokens: 5, usd: 1 }, spent: { tokens: 8 }, stage: 'paused', pausedAt: 1 });
    const granted = grant({ tokens: 10 });
    expect(granted).toMatchObject({ stage: 'open', pausedAt: null, limits: { ...NONE, tokens: 15, usd: 1 } });
    const by = `${userInfo().username}, with \`holdfast run --continue\``;
    expect(granted.granted).toEqual([{ at: project.now, by, more: { ...NONE, tokens: 10 } }]);
    expect(readBudget(project, 'toy:a')).toEqual(granted);
    expect(journalIn(project)).toMatchObject([
      { event: 'budget', run: 'a', what: 'raised', limits: granted.limits },
    ]);
    expect(grant({ tokens: 1 }).granted).toHaveLength(2);
  });

  it.each([
    ...['HOLDFAST_DRIVER', 'HOLDFAST_ATTEMPT', 'CLAUDECODE', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_PID'],
    ...['CODEX_SESSION_ID', 'CODEX_THREAD_ID', 'GEMINI_CLI', 'COPILOT_AGENT_SESSION_ID', 'COPILOT_CLI'],
    ...['QWEN_CODE_SESSION_ID', 'QWEN_CODE', 'OPENCODE', 'OPENCODE_SESSION_ID'],
  ])('is refused whatever calls it where an agent’s shell has %s, also an empty one', (name) => {
    give({ limits: { tokens: 5 } });
    for (const value of ['1', ''])
      for (const command of ['resume', 'run --continue'] as const)
        expect(refusal({ tokens: 10 }, { grantor: { env: { [name]: value }, command } })).toContain(
          `this shell is an agent's (${name} is set)`,
        );
  });

  it('is refused by `resume` without a terminal', () => {
    give({ limits: { tokens: 5 } });
    const said = refusal({ tokens: 10 }, { grantor: { env: {}, command: 'resume' } });
    expect(said).toMatch(/^only a person grants more: run `\S+ resume` yourself, in a terminal, /);
  });

  it.each([
    ['in its notes', true],
    ['by its stops, though its notes no longer have it', false],
  ])('is refused by `run --continue` while a session lives that is known %s', async (_, isNoted) => {
    const session = randomUUID();
    putToy(project, 'toy:a', {}, isNoted ? session : randomUUID());
    const from = { client: 'claude-code', session, turn: null, transcript: null };
    give({ limits: { tokens: 5 }, ...(isNoted ? {} : { clock: { at: 1, still: null, from } }) });
    const child = spawn('sleep', ['60'], { env: { ...process.env, CLAUDE_CODE_SESSION_ID: session } });
    try {
      await once(child, 'spawn');
      expect(refusal({ tokens: 10 })).toContain(
        `a session of toy:a lives (${session}, process ${child.pid})`,
      );
    } finally {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    expect(grant({ tokens: 10 }).limits.tokens).toBe(15);
  });

  const short = { limits: { tokens: 5, timeMs: HOUR }, spent: { tokens: 8, timeMs: 3 * HOUR } };
  it.each<[string, Given | null, Partial<BudgetLimits>, string | null, string]>([
    ['that is over', { limits: { tokens: 5 } }, { tokens: 9 }, 'done', 'toy:a is over (done), so'],
    ['without a budget', null, { tokens: 1 }, null, 'toy:a has no budget, so'],
    [
      'for what has no limit',
      { limits: { tokens: 5 } },
      { tokens: 1, timeMs: HOUR },
      null,
      'no limit that --hours',
    ],
    [
      'after the last hold',
      { ...short, stage: 'last-hold' },
      { timeMs: 9 * HOUR },
      null,
      '--tokens has to add more than 3 tokens. ',
    ],
    [
      'that would stay paused',
      { ...short, stage: 'paused' },
      { tokens: 3 },
      null,
      '3 of 1 h are spent, so --hours has to add more than 2 h. ',
    ],
  ])('is refused to a run %s', (_, given, more, over, said) => {
    if (given !== null) give(given);
    expect(refusal(more, { over })).toContain(said);
  });

  it('is added to an open run, however little', () => {
    give(short);
    expect(grant({ tokens: 1 }).limits.tokens).toBe(6);
  });
});

it.each<[number | null, readonly (readonly [string, number, boolean, number])[]]>([
  [
    2,
    [
      ['s1', 1, false, 1],
      ['s1', 1.5, false, 1.5],
      ['s2', 0.5, true, 2],
      ['s2', 0.75, true, 2.25],
    ],
  ],
  [null, [['s1', 100, false, 100]]],
])(
  'money that a client reports counts by what came on top, and says when %s dollars are spent',
  (usd, reports) => {
    expect(reportMoney(project, 'toy:a', 's1', 5)).toBe(false);
    expect(readBudget(project, 'toy:a')).toBeNull();
    give({ limits: { usd } });
    for (const [session, total, isSpent, spent] of reports) {
      expect(reportMoney(project, 'toy:a', session, total)).toBe(isSpent);
      expect(readBudget(project, 'toy:a')?.spent.usd).toBe(spent);
    }
  },
);
