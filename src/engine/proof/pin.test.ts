import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import { type Files, openProject } from '../../../test/support/proof.ts';
import type { ProofNotes } from '../../store/records.ts';
import type { Project } from '../project.ts';
import { NO_NOTES } from './asked.ts';
import type { ProofFlags } from './at-start.ts';
import { dropPin } from './forget-checks.ts';
import { contentAtStart, hasPin, makePin, pinnedCheck, readPin } from './pin.ts';
import { noteProof } from './start.ts';
import { giveTrust } from './trust.ts';

const RUN = 'idle:loop-1';
const OWN = { checks: { test: { run: 'npm test' }, types: { run: 'tsc' } } };
const USER = { checks: { lint: { run: 'lint' } } };
const NONE: ProofFlags = { checks: [], off: false, until: null };

let temp: TempProject;
beforeEach(() => {
  temp = tempProject();
});
afterEach(() => {
  vi.restoreAllMocks();
  temp.remove();
});

/** At these times, one after the other: trust, start, first stop. */
const [TRUST, START, STOP] = [1000, 2000, 3000];

const open = (files: Files, now: number): Promise<Project> => openProject(temp, files, now);

async function trusted(files: Files = { own: OWN, user: USER }, at = TRUST): Promise<void> {
  const project = await open(files, at);
  giveTrust(
    project,
    project.config.checks.filter(({ from }) => from === 'project'),
  );
}

async function started(files: Files = {}, flags: Partial<ProofFlags> = {}): Promise<ProofNotes> {
  const atStart = await noteProof(await open(files, START), { ...NONE, ...flags }, []);
  if (atStart === null) throw new Error('nothing was noted');
  return atStart.notes;
}

const names = (checks: readonly { name: string }[]): string[] => checks.map(({ name }) => name);

async function pinned(notes: ProofNotes | undefined, files: Files = {}) {
  const pin = await makePin(await open(files, STOP), RUN, notes);
  if (pin === null) return null;
  return { required: names(pin.checks), untrusted: pin.untrusted, others: names(pin.others), off: pin.off };
}

describe('a pin', () => {
  it('has what was trusted before the start', async () => {
    await trusted();

    expect(await pinned(await started())).toEqual({
      required: ['test', 'types'],
      untrusted: [],
      others: ['lint'],
      off: false,
    });
  });

  it('says of what nobody trusts that it is required and may not run', async () => {
    expect(await pinned(await started({ own: OWN }))).toMatchObject({
      required: ['test', 'types'],
      untrusted: ['test', 'types'],
    });
  });

  it('does not count trust that was given after the start', async () => {
    const notes = await started({ own: OWN });
    await trusted({ own: OWN }, START + 1);

    expect(await pinned(notes)).toMatchObject({ untrusted: ['test', 'types'] });
  });

  it('does not count trust at all where the start noted nothing', async () => {
    await trusted();

    expect(await pinned(undefined)).toMatchObject({ untrusted: ['test', 'types'] });
  });

  it('is not fooled by a start from the future', async () => {
    const notes = await started({ own: OWN });
    await trusted({ own: OWN }, STOP + 1);

    expect(await pinned({ ...notes, startedAt: 1e15 })).toMatchObject({ untrusted: ['test', 'types'] });
  });

  it('has the user’s own checks where the start asked for them', async () => {
    await trusted();

    expect(await pinned(await started({}, { checks: ['lint'] }))).toMatchObject({
      required: ['test', 'types', 'lint'],
      untrusted: [],
      others: [],
    });
  });

  it('has the check that the first loop goes on until', async () => {
    expect(await pinned(await started({ user: USER }, { until: 'lint' }))).toMatchObject({
      required: ['lint'],
    });
  });

  it('says that checks were switched off, and which', async () => {
    await trusted();

    expect(await pinned(await started({}, { off: true }))).toMatchObject({
      required: ['test', 'types'],
      off: true,
    });
  });

  it('takes the user’s own check in the place of the project’s', async () => {
    await trusted({ own: OWN });
    const user = { checks: { test: { run: 'make' } } };

    expect(await pinned(await started({ user }))).toMatchObject({
      required: ['test', 'types'],
      untrusted: [],
    });
    expect(readPin(await open({}, STOP), RUN)?.checks[0]).toMatchObject({ run: 'make', from: 'user' });
  });

  it('still requires what the project no longer has where the user’s own file has the name', async () => {
    await trusted({ own: OWN });
    const notes = await started({ own: {}, user: { checks: { test: { run: 'make' } } } });

    expect(await pinned(notes)).toMatchObject({ required: ['test'], untrusted: ['types'] });
  });

  test.each<[string, NonNullable<Files['own']> | null]>([
    ['takes a check out', { checks: { types: { run: 'tsc' } } }],
    ['takes all out', {}],
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
      const project = await open({}, STOP);
      dropPin(project, RUN);
      expect((await pinned(known, { own }))?.untrusted).toContain('test');
    }
  });

  it('keeps what the start noted although nobody ever trusted it', async () => {
    const notes = await started({ own: OWN });

    expect((await pinned(notes, { own: null }))?.untrusted).toEqual(['test', 'types']);
  });

  it('keeps a check of the user’s own that changed since the start from running', async () => {
    const notes = await started({ user: USER }, { checks: ['lint'] });

    expect(await pinned(notes, { user: { checks: { lint: { run: 'true' } } } })).toMatchObject({
      required: ['lint'],
      untrusted: ['lint'],
    });
  });

  it('says of a broken check that it may not run', async () => {
    expect(await pinned(undefined, { own: '{"checks":{"test":{"run":[]}}}' })).toEqual({
      required: [],
      untrusted: ['test'],
      others: [],
      off: false,
    });
  });

  it('trusts nothing where the user’s folders lie in the project', async () => {
    const env = { HOME: temp.root, PATH: process.env.PATH };
    const project = await openProject(temp, { own: OWN, user: USER }, TRUST, env);
    giveTrust(project, project.config.checks);
    const atStart = await noteProof({ ...project, now: START }, { ...NONE, checks: ['lint'] }, []);
    const pin = await makePin({ ...project, now: STOP }, RUN, atStart?.notes);

    expect(pin?.untrusted).toEqual(['test', 'types', 'lint']);
  });

  it('takes only names from notes that somebody else wrote, and not too many', async () => {
    const notes = await started({ own: OWN });
    const many = Array.from({ length: 5000 }, (_, at) => `n${at}`);
    const forged: ProofNotes = {
      ...notes,
      asked: { checks: ['a/b', '\u001b[2J', '', ...many], off: false },
      definitions: `a/b=1 \u001b=1 x=1=1 y= ${many.map((name) => `${name}=1`).join(' ')}`,
    };
    const pin = await pinned(forged);

    expect(pin?.untrusted.length).toBeLessThan(250);
    expect(pin?.untrusted.filter((name) => !/^(n\d+|test|types)$/.test(name))).toEqual([]);
  });
});

