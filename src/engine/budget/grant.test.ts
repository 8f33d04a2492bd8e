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
const give = (more: Parameters<typeof budgetOf>[2]): void =>
  giveBudget(project, budgetOf(project, 'toy:a', more));
type How = { over?: string | null; grantor?: Grantor };
const grant = (
  more: Partial<BudgetLimits>,
  { over = null, grantor = { env: {}, command: 'run --continue' } }: How = {},
) => grantMore(project, { name: 'toy:a', over }, { ...NONE, ...more }, grantor);
const paused = { stage: 'paused' as const, pausedAt: 1 };

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
  it('is added, and is in the journal', () => {
    give({ limits: { tokens: 5, usd: 1 } });
    const granted = grant({ tokens: 10 });
    expect(granted.limits).toEqual({ ...NONE, tokens: 15, usd: 1 });
    expect(readBudget(project, 'toy:a')).toEqual(granted);
    expect(journalIn(project)).toMatchObject([
      { event: 'budget', workflow: 'toy', run: 'a', what: 'raised', limits: granted.limits },
    ]);
  });

  it('brings a paused run back', () => {
    give({ limits: { tokens: 5 }, spent: { tokens: 8 }, ...paused });
    expect(grant({ tokens: 4 })).toMatchObject({ stage: 'open', pausedAt: null, clock: { at: project.now } });
  });

  it('is put down for the next notice, with who granted it', () => {
    give({ limits: { tokens: 5 } });
    grant({ tokens: 10 });
    const by = `${userInfo().username}, with \`holdfast run --continue\``;
    expect(readBudget(project, 'toy:a')?.granted).toEqual([
      { at: project.now, by, more: { ...NONE, tokens: 10 } },
    ]);
    expect(grant({ tokens: 1 }).granted).toHaveLength(2);
  });

  it.each([
    ...['HOLDFAST_DRIVER', 'HOLDFAST_ATTEMPT', 'CLAUDECODE', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_PID'],
    ...['CODEX_SESSION_ID', 'CODEX_THREAD_ID', 'GEMINI_CLI', 'COPILOT_AGENT_SESSION_ID', 'COPILOT_CLI'],
    ...['QWEN_CODE_SESSION_ID', 'QWEN_CODE', 'OPENCODE', 'OPENCODE_SESSION_ID'],
  ])('is refused whatever calls it where an agent’s shell has %s, also an empty one', (name) => {
    give({ limits: { tokens: 5 }, ...paused });
    for (const value of ['1', ''])
      for (const command of ['resume', 'run --continue'] as const)
        expect(refusal({ tokens: 10 }, { grantor: { env: { [name]: value }, command } })).toBe(
          `only a person grants more, in a terminal of their own: this shell is an agent's (${name} is set). Leave the work whole, write down where it stands, and stop.`,
        );
  });

  it('is refused by `resume` without a terminal', () => {
    give({ limits: { tokens: 5 } });
    expect(refusal({ tokens: 10 }, { grantor: { env: {}, command: 'resume' } })).toMatch(
      /^only a person grants more: run `\S+ resume` yourself, in a terminal, /,
    );
  });

  it('is refused by `run --continue` while a session of the run lives', async () => {
    const session = randomUUID();
    putToy(project, 'toy:a', {}, session);
    give({ limits: { tokens: 5 } });
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

  it('is refused to a run that is over', () => {
    give({ limits: { tokens: 5 } });
    expect(refusal({ tokens: 10 }, { over: 'done' })).toBe(
      'toy:a is over (done), so there is nothing to grant. Nothing was changed.',
    );
  });

  it('is refused where the run has no budget', () => {
    expect(refusal({ tokens: 1 })).toBe('toy:a has no budget, so there is nothing to add to.');
  });

  it('is refused for what has no limit', () => {
    give({ limits: { tokens: 5 } });
    expect(refusal({ tokens: 1, timeMs: HOUR })).toBe(
      'toy:a has no limit that --hours could add to. `holdfast status` shows what it has.',
    );
  });

  it('is refused where it would not do', () => {
    give({ limits: { tokens: 5, timeMs: HOUR }, spent: { tokens: 8, timeMs: 3 * HOUR }, ...paused });
    expect(refusal({ tokens: 3 })).toBe(
      'that would not bring toy:a back: 8 of 5 tokens are spent, so --tokens has to add more than 3 tokens; 3 of 1 h are spent, so --hours has to add more than 2 h. Nothing was changed.',
    );
    expect(refusal({ timeMs: 3 * HOUR })).toBe(
      'that would not bring toy:a back: 8 of 5 tokens are spent, so --tokens has to add more than 3 tokens. Nothing was changed.',
    );
  });

  it('is refused after the last hold, too, and not while the run is open', () => {
    const spent = { limits: { tokens: 5 }, spent: { tokens: 8 } };
    give({ ...spent, stage: 'last-hold' });
    expect(refusal({ tokens: 1 })).toMatch(/^that would not bring toy:a back: /);
    give(spent);
    expect(grant({ tokens: 1 }).limits.tokens).toBe(6);
  });
});

describe('money that a client reports', () => {
  const report = (total: number, session = 's1'): boolean => reportMoney(project, 'toy:a', session, total);
  const spent = (): number | undefined => readBudget(project, 'toy:a')?.spent.usd;

  it('is nothing to a run without a budget', () => {
    expect(report(5)).toBe(false);
    expect(readBudget(project, 'toy:a')).toBeNull();
  });

  it('counts by what came on top, and says when all is spent', () => {
    give({ limits: { usd: 2 } });
    expect([report(1), spent()]).toEqual([false, 1]);
    expect([report(1.5), spent()]).toEqual([false, 1.5]);
    expect([report(0.5, 's2'), spent()]).toEqual([true, 2]);
    expect([report(0.75, 's2'), spent()]).toEqual([true, 2.25]);
  });

  it('is never all where it has no limit', () => {
    give({ limits: { tokens: 1 } });
    expect([report(100), spent()]).toEqual([false, 100]);
  });
});
