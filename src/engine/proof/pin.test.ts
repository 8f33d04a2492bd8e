import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { type Files, openProject } from '../../../test/support/proof.ts';
import { stoppedIn } from '../../../test/support/stop-here.ts';
import { newSidecar, type ProofNotes } from '../../store/records.ts';
import type { Project } from '../project.ts';
import { isAsked, mayBePinned, NO_NOTES } from './asked.ts';
import { dropPin } from './forget-checks.ts';
import { contentAtStart, hasPin, makePin, pinnedCheck, readPin } from './pin.ts';
import { pinRun } from './pin-run.ts';
import { readAsked, readDefinitions } from './required.ts';
import { noteProof } from './start.ts';
import { giveTrust, revokeTrust } from './trust.ts';

const RUN = 'idle:loop-1';
const OWN = { checks: { test: { run: 'npm test' }, types: { run: 'tsc' } } };
const USER = { checks: { lint: { run: 'lint' } } };
/** At these times, one after the other: trust, start, first stop. */
const [TRUST, START, STOP] = [1000, 2000, 3000];

let bare: Project;
beforeEach(() => {
  bare = bareProject();
});
afterEach(() => vi.restoreAllMocks());
const open = (files: Files = {}, now = STOP): Promise<Project> =>
  openProject({ root: bare.root, home: bare.env.HOME ?? '' }, files, now, bare.env);
type Own = Exclude<Files['own'], undefined>;
const files = (own: Own, user: Own = null): Files => ({ own, user });

async function trusted(given: Files = files(OWN, USER), at = TRUST): Promise<void> {
  const project = await open(given, at);
  giveTrust(
    project,
    project.config.checks.filter(({ from }) => from === 'project'),
  );
}
async function started(given: Files = {}, checks: string[] = [], off = false): Promise<ProofNotes> {
  const noted = await noteProof(await open(given, START), { checks, off, until: null, acceptRed: [] }, []);
  if (noted === null) throw new Error('nothing was noted');
  return noted.notes;
}
const names = (checks: readonly { name: string }[] = []): string => checks.map(({ name }) => name).join(' ');
/** `required, of which may not run | others`. */
async function pinned(notes: ProofNotes | undefined, given: Files = {}): Promise<string | null> {
  const pin = await makePin(await open(given), RUN, notes);
  return (
    pin && `${names(pin.checks)}, ${pin.untrusted.join(' ')} | ${names(pin.others)}${pin.off ? ' off' : ''}`
  );
}