describe('nothing is pinned', () => {
  it('where there is nothing', async () => {
    expect(await pinned(undefined)).toBeNull();
    expect(await noteProof(await open({}, START), NONE, [])).toBeNull();
    expect(await pinned(NO_NOTES)).toBeNull();
    expect(hasPin(await open({}, STOP), RUN)).toBe(false);
  });

  test.each<[string, Files, Partial<ProofFlags>]>([
    ['paths are protected', { own: { protect: { paths: ['test/**'] } } }, {}],
    ['checks were switched off', {}, { off: true }],
  ])('but something where %s', async (_, files, flags) => {
    expect(await pinned(await started(files, flags))).toMatchObject({ required: [], untrusted: [] });
  });

  it('but something where the user has checks that nobody asked for, which the start need not note', async () => {
    expect(await noteProof(await open({ user: USER }, START), NONE, [])).toBeNull();
    expect(await pinned(undefined, { user: USER })).toMatchObject({ required: [], untrusted: [] });
  });

  it('where the user trusts another repository only', async () => {
    const project = await open({ own: OWN }, TRUST);
    const other = path.join(path.dirname(temp.root), 'other');
    fs.mkdirSync(other);
    giveTrust({ ...project, root: other }, project.config.checks);
    temp.write('holdfast.config.json', '{}');

    expect(await noteProof(await open({}, START), NONE, [])).toBeNull();
  });
});

