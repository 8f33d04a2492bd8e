import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import type { Project } from '../project.ts';
import { passOn, takeNotices } from './hidden-notices.ts';

let project: Project;
beforeEach(() => {
  project = bareProject();
});
const keep = (notice: string | null): void =>
  void passOn({ answer: { kind: 'allow', notice, suppressOutput: false }, complaints: [] }, { project });
/** Without the line that says what they are. */
const taken = (beside: string | null = null, from = project) =>
  takeNotices(from, beside)?.split('\n').slice(1) ?? null;

it.each<[string, (string | null)[], string | null, string[] | null]>([
  ['none', [null], null, null],
  ['each once, in the order in which they were said last', ['1', '2', '1'], null, ['2', '1']],
  ['what is said now after them, and once', ['1', '2'], '1', ['1', '2']],
  ['the last five', ['1', '2', '3', '4', '5', '6'], '7', ['2', '3', '4', '5', '6', '7']],
  [
    '2,000 letters of a long one, which is kept once',
    ['1', 'x'.repeat(2001), 'x'.repeat(2002)],
    null,
    ['1', 'x'.repeat(2000)],
  ],
])('notices that a client does not show are passed on: %s', (_, said, beside, passed) => {
  for (const notice of said) keep(notice);
  expect(taken(beside)).toEqual(passed);
  expect(taken()).toBeNull();
});

it('the next hold is given them before its own text', () => {
  keep('1');
  const { answer } = passOn(
    { answer: { kind: 'hold', reason: 'Go on.', notice: '2' }, complaints: [] },
    { project },
  );
  expect(answer.kind === 'hold' && answer.reason).toMatch(/:\n1\n2\n\nGo on\.$/);
});

it.each(['{"notices":[1]}', '{"notices":"a"}', 'broken'])('a record that says %s holds none', (text) => {
  keep('1');
  const folder = path.join(project.env.XDG_STATE_HOME ?? '', 'holdfast/unshown');
  fs.writeFileSync(path.join(folder, `${fingerprint(project.root)}.json`), text);
  expect(taken('2')).toEqual(['2']);
});
