import { describe, expect, it } from 'vitest';
import type { ConfigFile } from './schema.ts';
import { changedSettings, type Settings, settle } from './settings.ts';

const byDefault = <T>(value: T) => ({ value, from: 'default' }) as const;

/** What nobody set. */
const USUAL = {
  'review.timeout': byDefault(600),
  'review.access': byDefault('full'),
  'review.floor': byDefault('low'),
  'review.floorFrom': byDefault(1),
  'review.models': byDefault(['opus', 'sonnet']),
  'review.claudex': byDefault('codex/'),
  'journal.keep': byDefault(64),
  'idle.issues.list': byDefault(null),
  'idle.issues.show': byDefault(null),
  'proof.sandbox': byDefault('auto'),
  'proof.bail': byDefault(false),
  'proof.refusals': byDefault(12),
  'proof.acceptRed': byDefault([]),
  'protect.then': byDefault('notice'),
  'wait.work': byDefault(7200),
  'wait.person': byDefault(604_800),
  ask: byDefault('wait'),
  'hold.as': byDefault('auto'),
  'run.silence': byDefault(1800),
  'run.client': byDefault(null),
  'budget.tokens': byDefault(null),
  'budget.hours': byDefault(null),
  'budget.reviews': byDefault(null),
  'budget.usd': byDefault(null),
};

it('settings are the usual ones without a file', () => {
  expect(settle({}, {})).toEqual(USUAL);
});

it('sections with nothing in them set nothing', () => {
  const empty: ConfigFile = { review: {}, journal: {}, idle: {}, proof: {}, wait: {}, run: {}, budget: {} };
  expect(settle(empty, empty)).toEqual(USUAL);
  const issues: ConfigFile = { idle: { issues: {} } };
  expect(settle(issues, issues)).toEqual(USUAL);
});

/** Each key with something else than the usual: above it for the user, and below that for the project. */
const full = (number: number): ConfigFile => ({
  review: { timeout: number, access: 'sandboxed', floor: 'high', floorFrom: number, models: ['a', 'b'] },
  journal: { keep: number },
  idle: { issues: { list: `list ${number}`, show: `show ${number}` } },
  proof: { sandbox: 'always', bail: true, refusals: number, acceptRed: ['test'] },
  protect: { then: 'hold' },
  wait: { work: number, person: number },
  ask: 'refuse',
  hold: { as: 'feedback' },
  run: { silence: number, client: 'codex' },
  budget: { tokens: number, hours: number, reviews: number, usd: number },
});

it('each setting of the user is taken', () => {
  const from = (value: unknown) => ({ value, from: 'user' });
  const user = { ...full(5000), review: { ...full(5000).review, claudex: 'claude/opus' } };
  expect(settle(user, {})).toEqual({
    ...Object.fromEntries(Object.keys(USUAL).map((key) => [key, from(5000)])),
    'review.access': from('sandboxed'),
    'review.floor': from('high'),
    'review.models': from(['a', 'b']),
    'review.claudex': from('claude/opus'),
    'idle.issues.list': from('list 5000'),
    'idle.issues.show': from('show 5000'),
    'proof.sandbox': from('always'),
    'proof.bail': from(true),
    'proof.acceptRed': from(['test']),
    'protect.then': from('hold'),
    ask: from('refuse'),
    'hold.as': from('feedback'),
    'run.client': from('codex'),
  });
});

it('each setting of the project is taken that tightens, or is its own affair', () => {
  const from = (value: unknown) => ({ value, from: 'project' });
  expect(
    settle({ review: { floor: 'high' } }, { ...full(5), review: { ...full(5).review, floor: 'medium' } }),
  ).toEqual({
    ...USUAL,
    'review.timeout': from(5),
    'review.access': from('sandboxed'),
    'review.floor': from('medium'),
    'review.floorFrom': from(5),
    'journal.keep': from(5),
    'idle.issues.list': from('list 5'),
    'idle.issues.show': from('show 5'),
    'proof.sandbox': from('always'),
    'proof.bail': from(true),
    'proof.refusals': from(5),
    'protect.then': from('hold'),
    'wait.work': from(5),
    'run.silence': from(5),
    'budget.tokens': from(5),
    'budget.hours': from(5),
    'budget.reviews': from(5),
    'budget.usd': from(5),
  });
});