describe('once it is there', () => {
  it('an edit of the config changes nothing, nor does taking away the notes', async () => {
    await trusted();
    const first = await pinned(await started());
    const again = await pinned(undefined, { own: { checks: { test: { run: 'true' } } }, user: null });

    expect(again).toEqual(first);
    expect(readPin(await open({}, STOP), RUN)?.checks[0]).toMatchObject({ run: 'npm test' });
  });

  it('comes back as it was made, with the settings of that time', async () => {
    await trusted();
    const own = {
      ...OWN,
      proof: { sandbox: 'always', bail: true, refusals: 3 } as const,
      protect: { paths: ['test/**'], then: 'hold' as const },
    };
    temp.write('test/a.test.ts', 'x');
    const project = await open({ own }, STOP);
    const pin = await makePin(project, RUN, await started({ own }));

    expect(pin).toMatchObject({
      ...{ run: RUN, root: temp.root, startedAt: START, protect: ['test/**'] },
      ...{ sandbox: 'always', bail: true, refusals: 3, then: 'hold' },
    });
    expect(pin?.seal?.files.map(([file]) => file).sort()).toEqual(['holdfast.config.json', 'test/a.test.ts']);
    expect(readPin(project, RUN)).toEqual(pin);
  });

  it('is this run’s in this folder alone', async () => {
    await trusted();
    await pinned(await started());
    const project = await open({}, STOP);

    expect(readPin(project, 'idle:other')).toBeNull();
    expect(readPin({ ...project, root: temp.home }, RUN)).toBeNull();
    dropPin(project, 'idle:other');
    expect(hasPin(project, RUN)).toBe(true);
    dropPin(project, RUN);
    expect([hasPin(project, RUN), readPin(project, RUN)]).toEqual([false, null]);
  });

  test.each(['{', '{}', '[]', 'x'.repeat(5 * 1024 * 1024)])(
    'counts as none where it is broken',
    async (text) => {
      await trusted();
      await pinned(await started());
      const folder = path.join(temp.home, '.local/state/holdfast/pins');
      const file = path.join(folder, fs.readdirSync(folder)[0] ?? '');
      const whole = fs.readFileSync(file, 'utf8');
      fs.writeFileSync(file, text);
      expect(readPin(await open({}, STOP), RUN)).toBeNull();
      for (const other of [{ run: 'idle:other' }, { root: '/elsewhere' }]) {
        fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(whole), ...other }));
        expect(readPin(await open({}, STOP), RUN)).toBeNull();
      }
    },
  );

  test.each([
    ['EIO', true],
    ['EACCES', false],
  ])('that cannot be read for %s is an error at this stop: %s', async (code, isError) => {
    await trusted();
    await pinned(await started());
    const project = await open({}, STOP);
    vi.spyOn(fs, 'openSync').mockImplementation(() => {
      throw Object.assign(new Error(code), { code });
    });

    if (isError) expect(() => readPin(project, RUN)).toThrow(code);
    else expect(readPin(project, RUN)).toBeNull();
  });

  it('finds a check by its name, required or not, unless it may not run', async () => {
    await trusted({ own: { checks: { types: { run: 'tsc' } } }, user: USER });
    await pinned(await started({ own: OWN }));
    const pin = readPin(await open({}, STOP), RUN);

    expect(pin && ['types', 'lint', 'test', 'x'].map((name) => pinnedCheck(pin, name)?.name)).toEqual([
      'types',
      'lint',
      undefined,
      undefined,
    ]);
  });

  it('knows the content at the start for each check', async () => {
    const own = { checks: { test: { run: 'npm test' }, src: { run: 'x', paths: ['src/**'] } } };
    temp.write('src/a', '1');
    await trusted({ own });
    const notes = await started();
    const pin = await makePin(await open({}, STOP), RUN, notes);
    const [all, src] = pin?.checks.map((check) => contentAtStart(pin, check)) ?? [];

    expect(all).toBe(notes.content);
    expect(src).toBe(notes.contents?.src);
    expect(new Set([all, src, null, undefined]).size).toBe(4);
    expect(
      pin &&
        contentAtStart({ ...pin, contents: {} }, {
          ...pin.checks[0],
          name: 'toString',
          paths: ['a'],
        } as never),
    ).toBeNull();
  });

  it('leaves out of its seal what would not fit into a record, and says so', async () => {
    const own = { ...OWN, protect: { paths: ['deep/**'] } };
    const folder = `deep/${'x'.repeat(200)}/${'y'.repeat(200)}/${'z'.repeat(200)}`;
    fs.mkdirSync(path.join(temp.root, folder), { recursive: true });
    for (let at = 0; at < 4500; at++) fs.writeFileSync(path.join(temp.root, folder, `f${at}`), '');
    for (const name of ['a.test.ts', 'z.test.ts']) temp.write(`${folder}/${name}`, "it.skip('a');");
    const project = await open({ own }, STOP);
    const pin = await makePin(project, RUN, undefined);

    expect(pin?.seal?.cut).toBe(true);
    expect(pin?.seal?.files.length).toBeGreaterThan(3000);
    expect(pin?.seal?.skips).toEqual({ [`${folder}/a.test.ts`]: 1 });
    expect(readPin(project, RUN)).toEqual(pin);
  });
});
