import { expect, it } from 'vitest';
import { programs } from '../../../test/support/programs.ts';
import { rolloutOf } from './rollouts.ts';

// Made on 2025-11-17.
const SESSION = '019a9000-0000-7000-8000-000000000001';
const NAME = `rollout-1-${SESSION}.jsonl`;
const DAY = new Date(0x019a90000000).toISOString().slice(0, 10).replaceAll('-', '/');
const dayAfter = (days: number): string =>
  new Date(0x019a90000000 + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '/');

it.each([-2, -1, 0, 1, 2])(
  'a rollout is found in the folder of its day and of those beside it: %s',
  (days) => {
    const here = programs({});
    const file = here.write(`.codex/sessions/${dayAfter(days)}/${NAME}`, '');
    expect(rolloutOf(SESSION, here.env)).toBe(Math.abs(days) < 2 ? file : null);
  },
);

it('a rollout is one of this very session', () => {
  const here = programs({});
  here.write(`.codex/sessions/${DAY}/${NAME}.bak`, '');
  here.write(`.codex/sessions/${DAY}/rollout-1-x${SESSION}.jsonl`, '');
  expect(rolloutOf(SESSION, here.env)).toBeNull();
});

it('a rollout lies in the folder of its variable', () => {
  const here = programs({});
  const file = here.write(`c/sessions/${DAY}/${NAME}`, '');
  const usual = here.write(`.codex/sessions/${DAY}/${NAME}`, '');
  expect(rolloutOf(SESSION, { CODEX_HOME: `${here.home}/c` })).toBe(file);
  expect(rolloutOf(SESSION, { CODEX_HOME: '', HOME: here.home })).toBe(usual);
  expect(rolloutOf(SESSION, { CODEX_HOME: 'c', HOME: here.home })).toBeNull();
  expect(rolloutOf(SESSION, {})).toBeNull();
});

it.each(['', 'zzz', '../x', `${SESSION}/..`])('there is none of the session %j', (session) => {
  const here = programs({});
  here.write(`.codex/sessions/${DAY}/${NAME}`, '');
  here.write(`.codex/sessions/${DAY}/rollout-1-${session.replaceAll('/', '')}.jsonl`, '');
  expect(rolloutOf(session, here.env)).toBeNull();
});