describe('a pin', () => {
  it('has what was trusted before the start, and what the start asked for', async () => {
    await trusted();
    expect(await pinned(await started())).toBe('test types,  | lint');
    dropPin(bare, RUN);
    expect(await pinned(await started({}, ['lint']))).toBe('test types lint,  | ');
    dropPin(bare, RUN);
    expect(await pinned(await started({}, [], true))).toBe('test types,  | lint off');
  });

  it('does not count trust that was given after the start, nor where the start noted nothing', async () => {
    const notes = await started(files(OWN));
    expect(await pinned(notes)).toBe('test types, test types | ');
    await trusted(files(OWN), START + 1);
    for (const known of [notes, undefined]) {
      dropPin(bare, RUN);
      expect(await pinned(known)).toBe('test types, test types | ');
    }
    revokeTrust(bare);
    await trusted(files(OWN), STOP + 1);
    dropPin(bare, RUN);
    expect(await pinned({ ...notes, startedAt: 1e15 })).toBe('test types, test types | ');
  });

  it('takes the user’s own check in the place of the project’s, and lets it go with it alone', async () => {
    await trusted(files(OWN));
    const user = { checks: { test: { run: 'make' } } };
    expect(await pinned(await started(files(OWN, user)))).toBe('test types,  | ');
    expect(readPin(await open(), RUN)?.checks[0]).toMatchObject({ run: 'make', from: 'user' });
    dropPin(bare, RUN);
    expect(await pinned(await started(files({}, user)))).toBe('test, types | ');
  });

  it.each<[string, Own]>([
    ['takes a check out', { checks: { types: { run: 'tsc' } } }],
    ['removes the file', null],
    ['breaks the file', '{'],
    ['changes the command', { checks: { ...OWN.checks, test: { run: 'true' } } }],
    [
      'makes it never notice a change',
      { checks: { ...OWN.checks, test: { run: 'npm test', paths: ['no'] } } },
    ],
    ['breaks the check', '{"checks":{"test":{"run":5},"types":{"run":"tsc"}}}'],
    ['renames it', { checks: { types: { run: 'tsc' }, test2: { run: 'npm test' } } }],
  ])('keeps what an agent that %s would be rid of', async (_, own) => {
    await trusted();
    const notes = await started();
    for (const known of [notes, { ...notes, definitions: '' }, undefined]) {
      dropPin(bare, RUN);
      expect((await makePin(await open({ own }), RUN, known))?.untrusted).toContain('test');
    }
  });

  it('keeps what the start noted although nobody trusted it, and the user’s own as the start saw it', async () => {
    const notes = await started(files(OWN, USER), ['lint']);
    const changed = files(null, { checks: { lint: { run: 'true' } } });
    expect(await pinned(notes, changed)).toBe('lint, lint test types | ');
  });

  it('trusts nothing where the user’s folders lie in the project', async () => {
    const env = { HOME: bare.root, PATH: process.env.PATH };
    const project = await openProject(bare, files(OWN, USER), TRUST, env);
    giveTrust(project, project.config.checks);
    const noted = await noteProof(
      { ...project, now: START },
      { checks: ['lint'], off: false, until: null, acceptRed: [] },
      [],
    );
    expect((await makePin({ ...project, now: STOP }, RUN, noted?.notes))?.untrusted).toEqual([
      'test',
      'types',
      'lint',
    ]);
  });

  it('takes only names from notes that somebody else wrote, and two hundred of each', async () => {
    const many = Array.from({ length: 201 }, (_, at) => `n${at}`);
    expect(readAsked({ checks: ['a/b', '\u001b[2J', '', ...many], off: false })).toEqual(many.slice(0, 200));
    expect([...readDefinitions(many.map((name) => `${name}=d`).join(' ')).keys()]).toEqual(
      many.slice(0, 200),
    );
    expect([...readDefinitions('a/b=1 x=1=1 y= z test=abc')]).toEqual([['test', 'abc']]);
  });

  it.each<[string, Files, string[], boolean, string | null]>([
    ['nothing', files({}), [], false, null],
    ['protected paths', files({ protect: { paths: ['test/**'] } }), [], false, ',  | '],
    ['checks that are switched off', files({}), [], true, ',  |  off'],
    ['the user’s own checks that nobody asked for', files({}, USER), [], false, ',  | lint'],
    ['a broken check', files('{"checks":{"test":{"run":[]}}}'), [], false, ', test | '],
  ])('of %s is made or not', async (_, given, checks, off, expected) => {
    const noted = await noteProof(await open(given, START), { checks, off, until: null, acceptRed: [] }, []);
    expect(await pinned(noted?.notes, given)).toBe(expected);
    expect(hasPin(await open(), RUN)).toBe(expected !== null);
  });
});

