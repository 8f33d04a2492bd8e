import { expect, it } from 'vitest';
import { cleaningWithoutOurs, cleansTree, putBackText } from './put-back-text.ts';

it.each(['git clean -xfdq && npm test', 'npm ci; git -C . clean -q -f -d -x', 'git clean -fX'])(
  '%s takes files of ours along',
  (run) => {
    expect(cleansTree({ run })).toBe(true);
  },
);

it.each([
  'npm test',
  'git clean -n',
  'git status; npm run clean -- -x',
  'git clean -xfd -e .holdfast -e .jwz && npm test',
])('%s does not', (run) => {
  expect(cleansTree({ run })).toBe(false);
});

it('a list of words is read as its shell would', () => {
  expect(cleansTree({ run: ['git', 'clean', '-xfd'] })).toBe(true);
});

it('names each of our places once, and the work that is gone before our own history', () => {
  const own = ['.holdfast', '.claude/claudex', '.claude/idle-loop.local.md', '.jwz'];
  expect(cleaningWithoutOurs(own)).toBe('`git clean -xfd -e .holdfast -e .claude -e .jwz`');
  const gone = ['.holdfast/a', '.holdfast/b', '.holdfast/c', '.taskie/plans/p/plan.md', '.taskie/x', '.z'];
  const text = putBackText({
    check: 'te\u202est',
    back: ['idle:one', 'taskie:p'],
    failed: [{ run: 'flow:f', why: 'no room' }],
    gone,
    own,
  });
  expect(text).toContain('the check te st took files of ours along. idle:one and taskie:p were put back');
  expect(text).toContain('flow:f could not be put back: no room.');
  expect(text).toContain(
    'Gone and not put back: .taskie/plans/p/plan.md, .taskie/x, .z, .holdfast/a, .holdfast/b and 1 more.',
  );
});