describe('of both files', () => {
  type Row = [string, ConfigFile, ConfigFile, keyof Settings, object];
  const rows: Row[] = [
    [
      'a lower limit',
      { wait: { work: 9 } },
      { wait: { work: 8 } },
      'wait.work',
      { value: 8, from: 'project' },
    ],
    ['the same limit', { wait: { work: 9 } }, { wait: { work: 9 } }, 'wait.work', { value: 9, from: 'user' }],
    [
      'a higher limit',
      { wait: { work: 9 } },
      { wait: { work: 10 } },
      'wait.work',
      { value: 9, from: 'user' },
    ],
    ['a limit above the usual', {}, { wait: { work: 7201 } }, 'wait.work', byDefault(7200)],
    ['no wait at all', {}, { wait: { work: 0 } }, 'wait.work', { value: 0, from: 'project' }],
    [
      'a later floor',
      { review: { floorFrom: 3 } },
      { review: { floorFrom: 4 } },
      'review.floorFrom',
      { value: 4, from: 'project' },
    ],
    [
      'the same floor',
      { review: { floorFrom: 3 } },
      { review: { floorFrom: 3 } },
      'review.floorFrom',
      { value: 3, from: 'user' },
    ],
    [
      'an earlier floor',
      { review: { floorFrom: 3 } },
      { review: { floorFrom: 2 } },
      'review.floorFrom',
      { value: 3, from: 'user' },
    ],
    ['an earlier floor than the usual', {}, { review: { floorFrom: 1 } }, 'review.floorFrom', byDefault(1)],
    [
      'less access',
      { review: { access: 'full' } },
      { review: { access: 'sandboxed' } },
      'review.access',
      { value: 'sandboxed', from: 'project' },
    ],
    [
      'more access',
      { review: { access: 'sandboxed' } },
      { review: { access: 'full' } },
      'review.access',
      { value: 'sandboxed', from: 'user' },
    ],
    [
      'the same access',
      { review: { access: 'sandboxed' } },
      { review: { access: 'sandboxed' } },
      'review.access',
      { value: 'sandboxed', from: 'user' },
    ],
    ['full access', {}, { review: { access: 'full' } }, 'review.access', byDefault('full')],
    [
      'a floor that leaves out more',
      { review: { floor: 'medium' } },
      { review: { floor: 'high' } },
      'review.floor',
      { value: 'medium', from: 'user' },
    ],
    [
      'a floor that leaves out less',
      { review: { floor: 'high' } },
      { review: { floor: 'low' } },
      'review.floor',
      { value: 'low', from: 'project' },
    ],
    ['no sandbox', {}, { proof: { sandbox: 'never' } }, 'proof.sandbox', byDefault('auto')],
    [
      'a sandbox where needed',
      { proof: { sandbox: 'never' } },
      { proof: { sandbox: 'auto' } },
      'proof.sandbox',
      { value: 'auto', from: 'project' },
    ],
    [
      'a notice',
      { protect: { then: 'hold' } },
      { protect: { then: 'notice' } },
      'protect.then',
      { value: 'hold', from: 'user' },
    ],
    [
      'going on',
      { proof: { bail: true } },
      { proof: { bail: false } },
      'proof.bail',
      { value: false, from: 'project' },
    ],
    [
      'its own list',
      { idle: { issues: { list: 'a' } } },
      { idle: { issues: { list: 'b' } } },
      'idle.issues.list',
      { value: 'b', from: 'project' },
    ],
    [
      'fewer tokens',
      { budget: { tokens: '2M' } },
      { budget: { tokens: '1M' } },
      'budget.tokens',
      { value: 1e6, from: 'project' },
    ],
    [
      'more tokens',
      { budget: { tokens: '2M' } },
      { budget: { tokens: 3e6 } },
      'budget.tokens',
      { value: 2e6, from: 'user' },
    ],
  ];

  it.each(rows)('%s of the project', (_, user, project, key, setting) => {
    expect(settle(user, project)[key]).toEqual(setting);
  });

  it('who reviews and what runs is the user’s alone', () => {
    const settings = settle({}, { ...full(5), review: { models: ['a', 'b'], claudex: 'x' } });
    for (const key of [
      'review.models',
      'review.claudex',
      'wait.person',
      'ask',
      'hold.as',
      'run.client',
    ] as const)
      expect(settings[key]).toEqual(USUAL[key]);
  });
});

describe('what a file set', () => {
  const changed = (user: ConfigFile, project: ConfigFile) =>
    changedSettings({ settings: settle(user, project), user, project });

  it('is nothing without one, nor where it set the usual', () => {
    expect(changed({}, {})).toEqual([]);
    expect(changed({ guard: {} }, { guard: { workflows: { idle: {} } } })).toEqual([]);
  });

  it('is said with its file, limits of the guard last', () => {
    const user: ConfigFile = {
      ask: 'wait',
      guard: { unmoved: 4, workflows: { idle: { tools: 5 }, taskie: { unmoved: 2 } } },
    };
    const project: ConfigFile = {
      proof: { bail: false },
      guard: { unmoved: 5, tools: 7, workflows: { flow: { unmoved: 0 }, taskie: { unmoved: 1, tools: 3 } } },
    };
    expect(changed(user, project)).toEqual([
      { key: 'proof.bail', value: false, from: 'project' },
      { key: 'ask', value: 'wait', from: 'user' },
      { key: 'guard.unmoved', value: 4, from: 'user' },
      { key: 'guard.tools', value: 7, from: 'project' },
      { key: 'guard.workflows.idle.tools', value: 5, from: 'user' },
      { key: 'guard.workflows.taskie.unmoved', value: 1, from: 'project' },
      { key: 'guard.workflows.taskie.tools', value: 3, from: 'project' },
      { key: 'guard.workflows.flow.unmoved', value: 0, from: 'project' },
    ]);
  });
});

it('a guard of one workflow in one file alone is listed', () => {
  const user: ConfigFile = { guard: { workflows: { idle: { unmoved: 3 } } } };
  expect(changedSettings({ settings: settle(user, {}), user, project: {} })).toEqual([
    { key: 'guard.workflows.idle.unmoved', value: 3, from: 'user' },
  ]);
});
