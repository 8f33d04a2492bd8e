import { expect, it } from 'vitest';
import { eventLabel, howToTrust, noHooks, PRESS } from './words.ts';

it('what a user does about the hooks of Codex', () => {
  expect(PRESS).toBe(
    'start codex, choose "Review hooks" where it says "Hooks need review", look at them and press t (in an open session: /hooks, then t)',
  );
  expect(howToTrust('hf')).toBe(`${PRESS}; or run: hf install --client codex --trust`);
});

it('why there are none', () => {
  expect(noHooks([])).toBe(
    'Codex lists none of its hooks: are hooks switched off there? `codex features enable hooks` turns them on.',
  );
  expect(noHooks(['a', 'b'])).toBe('Codex cannot use its hooks: a');
});

it.each([
  ['stop', 'Stop'],
  ['preCompact', 'PreCompact'],
  ['', ''],
])('the event %j is called %j', (event, label) => {
  const hook = { key: 'k', event, command: 'c', hash: 'h', trust: 'trusted', enabled: true } as const;
  expect(eventLabel(hook)).toBe(label);
});
