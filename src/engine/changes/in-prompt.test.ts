import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { bareProject, contextIn, writeIn } from '../../../test/support/bare-project.ts';
import { runtimeHere } from '../../hook/runtime.ts';
import { ensureAttemptFolder, ensureHome } from '../../store/home.ts';
import type { ReviewAttempt } from '../../store/records.ts';
import type { StopContext } from '../context.ts';
import type { ReviewCall } from '../workflow.ts';
import { withChanges } from './in-prompt.ts';
import type { Changes, ChangesWanted } from './types.ts';

const RUN = 'taskie:plan';
const attempt = { id: 'one' } as ReviewAttempt;

function scene({ git = true } = {}): StopContext {
  const project = bareProject();
  const { root, env } = project;
  ensureHome(root);
  ensureAttemptFolder(root, 'one');
  if (git) execFileSync('git', ['init', '--quiet', root], { env: { PATH: env.PATH, HOME: root } });
  writeIn(project, 'a.txt', 'one\n');
  return {
    ...{ project, decidedOn: new Map(), stop: contextIn(project, 'plan').stop },
    runtime: { ...runtimeHere(env), whenAskedToEnd: () => {} },
  };
}

const callWith = (changes: ChangesWanted | undefined, more: Partial<ReviewCall> = {}): ReviewCall =>
  ({
    ...{ prompt: 'Review it.', ...more },
    ...(changes === undefined ? {} : { changes }),
  }) as ReviewCall;

const journal = ({ project }: StopContext): string[] => {
  const file = path.join(project.home, 'journal.jsonl');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trimEnd().split('\n') : [];
};

it('a review that wants no changes is called as it is', async () => {
  const call = callWith(undefined);
  expect(await withChanges(RUN, attempt, call, scene())).toBe(call);
});

it('a review that wants them has them in its prompt, and may read the folder they lie in', async () => {
  const stopped = scene();
  const folder = path.join(stopped.project.home, 'attempts/one');
  const said: Changes[] = [];
  const say = (changes: Changes): string => {
    said.push(changes);
    return `${changes.count} file changed.`;
  };
  const call = callWith({ since: null, say });
  const asked = { ...call, prompt: 'Review it.\n\n1 file changed.', reads: [folder] };
  expect(await withChanges(RUN, attempt, call, stopped)).toEqual(asked);
  expect(said).toEqual([
    {
      since: { kind: 'uncommitted' },
      file: { kind: 'patch', path: path.join(folder, 'changes.patch'), bytes: expect.any(Number) },
      top: stopped.project.root,
      count: 1,
      lines: ['a.txt (new, +1)'],
    },
  ]);
  const more = callWith({ since: null, say }, { reads: ['/elsewhere'] });
  expect((await withChanges(RUN, attempt, more, stopped)).reads).toEqual(['/elsewhere', folder]);
  expect(journal(stopped)).toEqual([]);
});

it('a review is called as it is where no git tells the changes', async () => {
  const stopped = scene({ git: false });
  const call = callWith({ since: null, say: () => 'never' });
  expect(await withChanges(RUN, attempt, call, stopped)).toBe(call);
  expect(journal(stopped)).toEqual([]);
});

it('a review is called as it is where they cannot be made, and the journal says so', async () => {
  const stopped = scene();
  const say = (): string => {
    throw new Error('a mistake');
  };
  const call = callWith({ since: null, say });
  expect(await withChanges(RUN, attempt, call, stopped)).toBe(call);
  expect(journal(stopped).map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      ...{ event: 'stop', workflow: 'taskie', run: 'plan', answer: 'allow', notice: true },
      error: 'Error: a mistake',
    }),
  ]);
});
