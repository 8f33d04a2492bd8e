import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import type { Answer } from '../../clients/stop.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import type { Project } from '../project.ts';
import { passOn, takeNotices } from './hidden-notices.ts';

const TO_PASS_ON =
  'Your client shows the user no messages of Holdfast. Pass this on to them, in your own words, when you end your turn:';

let project: Project;
beforeEach(() => {
  project = bareProject();
});

const allow = (notice: string | null): Answer => ({ kind: 'allow', notice, suppressOutput: false });
const hold = (notice: string | null): Answer => ({ kind: 'hold', reason: 'Go on.', notice });
const pass = (answer: Answer) => passOn({ answer, complaints: ['one'] }, { project });
const record = (): string =>
  path.join(project.env.XDG_STATE_HOME ?? '', 'holdfast/unshown', `${fingerprint(project.root)}.json`);

describe('a notice of a client that shows none', () => {
  it('is kept, and goes with the next hold', () => {
    expect(pass(allow('Look.'))).toEqual({ answer: allow('Look.'), complaints: ['one'] });
    expect(JSON.parse(fs.readFileSync(record(), 'utf8'))).toEqual({ notices: ['Look.'] });
    expect(pass(hold(null))).toEqual({
      answer: { ...hold(null), reason: `${TO_PASS_ON}\nLook.\n\nGo on.` },
      complaints: ['one'],
    });
    expect(pass(hold(null)).answer).toEqual(hold(null));
    expect(fs.existsSync(record())).toBe(false);
  });

  it('that is none is not kept', () => {
    expect(pass(allow(null))).toEqual({ answer: allow(null), complaints: ['one'] });
    expect(fs.existsSync(record())).toBe(false);
  });

  it('of a hold goes with it, after those that were kept, and each once', () => {
    pass(allow('First.'));
    pass(allow('Second.'));
    pass(allow('First.'));
    expect(pass(hold('Second.')).answer).toEqual({
      ...{ ...hold('Second.'), reason: `${TO_PASS_ON}\nSecond.\nFirst.\n\nGo on.` },
    });
  });

  it('is one of five, the last ones, and of so many letters', () => {
    for (const number of [1, 2, 3, 4, 5, 6]) pass(allow(`${number}`));
    expect(takeNotices(project, null)).toBe(`${TO_PASS_ON}\n2\n3\n4\n5\n6`);
    pass(allow('x'.repeat(2_001)));
    expect(takeNotices(project, null)).toBe(`${TO_PASS_ON}\n${'x'.repeat(2_000)}`);
  });

  it('that is too long is kept once, and leaves the others their place', () => {
    pass(allow('First.'));
    for (const _ of [1, 2, 3, 4, 5]) pass(allow('x'.repeat(2_001)));
    expect(takeNotices(project, null)).toBe(`${TO_PASS_ON}\nFirst.\n${'x'.repeat(2_000)}`);
  });

  it('is taken by a start of a session, with what that has to say', () => {
    expect(takeNotices(project, null)).toBeNull();
    expect(takeNotices(project, 'New.')).toBe(`${TO_PASS_ON}\nNew.`);
    pass(allow('Old.'));
    expect(takeNotices(project, 'New.')).toBe(`${TO_PASS_ON}\nOld.\nNew.`);
    expect(takeNotices(project, null)).toBeNull();
  });

  it('of another project is not said here', () => {
    pass(allow('Look.'));
    expect(takeNotices({ ...project, root: '/elsewhere' }, null)).toBeNull();
    expect(takeNotices(project, null)).toBe(`${TO_PASS_ON}\nLook.`);
  });

  it.each([['{"notices":[1]}'], ['{"notices":"a"}'], ['broken']])('is not read from %s', (text) => {
    pass(allow('Look.'));
    fs.writeFileSync(record(), text);
    expect(takeNotices(project, 'New.')).toBe(`${TO_PASS_ON}\nNew.`);
    fs.writeFileSync(record(), text);
    pass(allow('Again.'));
    expect(takeNotices(project, null)).toBe(`${TO_PASS_ON}\nAgain.`);
  });

  it('that cannot be kept is spoken of on standard error, and the answer stands', () => {
    const state = project.env.XDG_STATE_HOME ?? '';
    fs.writeFileSync(state, 'a file');
    const { answer, complaints } = pass(allow('Look.'));
    expect(answer).toEqual(allow('Look.'));
    expect(complaints).toHaveLength(2);
    expect(complaints[0]).toBe('one');
    expect(complaints[1]).toMatch(/^Holdfast: a notice could not be kept for the agent to pass on: \S/);
    expect(pass(hold(null))).toEqual({ answer: hold(null), complaints: ['one'] });
  });
});
