import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import type { Project } from '../project.ts';
import { withAnswers } from './answers.ts';
import { docketText, parseDocket } from './format.ts';
import { type DocketPlace, keepDocket, openDocket } from './keep.ts';
import { EMPTY_DOCKET } from './types.ts';

const RUN = 'taskie:a';
const NOTHING = { writes: [], notice: null };
const one = parseDocket('{"findings":[{"claim":"x","review":"review-1.md"}]}') ?? EMPTY_DOCKET;
let project: Project;
let place: DocketPlace;
let file: string;
beforeEach(() => {
  project = bareProject();
  place = { folder: project.root, root: project.root, shown: 'notes' };
  file = path.join(project.root, 'docket.json');
});
const never = (): never => {
  throw new Error('the reviews were read');
};
const replaced = (content: string, name = file) => ({ kind: 'replace', path: name, content });

it('a docket that is not there, or empty, is begun by its first finding', () => {
  for (const write of [() => {}, () => fs.writeFileSync(file, '\n')]) {
    write();
    const opened = openDocket(place, never);
    expect(opened).toEqual({ docket: EMPTY_DOCKET, text: null, broken: null, refused: null });
    expect(keepDocket(opened, EMPTY_DOCKET, place, RUN)).toEqual(NOTHING);
    expect(keepDocket(opened, one, place, RUN)).toEqual({ ...NOTHING, writes: [replaced(docketText(one))] });
  }
});

it('a docket is written where it changed, and only there', () => {
  fs.writeFileSync(file, docketText(one));
  const opened = openDocket(place, never);
  expect(opened).toEqual({ docket: one, text: docketText(one), broken: null, refused: null });
  expect(keepDocket(opened, one, place, RUN)).toEqual(NOTHING);
  const answered = withAnswers(one, [{ id: 'F1', status: 'fixed', text: 'y' }]);
  expect(keepDocket(opened, answered, place, RUN).writes).toEqual([replaced(docketText(answered))]);
});

it('a docket that is a link or no file is left alone, and that is said once there is something to write', () => {
  fs.symlinkSync(writeIn(project, 'package.json', '{}'), file);
  const opened = openDocket(place, never);
  expect(opened).toMatchObject({ docket: EMPTY_DOCKET, refused: 'it is a link' });
  expect(keepDocket(opened, EMPTY_DOCKET, place, RUN)).toEqual({ ...NOTHING, refused: 'it is a link' });
  const { writes, notice } = keepDocket(opened, one, place, RUN);
  expect([writes, notice?.includes(`(it is a link)`)]).toEqual([[], true]);
  fs.rmSync(file);
  fs.mkdirSync(file);
  expect(openDocket(place, never).refused).toBe(`${file} is not a regular file`);
});

it('a docket that cannot be read at this moment is no broken one', () => {
  const error = Object.assign(new Error('too many files'), { code: 'EMFILE' });
  fs.writeFileSync(file, docketText(one));
  vi.spyOn(fs, 'openSync').mockImplementationOnce(() => {
    throw error;
  });
  expect(() => openDocket(place, never)).toThrow(error);
  vi.restoreAllMocks();
});

it('a docket that is broken is set aside, with what could be read in it and what the reviews say', () => {
  const broken = docketText(one).replace('"last": 1', '"last": ,');
  fs.writeFileSync(file, broken);
  const texts = ['## High\n- read again\n', '## Low\n- a\n- b\n', ''];
  const reviews = texts.map((text, at) => ({ review: `review-${at + 1}.md`, round: 1, by: 'opus', text }));
  const opened = openDocket(place, () => reviews);
  expect(opened.broken).toEqual({ salvaged: 1, read: 2 });
  expect(opened.docket.findings.map(({ id, claim }) => `${id} ${claim}`)).toEqual(['F1 x', 'F2 a', 'F3 b']);
  const aside = `docket.broken-${fingerprint(broken).slice(0, 8)}.json`;
  const { writes, notice } = keepDocket(opened, opened.docket, place, RUN);
  const kept = replaced(broken, path.join(project.root, aside));
  expect(writes).toEqual([kept, replaced(docketText(opened.docket))]);
  expect(notice).toContain(`set aside as notes/${aside}`);
});
