import fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { journalIn, putToy, SESSION, stoppedIn } from '../../../test/support/stop-here.ts';
import { toy } from '../../../test/toy/workflow.ts';
import { homeOf, sidecarPath } from '../../store/home.ts';
import type { Waiting } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import type { Project } from '../project.ts';
import { noteAnswered, noteShown, showQuestions } from './question.ts';

const NOW = 1_000_000_000;
const SHOWN = { marker: 'm', turn: 't1' };
const asked = (more: Partial<Waiting> = {}): Waiting => ({
  ...{ for: 'person', since: NOW - 10, until: NOW + 60_000, what: 'Which?', shown: null },
  ...more,
});

let project: Project;
beforeEach(() => {
  project = bareProject(NOW);
});

const put = (run: string, waiting?: Waiting, session = SESSION): void => {
  putToy(project, `toy:${run}`, {}, session);
  writeSidecar(project.root, { ...readSidecar(project.root, `toy:${run}`), waiting });
};
const sidecar = (run: string) => readSidecar(project.root, `toy:${run}`);
const runs = (...names: string[]) => names.map((run) => ({ workflow: toy, run }));
const file = (run: string): string => sidecarPath(homeOf(project.root), `toy:${run}`);
const at = (turn: string | null = 't1') => stoppedIn(project, { turn });

describe('a question that another run showed', () => {
  it('is shown in every run of the session that asks one', async () => {
    put('a', asked());
    put('b', asked({ what: 'Another?' }));
    put('c', asked({ shown: { marker: null, turn: 't0' } }));
    put('d');
    put('e', asked(), 'another');
    put('f', { for: 'work', since: NOW, until: null, what: 'tests' });
    const inodes = (): number[] => ['c', 'd', 'e', 'f'].map((run) => fs.statSync(file(run)).ino);
    const before = inodes();
    await noteShown(runs('a', 'b', 'c', 'd', 'e', 'f'), asked({ shown: SHOWN }), at());
    expect([sidecar('a').waiting, sidecar('b').waiting]).toEqual([
      asked({ shown: SHOWN }),
      asked({ what: 'Another?', shown: SHOWN }),
    ]);
    expect(inodes()).toEqual(before);
    expect(journalIn(project)).toEqual([]);
  });
});

describe('a question that was answered', () => {
  it('is open in no run, and its time is counted', async () => {
    put('a', asked({ shown: SHOWN }));
    await noteAnswered(runs('a'), asked({ shown: { marker: null, turn: 't0' } }), at());
    expect(sidecar('a').waiting).toBeUndefined();
    expect(sidecar('a').waits?.waited).toBe(10);
  });

  it.each([
    ['asked at another time', asked({ since: NOW - 11 })],
    ['in other words', asked({ what: 'What?' })],
    ['for other than a person', asked({ for: 'work' })],
  ])('leaves one alone that was %s', async (_, other) => {
    put('a', other);
    await noteAnswered(runs('a'), asked(), at());
    expect(sidecar('a').waiting).toEqual(other);
    expect(sidecar('a').waits).toBeUndefined();
  });
});

describe('a stop that serves no run', () => {
  it('shows the questions all the same, each once', async () => {
    put('a', asked());
    put('b', asked());
    put('c', asked({ what: 'Another?' }));
    expect(await showQuestions(runs('a', 'b', 'c'), at())).toEqual([
      'Holdfast: the agent asks: Which?\nIt waits for your answer: write it here, and the work goes on.',
      'Holdfast: the agent asks: Another?\nIt waits for your answer: write it here, and the work goes on.',
    ]);
    for (const run of ['a', 'b', 'c'])
      expect(sidecar(run).waiting?.shown).toEqual({ marker: null, turn: 't1' });
    expect(await showQuestions(runs('a', 'b', 'c'), at())).toEqual([]);
  });

  it('shows none that is over, or no question', async () => {
    put('a', asked({ until: NOW }));
    put('b', { for: 'limit', since: NOW, until: null, what: 'limit' });
    put('c');
    expect(await showQuestions(runs('a', 'b', 'c', 'gone'), at())).toEqual([]);
    expect(sidecar('a').waiting?.shown).toBeNull();
  });

  it('shows the others where one run’s notes cannot be read', async () => {
    put('a', asked());
    put('b', asked());
    fs.writeFileSync(file('a'), 'broken');
    expect(await showQuestions(runs('a', 'b'), at())).toHaveLength(1);
    expect(journalIn(project)).toMatchObject([{ workflow: 'toy', run: 'a', error: expect.any(String) }]);
  });
});
