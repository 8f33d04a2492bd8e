import { expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import type { BudgetLimits } from '../../store/records.ts';
import type { Project } from '../project.ts';
import { NotNow, WrongUsage } from '../workflow-cli.ts';
import { budgetAtStart, budgetFlags } from './at-start.ts';

const HOUR = 3_600_000;
const NONE: BudgetLimits = { tokens: null, timeMs: null, reviews: null, usd: null };

it('flags are read as limits, each in its own unit', () => {
  expect(budgetFlags({}, 'start')).toEqual(NONE);
  const limits = { tokens: 2_000_000, timeMs: 119_880, reviews: 12, usd: 2.5 };
  expect(budgetFlags({ tokens: '2M', hours: '0.0333', reviews: '12', usd: '2.5' }, 'start')).toEqual(limits);
});

it.each([
  ['tokens', 'many'],
  ['hours', '0'],
  ['reviews', '1.5'],
  ['usd', true],
])('--%s %s is refused', (flag, given) => {
  const refused = () => budgetFlags({ [flag]: given }, 'toy start');
  expect(refused).toThrow(WrongUsage);
  expect(refused).toThrow(new RegExp(`^toy start: --${flag} takes .+, not "${given}"\\.$`));
});

it.each<[string, Partial<BudgetLimits> | null, Partial<BudgetLimits>, 'agent' | 'person', object | string]>([
  ['nothing bounds it', {}, {}, 'person', {}],
  ['flags and settings bound other parts', { timeMs: 9 }, { usd: 0 }, 'agent', { timeMs: 9, usd: 0 }],
  [
    'a person asks for more than the settings',
    { timeMs: HOUR },
    { timeMs: 9 * HOUR },
    'person',
    { timeMs: 9 * HOUR },
  ],
  ['an agent asks for less', { tokens: 9 }, { tokens: 5 }, 'agent', { tokens: 5 }],
  ['an agent asks for as much', { tokens: 9 }, { tokens: 9 }, 'agent', { tokens: 9 }],
  ['an agent asks for more', { timeMs: HOUR }, { timeMs: 2 * HOUR }, 'agent', '--hours: 2 h is more than'],
  ['the user’s own cannot be read', null, {}, 'person', 'nothing is started before your budget can be read'],
])('a start where %s', (_, settings, asked, who, expected) => {
  const plain = bareProject();
  const env = who === 'agent' ? { ...plain.env, CLAUDE_CODE_SESSION_ID: 'session-1' } : plain.env;
  const brokenBudget = settings === null ? 'budget.hours is no number' : null;
  const config = { ...plain.config, budget: settings && { ...NONE, ...settings }, brokenBudget };
  const project: Project = { ...plain, env, config };
  const begun = () => budgetAtStart(project, { ...NONE, ...asked });
  if (typeof expected === 'string') {
    expect(begun).toThrow(NotNow);
    expect(begun).toThrow(expected);
    return;
  }
  const limits = { ...NONE, ...expected };
  expect(begun()?.notes ?? null).toEqual(
    Object.keys(expected).length === 0 ? null : { limits, startedAt: project.now },
  );
});