describe('a pin that is there', () => {
  it('comes back as it was made, whatever becomes of config and notes', async () => {
    await trusted();
    const proof = { sandbox: 'always', bail: true, refusals: 3 } as const;
    const own = { ...OWN, proof, protect: { paths: ['test/**'], then: 'hold' as const } };
    writeIn(bare, 'test/a.test.ts', 'x');
    const pin = await makePin(await open({ own }), RUN, await started({ own }));
    expect(pin).toMatchObject({
      ...proof,
      then: 'hold',
      run: RUN,
      root: bare.root,
      startedAt: START,
      protect: ['test/**'],
    });
    expect(pin?.seal?.files.map(([file]) => file)).toEqual(['holdfast.config.json', 'test/a.test.ts']);
    const changed = await open(files({ checks: { test: { run: 'true' } } }));
    expect([readPin(changed, RUN), await makePin(changed, RUN, undefined)]).toEqual([pin, pin]);
    expect([readPin(changed, 'idle:other'), readPin({ ...changed, root: '/elsewhere' }, RUN)]).toEqual([
      null,
      null,
    ]);
    dropPin(changed, 'idle:other');
    expect(hasPin(changed, RUN)).toBe(true);
    dropPin(changed, RUN);
    expect([hasPin(changed, RUN), readPin(changed, RUN)]).toEqual([false, null]);
  });

  it('counts as none where it is broken or another’s, and is an error where the disk fails', async () => {
    await pinned(await started(files(OWN)));
    const folder = path.join(bare.env.XDG_STATE_HOME ?? '', 'holdfast/pins');
    const file = path.join(folder, fs.readdirSync(folder)[0] ?? '');
    const whole = JSON.parse(fs.readFileSync(file, 'utf8'));
    const others = [
      { run: 'idle:other' },
      { root: '/elsewhere' },
      { refusals: 'x' },
      { checks: [{}] },
      { seal: { files: [['a']] } },
    ];
    for (const text of [
      '{',
      '[]',
      'x'.repeat(5 * 1024 * 1024),
      ...others.map((other) => JSON.stringify({ ...whole, ...other })),
    ]) {
      fs.writeFileSync(file, text);
      expect(readPin(await open(), RUN)).toBeNull();
    }
    const project = await open();
    const failing = vi.spyOn(fs, 'openSync');
    for (const code of ['EIO', 'EACCES']) {
      failing.mockImplementation(() => {
        throw Object.assign(new Error(code), { code });
      });
      if (code === 'EIO') expect(() => readPin(project, RUN)).toThrow(code);
      else expect(readPin(project, RUN)).toBeNull();
    }
  });

  it('finds a check by its name, required or not, unless it may not run, and the content at its start', async () => {
    await trusted(files({ checks: { types: { run: 'tsc', paths: ['src'] } } }, USER));
    const own = { checks: { test: { run: 'npm test' }, types: { run: 'tsc', paths: ['src'] } } };
    const notes = await started(files(own, USER));
    const pin = await makePin(await open({}), RUN, { ...notes, content: 'all', contents: { types: 'some' } });
    if (pin === null) throw new Error('nothing was pinned');
    const found = ['types', 'lint', 'test', 'x'].map((name) => pinnedCheck(pin, name)?.name);
    expect(found).toEqual(['types', 'lint', undefined, undefined]);
    expect(pin.checks.map((check) => contentAtStart(pin, check))).toEqual(['all', 'some']);
    const odd = { ...pin.checks[0], name: 'toString', paths: ['a'] } as (typeof pin.checks)[0];
    expect(contentAtStart(pin, odd)).toBeNull();
  });

  it('leaves out of its seal what would not fit into a record, and says so', async () => {
    const folder = `deep/${['x', 'y', 'z'].map((letter) => letter.repeat(200)).join('/')}`;
    for (const name of ['a.test.ts', 'z.test.ts']) writeIn(bare, `${folder}/${name}`, "it.skip('a');");
    for (let at = 0; at < 4500; at++) fs.writeFileSync(path.join(bare.root, folder, `f${at}`), '');
    const project = await open({ own: { protect: { paths: ['deep/**'] } } });
    const pin = await makePin(project, RUN, undefined);
    expect([pin?.seal?.cut, pin?.seal?.skips]).toEqual([true, { [`${folder}/a.test.ts`]: 1 }]);
    expect(pin?.seal?.files.length).toBeGreaterThan(3000);
    expect(readPin(project, RUN)).toEqual(pin);
  });
});

it('checks are asked for where there are notes, a pin or trust, and pinned once at the first stop', async () => {
  const fresh = newSidecar(RUN);
  const noted = { ...fresh, proof: NO_NOTES };
  const committed = { before: 'a', after: 'b' };
  const plain = await open();
  const guarded = await open({ own: { protect: { paths: ['x'] } } });
  const checked = await open(files(OWN));
  expect([isAsked(fresh, plain, RUN), isAsked(noted, plain, RUN)]).toEqual([false, true]);
  expect([plain, guarded, checked].map((project) => mayBePinned(fresh, project))).toEqual([
    false,
    true,
    true,
  ]);
  expect([mayBePinned(noted, plain), mayBePinned({ ...noted, committed }, plain)]).toEqual([true, true]);
  expect(mayBePinned({ ...fresh, committed }, checked)).toBe(false);
  expect(mayBePinned({ ...fresh, proof: { ...NO_NOTES, pinned: true } }, checked)).toBe(false);
  expect(await pinRun(RUN, undefined, stoppedIn(plain))).toEqual({ notes: null, notice: null });
  expect(await pinRun(RUN, undefined, stoppedIn(checked))).toEqual({
    notes: { ...NO_NOTES, pinned: true },
    notice: null,
  });
  expect([isAsked(fresh, plain, RUN), isAsked(fresh, plain, 'idle:other')]).toEqual([true, false]);
  await trusted(files(OWN));
  expect([isAsked(fresh, plain, 'idle:other'), mayBePinned(fresh, plain)]).toEqual([true, true]);
  const { notes, notice } = await pinRun('idle:other', { ...NO_NOTES, refusals: 3 }, stoppedIn(checked));
  expect([notes, notice?.includes('trusted here since the last notice: test and types')]).toEqual([
    { ...NO_NOTES, refusals: 3, pinned: true },
    true,
  ]);
});
