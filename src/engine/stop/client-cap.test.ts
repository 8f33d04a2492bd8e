import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectAt, sceneAt, tempFolder } from '../../../test/fixtures/claudex/project.ts';
import type { Answer, Stop } from '../../clients/stop.ts';
import { NEW_SESSION } from '../../store/records.ts';
import { readSession, writeSession } from '../../store/sidecars.ts';
import type { Project } from '../project.ts';
import { countHold, holdsLeft, lastHoldLine } from './client-cap.ts';
import { passOn, takeNotices } from './hidden-notices.ts';
import { countOfHolds, notices } from './notices.ts';

let folder: string;
let project: Project;
beforeEach(() => {
  folder = tempFolder();
  const root = path.join(folder, 'project');
  fs.mkdirSync(root);
  project = projectAt(root, { env: { HOME: path.join(folder, 'home') } });
  fs.mkdirSync(path.join(folder, 'home'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const at = (stop: Partial<Stop> = {}) => ({
  project,
  stop: sceneAt(project, { client: 'copilot', session: 's1', turn: 't1', ...stop }).stop,
});

describe('the holds that a client honours after a prompt', () => {
  it('are as many as we like of most clients, and at a stop fired by hand', () => {
    expect(holdsLeft(at({ client: 'claude-code' }))).toBeNull();
    expect(holdsLeft(at({ session: null }))).toBeNull();
    expect(lastHoldLine(at({ client: 'claude-code' }))).toBeNull();
    countHold(at({ client: 'claude-code' }));
    countHold(at({ session: null }));
    expect(readSession(project.root, 's1')).toBeNull();
  });

  it('are counted down to none, and begin again with the next prompt', () => {
    const most = holdsLeft(at())?.most ?? 0;
    expect(most).toBeGreaterThan(1);
    expect(holdsLeft(at())).toMatchObject({ title: 'Copilot CLI', left: most });
    for (let count = 1; count < most; count++) {
      expect(lastHoldLine(at())).toBeNull();
      countHold(at());
      expect(holdsLeft(at())?.left).toBe(most - count);
    }
    expect(lastHoldLine(at())).toBe(
      'This is the last time that Copilot CLI lets you be sent back after this prompt: it ends your next turn, done or not. Get as far as you can within it, and say at its end what is left.',
    );
    countHold(at());
    expect([holdsLeft(at())?.left, lastHoldLine(at())]).toEqual([0, null]);
    countHold(at());
    expect(holdsLeft(at())?.left).toBe(0);
    expect(holdsLeft(at({ turn: 't2' }))?.left).toBe(most);
    expect(holdsLeft(at({ afterHold: false }))?.left).toBe(most);
    expect(holdsLeft(at({ afterHold: true }))?.left).toBe(0);
    countHold(at({ turn: 't2' }));
    expect(readSession(project.root, 's1')?.holds).toEqual({ turn: 't2', count: 1 });
  });

  it('are counted beside what else is known of the session, and where nothing can be written not at all', () => {
    writeSession(project.root, 's1', { ...NEW_SESSION, runs: ['idle:a'] });
    countHold(at());
    expect(readSession(project.root, 's1')).toEqual({
      ...NEW_SESSION,
      runs: ['idle:a'],
      holds: { turn: 't1', count: 1 },
    });
    fs.rmSync(project.home, { recursive: true });
    fs.writeFileSync(project.home, 'a file');
    expect(() => countHold(at())).not.toThrow();
  });
});

describe('notices of a client that shows none', () => {
  const PASS_ON =
    'Your client shows the user no messages of Holdfast. Pass this on to them, in your own words, when you end your turn:';
  const answered = (answer: Answer) => ({ answer, complaints: ['before'] });
  const allow = (notice: string | null): Answer => ({ kind: 'allow', notice, suppressOutput: false });
  const hold = (notice: string | null): Answer => ({ kind: 'hold', reason: 'Go on.', notice });
  const said = (answer: Answer) => passOn(answered(answer), { project });

  it('wait for the next hold, each once, and go with its own', () => {
    for (const notice of ['one', 'two', 'one']) expect(said(allow(notice))).toEqual(answered(allow(notice)));
    expect(said(hold('three')).answer).toEqual({
      ...{ kind: 'hold', notice: 'three' },
      reason: `${PASS_ON}\ntwo\none\nthree\n\nGo on.`,
    });
    expect(said(hold(null)).answer).toEqual(hold(null));
    expect(takeNotices(project, null)).toBeNull();
  });

  it('are none where there is nothing to say', () => {
    expect(said(allow(null))).toEqual(answered(allow(null)));
    expect(takeNotices(project, null)).toBeNull();
    expect(takeNotices(project, 'now')).toBe(`${PASS_ON}\nnow`);
  });

  it('are five at most, the newest, and none is long', () => {
    for (let count = 1; count <= 6; count++) said(allow(`n${count}`));
    expect(takeNotices(project, 'n6')).toBe(`${PASS_ON}\nn2\nn3\nn4\nn5\nn6`);
    said(allow('x'.repeat(2001)));
    expect(takeNotices(project, null)).toBe(`${PASS_ON}\n${'x'.repeat(2000)}`);
  });

  it('are this project’s alone', () => {
    said(allow('one'));
    expect(takeNotices({ ...project, root: '/elsewhere' }, null)).toBeNull();
    expect(takeNotices(project, null)).toBe(`${PASS_ON}\none`);
  });

  it('that cannot be kept are complained of', () => {
    fs.writeFileSync(path.join(folder, 'home/.local'), 'a file');
    const { answer, complaints } = said(allow('one'));
    expect(answer).toEqual(allow('one'));
    expect(complaints[0]).toBe('before');
    expect(complaints[1]).toMatch(/^Holdfast: a notice could not be kept for the agent to pass on: \S/);
  });
});

describe('what the engine says to the user', () => {
  const run = (name: string) => ({ run: name, adopt: `adopt ${name}` });

  it.each([
    [0, '0 holds'],
    [1, '1 hold'],
    [2, '2 holds'],
  ])('%d of them are %s', (count, words) => {
    expect(countOfHolds(count)).toBe(words);
  });

  it('names one unfinished run, and the newest of several', () => {
    expect(notices.unclaimed([run('idle:a')], 'hf')).toBe(
      "Holdfast: idle:a is unfinished here but is not this session's. To go on with it: adopt idle:a",
    );
    expect(notices.unclaimed([run('idle:a'), run('idle:b')], 'hf')).toBe(
      "Holdfast: 2 runs are unfinished here but are not this session's; `hf status` lists them. The newest: idle:a. To go on with it: adopt idle:a",
    );
  });

  it('says what to do where there is no time for a review', () => {
    expect(notices.noTimeForReview('X', 60, 'a:b', 'hf')).toMatch(
      /X ends this hook after 60 s\..* hf adopt a:b$/,
    );
    expect(notices.noTimeForReview('X', 0, 'a:b', 'hf')).toMatch(
      /how long X lets this hook run is not known/,
    );
  });

  it('says that a signal is lost, and how to give it again', () => {
    expect(notices.signalLost('a:b', 'hf')).toBe(
      'Holdfast: a completion signal for a:b was given at this stop, but nothing can be written here, so the next stop will not know of it. Once the disk can be written, have the agent give it again, or run `hf cancel a:b`.',
    );
  });

  it('carries nothing that steers a terminal', () => {
    expect(notices.config('a\u001b[2Jb')).toBe('Holdfast: a [2Jb.');
  });
});
