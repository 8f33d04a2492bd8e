import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { addFindings } from './add.ts';
import { withAnswers } from './answers.ts';
import { docketText } from './format.ts';
import { type DocketPlace, keepDocket, openDocket } from './keep.ts';
import { type Docket, EMPTY_DOCKET } from './types.ts';

it('takes an empty docket for none, and one that is cut for a broken one', () => {
  const temp = tempProject();
  const place = { folder: temp.root, root: temp.root, shown: '.' };
  temp.write('docket.json', '\n');
  expect(openDocket(place, () => [])).toMatchObject({ text: null, broken: null, refused: null });
  temp.write('docket.json', '{"findings":[');
  expect(openDocket(place, () => [])).toMatchObject({ broken: { salvaged: 0, read: 0 } });
  temp.remove();
});

describe('a docket on disk', () => {
  const RUN = 'taskie:a';
  let temp: TempProject;
  let place: DocketPlace;
  beforeEach(() => {
    temp = tempProject();
    place = { folder: temp.root, root: temp.root, shown: 'notes' };
  });
  afterEach(() => temp.remove());
  const review = { review: 'review-1.md', round: 1, by: 'opus' };
  const one = (): Docket =>
    addFindings(
      EMPTY_DOCKET,
      { list: [{ severity: 'high', file: null, line: null, claim: 'x', evidence: null }] },
      { ...review, root: temp.root },
    );
  const never = (): never => {
    throw new Error('the reviews were read');
  };
  const file = (): string => path.join(temp.root, 'docket.json');

  it('that is not there is begun by its first finding', () => {
    const opened = openDocket(place, never);
    expect(opened).toEqual({ docket: EMPTY_DOCKET, text: null, broken: null, refused: null });
    expect(keepDocket(opened, EMPTY_DOCKET, place, RUN)).toEqual({ writes: [], notice: null });
    expect(keepDocket(opened, one(), place, RUN)).toEqual({
      writes: [{ kind: 'replace', path: file(), content: docketText(one()) }],
      notice: null,
    });
  });

  it('is written where it changed, and only there', () => {
    temp.write('docket.json', docketText(one()));
    const opened = openDocket(place, never);
    expect(opened).toEqual({ docket: one(), text: docketText(one()), broken: null, refused: null });
    expect(keepDocket(opened, one(), place, RUN)).toEqual({ writes: [], notice: null });
    const answered = withAnswers(one(), [{ id: 'F1', status: 'fixed', text: 'y' }]);
    expect(keepDocket(opened, answered, place, RUN).writes).toEqual([
      { kind: 'replace', path: file(), content: docketText(answered) },
    ]);
  });

  it('that is a link is left alone, and said once there is something to write', () => {
    fs.symlinkSync(temp.write('package.json', '{}'), file());
    const opened = openDocket(place, never);
    expect(opened).toMatchObject({ docket: EMPTY_DOCKET, refused: 'it is a link' });
    expect(keepDocket(opened, EMPTY_DOCKET, place, RUN)).toEqual({ writes: [], notice: null });
    expect(keepDocket(opened, one(), place, RUN)).toEqual({
      writes: [],
      notice: `${RUN}: notes/docket.json is not a file that Holdfast may write (it is a link), so what reviewers list is in their reviews alone. Move it away: \`mv ${file()} ${file()}.old\``,
    });
  });

  it('that is no file is left alone', () => {
    fs.mkdirSync(file());
    expect(openDocket(place, never).refused).toBe(`${file()} is not a regular file`);
  });

  it('that cannot be read at this moment is no broken one', () => {
    const error = Object.assign(new Error('too many files'), { code: 'EMFILE' });
    temp.write('docket.json', docketText(one()));
    vi.spyOn(fs, 'openSync').mockImplementationOnce(() => {
      throw error;
    });
    expect(() => openDocket(place, never)).toThrow(error);
    vi.restoreAllMocks();
  });

  it('that is broken is set aside, with what could be read in it and what the reviews say', () => {
    const broken = docketText(one()).replace('"last": 1', '"last": ,');
    temp.write('docket.json', broken);
    const reviews = [
      { ...review, text: '## High\n- read again\n' },
      { ...review, review: 'review-2.md', text: '## Low\n- a\n- b\n' },
      { ...review, review: 'review-3.md', text: '' },
    ];
    const opened = openDocket(place, () => reviews);
    expect(opened.broken).toEqual({ salvaged: 1, read: 2 });
    expect(opened.docket.findings.map(({ id, claim }) => [id, claim])).toEqual([
      ...[
        ['F1', 'x'],
        ['F2', 'a'],
        ['F3', 'b'],
      ],
    ]);
    const aside = `docket.broken-${fingerprint(broken).slice(0, 8)}.json`;
    const { writes, notice } = keepDocket(opened, opened.docket, place, RUN);
    expect(writes).toEqual([
      { kind: 'replace', path: path.join(temp.root, aside), content: broken },
      { kind: 'replace', path: file(), content: docketText(opened.docket) },
    ]);
    expect(notice).toBe(
      `${RUN}: notes/docket.json could not be understood, so it was set aside as notes/${aside} and begun again, with 1 finding(s) that could still be read in it and 2 from the reviews. To have the old one back, correct it and give it its name again.`,
    );
  });
});
