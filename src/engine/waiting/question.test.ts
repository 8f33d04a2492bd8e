import { beforeEach, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { journalIn, putToy, SESSION, stoppedIn } from '../../../test/support/stop-here.ts';
import { toy } from '../../../test/toy/workflow.ts';
import type { Waiting } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import type { Project } from '../project.ts';
import { noteAnswered, noteShown, showQuestions } from './question.ts';

const NOW = 1_000_000_000;
const SHOWN = { marker: null, turn: 't1' };
const asked: Waiting = { for: 'person', since: NOW - 10, until: NOW + 60_000, what: 'Which?', shown: null };

let project: Project;
beforeEach(() => {
  project = bareProject(NOW);
});
const put = (run: string, waiting?: Waiting, session = SESSION): void => {
  putToy(project, `toy:${run}`, {}, session);
  writeSidecar(project.root, { ...readSidecar(project.root, `toy:${run}`), waiting });
};
const waiting = (run: string) => readSidecar(project.root, `toy:${run}`).waiting;
const runs = (names: string) => [...names].map((run) => ({ workflow: toy, run }));
const at = () => stoppedIn(project, { turn: 't1' });

const unasked: [string, Waiting | undefined, string?][] = [
  ['is shown already', { ...asked, shown: { marker: null, turn: 't0' } }],
  ['is none', undefined],
  ['is another session’s', asked, 'another'],
  ['is for work', { ...asked, for: 'work' }],
];

it('a question is noted as shown in every run of the session that asks one', async () => {
  put('a', asked);
  put('b', { ...asked, what: 'Another?' });
  await noteShown(runs('ab'), { ...asked, shown: SHOWN }, at());
  expect(['a', 'b'].map((run) => waiting(run)?.shown)).toEqual([SHOWN, SHOWN]);
});

it.each(unasked)('a question that %s is not shown, nor noted', async (_, other, session) => {
  put('a', other, session);
  await noteShown(runs('a'), { ...asked, shown: SHOWN }, at());
  expect([await showQuestions(runs('a'), at()), waiting('a')]).toEqual([[], other]);
});

it('a question that was answered is open in no run that asked the same, and its time is counted', async () => {
  put('a', { ...asked, shown: SHOWN });
  const others = [{ since: NOW - 11 }, { what: 'What?' }, { for: 'work' as const }];
  for (const [index, other] of others.entries()) put('bcd'[index] ?? '', { ...asked, ...other });
  await noteAnswered(runs('abcd'), asked, at());
  expect([waiting('a'), readSidecar(project.root, 'toy:a').waits?.waited]).toEqual([undefined, 10]);
  expect([...'bcd'].map(waiting)).toEqual(others.map((other) => ({ ...asked, ...other })));
});

it('a stop that serves no run shows each question once, and not after its time', async () => {
  for (const run of 'abc') put(run, run === 'c' ? { ...asked, until: NOW } : asked);
  put('d', { ...asked, what: 'Another?' });
  writeIn(project, '.holdfast/runs/toy-a.json', 'broken');
  expect(await showQuestions(runs('abcd'), at())).toEqual([
    expect.stringContaining('asks: Which?'),
    expect.stringContaining('asks: Another?'),
  ]);
  expect([waiting('b')?.shown, waiting('c')?.shown, await showQuestions(runs('bd'), at())]).toEqual([
    SHOWN,
    null,
    [],
  ]);
  expect(journalIn(project)).toMatchObject([{ workflow: 'toy', run: 'a', error: expect.any(String) }]);
});
