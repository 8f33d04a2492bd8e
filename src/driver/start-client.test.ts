// What a client is started with, whose the run is then, and what is left when it ends.

import { describe, expect, it } from 'vitest';
import {
  driverScene,
  NOW,
  RUN,
  recordIn,
  type Scene,
  type SceneHow,
  SESSION,
} from '../../test/support/driver-scene.ts';
import { readToken } from '../store/driver-tokens.ts';
import { journalFromEnd } from '../store/journal.ts';
import { readSidecar } from '../store/sidecars.ts';
import { Kept } from './kept.ts';
import { type DriveOptions, type DriverRecord, NOTHING_SPENT, readRecord, recordName } from './record.ts';
import { look } from './standing.ts';
import { startClient } from './start-client.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const AFTER_CRASH =
  'Your client was ended in the middle of its work, and your last step may be half done. Look at the files and at ' +
  '`git status` first, then go on with idle:a (iteration 1/4).';
const KNOWS_NOTHING =
  'Another session worked on idle:a before you, and you go on with it. It stands so: iteration 1/4. You know nothing ' +
  'of what was said there, so look at what is done first: the files, `git status`, `git log`. This is what that ' +
  'session was given:\n\nDo it all';

type Given = { record?: Partial<DriverRecord>; options?: Partial<DriveOptions>; answer?: string };

async function started(
  how: SceneHow,
  { record: given, options, answer }: Given = {},
  before?: (scene: Scene) => void,
) {
  const scene = driverScene(how);
  before?.(scene);
  const kept = new Kept(scene.tools.env, recordIn(scene, given, options));
  const { run } = kept.record;
  const opened = await startClient(
    kept,
    scene.tools,
    look(scene.project, scene.tools.cli, run),
    answer ?? null,
  );
  const [start] = scene.starts;
  if (start === undefined) throw new Error('it was not started');
  const { env, ...with_ } = start;
  const token = env.HOLDFAST_DRIVER ?? '';
  const tokenThen = readToken(token, scene.tools.env);
  opened.close();
  const tokenNow = readToken(token, scene.tools.env);
  kept.release();
  return { scene, record: kept.record, start: with_, env, tokenThen, tokenNow };
}

const commandsIn = ({ project }: Scene): string[] =>
  [...journalFromEnd(project.root)].map((entry) => `${entry.event} ${entry.session}`);

describe('a client is started', () => {
  it('in the session that was chosen for it, with the first prompt', async () => {
    const { scene, record, start, tokenThen, tokenNow } = await started({});
    expect(start).toEqual({
      ...{ root: scene.project.root, resume: null, session: SESSION, access: 'edit', model: null, args: [] },
      ...{
        commands: ['ask', 'why'],
        allowed: ['holdfast ask', 'holdfast why', 'git add'],
        prompt: 'Do it all',
      },
    });
    expect(scene.said).toEqual([{ event: 'client-began', session: SESSION, pid: 0, how: 'new' }]);
    expect(tokenThen).toEqual({
      root: scene.project.root,
      run: RUN,
      session: SESSION,
      fresh: false,
      left: NOW,
    });
    expect(tokenNow).toBeNull();
    expect(record).toMatchObject({
      session: SESSION,
      client: { pid: 0, start: null },
      spent: { sessions: 1 },
    });
    expect(record).not.toHaveProperty('former');
    expect(readRecord(scene.tools.env, recordName(record))).toEqual(record);
    expect(commandsIn(scene)).toEqual([`drive ${SESSION}`]);
    expect(scene.done).toEqual(['started: Do it all']);
  });

  it('in the session that goes on, where that can be resumed', async () => {
    const asked: unknown[] = [];
    const canResume = (...how: unknown[]): boolean => asked.push(how) > 0;
    const spent = { ...NOTHING_SPENT, sessions: 3 };
    const { scene, record, start, tokenThen } = await started(
      { headless: { canResume } },
      { record: { spent } },
    );
    expect(asked).toEqual([[SESSION, { root: scene.project.root, env: scene.tools.env }]]);
    expect(start).toMatchObject({ resume: SESSION, session: null, prompt: AFTER_CRASH });
    expect(scene.said).toEqual([{ event: 'client-began', session: SESSION, pid: 0, how: 'resumed' }]);
    expect(tokenThen).toMatchObject({ session: SESSION });
    expect(record).toMatchObject({ session: SESSION, spent: { sessions: 3 } });
  });

  it('with what was asked for', async () => {
    const { start } = await started({}, { options: { access: 'full', model: 'large', args: ['--fast'] } });
    expect(start).toMatchObject({ access: 'full', model: 'large', args: ['--fast'] });
  });

  it('in a new session, which has the run then, and what it cost before is kept', async () => {
    const spent = { ...NOTHING_SPENT, usdBefore: 1, usdHere: 0.5, sessions: 1 };
    const next = { session: 'new', say: 'new-session', at: 5 } as const;
    const { scene, record, start } = await started(
      { sidecar: { sessions: ['before'] }, headless: { canResume: () => false } },
      { record: { spent, next } },
    );
    const { session } = start;
    expect(session).toMatch(UUID);
    expect(start.prompt).toBe(KNOWS_NOTHING);
    expect(record).toMatchObject({ session, former: ['before'], next: { ...next, session: 'same' } });
    expect(record.spent).toEqual({ ...spent, usdBefore: 1.5, usdHere: null, sessions: 2 });
    expect(readSidecar(scene.project.root, RUN).sessions).toEqual([session]);
    expect(commandsIn(scene)).toEqual([`drive ${session}`, `adopt ${session}`]);
  });

  it('in a new session where there is none yet, which costs nothing before', async () => {
    const { start, record } = await started({}, { record: { session: null } });
    expect(start.session).toMatch(UUID);
    expect(record.spent).toEqual({ ...NOTHING_SPENT, sessions: 1 });
  });

  it('without a run, which its agent is to begin', async () => {
    const { scene, start, tokenThen } = await started({}, { record: { run: null, session: null } });
    expect(start.prompt).toBe('Do it all');
    expect(tokenThen).toMatchObject({ run: null, session: start.session });
    expect(commandsIn(scene)).toEqual([`drive ${start.session}`]);
  });

  it('in a session of its own choice, which its start binds', async () => {
    const headless = { choosesSession: false };
    const { scene, record, start, tokenThen } = await started({ headless }, { record: { session: null } });
    expect(start).toMatchObject({ session: null, resume: null });
    expect(tokenThen).toMatchObject({ session: null });
    expect(tokenThen).not.toHaveProperty('forks');
    expect(record.session).toBeNull();
    expect(commandsIn(scene)).toEqual(['drive null', 'adopt null']);
    const again = await started({ headless: { ...headless, canResume: () => true } });
    expect(again.start).toMatchObject({ session: null, resume: SESSION });
    expect(again.tokenThen).toMatchObject({ session: SESSION });
    const gone = await started({ headless });
    expect(gone.start).toMatchObject({ session: null, resume: null });
    expect(gone.record.session).toBeNull();
  });

  it('in a fork of the session that goes on, until it is bound the run is still that one’s', async () => {
    const headless = { choosesSession: false, forks: true, canResume: () => true } as const;
    const sidecar = { sessions: [SESSION] };
    const { scene, record, start, tokenThen } = await started({ headless, sidecar });
    expect(start).toMatchObject({ resume: SESSION, session: null });
    expect(tokenThen).toMatchObject({ session: null, forks: true });
    expect(record).toMatchObject({ session: null, former: [SESSION] });
    expect(scene.said).toEqual([{ event: 'client-began', session: null, pid: 0, how: 'resumed' }]);
    const fresh = await started({ headless: { ...headless, canResume: () => false }, sidecar });
    expect(fresh.tokenThen).not.toHaveProperty('forks');
    expect(fresh.record).not.toHaveProperty('former');
  });

  it('for a run that went stale after that was taken up', async () => {
    const { scene } = await started({}, {}, ({ run }) => {
      run.stands = { kind: 'stale' };
    });
    expect(scene.done).toEqual([`taken up for ${SESSION}`, 'started: Do it all']);
  });
});

describe('its prompt', () => {
  const handover = { session: 'before', text: 'Now the second.' };
  const next = { session: 'new', say: 'handed-over', at: null } as const;

  it('is a person’s answer', async () => {
    const resumed = await started({ headless: { canResume: () => true } }, { answer: 'Tabs.' });
    expect(resumed.start.prompt).toBe('Tabs.');
    const { start } = await started({}, { answer: 'Tabs.' });
    expect(start.prompt).toBe(`${KNOWS_NOTHING}\n\nTabs.`);
  });

  it('is what was handed over, where every iteration has its session', async () => {
    const sidecar = { sessions: ['before'], handover };
    const { start, scene, tokenThen } = await started(
      { sidecar },
      { record: { next }, options: { fresh: true } },
    );
    expect(start.prompt).toBe(`${KNOWS_NOTHING}\n\nNow the second.`);
    expect(tokenThen).toMatchObject({ fresh: true });
    // It goes along, and is not taken up.
    expect(commandsIn(scene)).toEqual([`drive ${start.session}`]);
    const kept = await started({ sidecar }, { record: { next } });
    expect(kept.start.prompt).toBe(KNOWS_NOTHING);
  });

  it('is what was handed over to a session whose client died before it heard it, unless it is resumed', async () => {
    const sidecar = { sessions: [SESSION], handover };
    const say = { session: 'same', say: 'after-crash', at: null } as const;
    const given = { record: { next: say }, options: { fresh: true } };
    expect((await started({ sidecar }, given)).start.prompt).toBe(`${KNOWS_NOTHING}\n\nNow the second.`);
    const resumed = await started({ sidecar, headless: { canResume: () => true } }, given);
    expect(resumed.start.prompt).toBe(AFTER_CRASH);
  });

  it('is the first one where nothing was handed over, or nothing is begun', async () => {
    expect((await started({}, { options: { fresh: true } })).start.prompt).toBe('Do it all');
    const none = await started({}, { record: { run: null }, options: { fresh: true } });
    expect(none.start.prompt).toBe('Do it all');
  });
});

describe('its environment', () => {
  it('is the user’s, with git kept from running programs where it may only edit', async () => {
    const { scene, env } = await started({});
    const { HOLDFAST_DRIVER, ...rest } = env;
    expect(HOLDFAST_DRIVER).toMatch(/^[0-9a-f]{32}$/);
    expect(rest).toEqual({
      ...scene.tools.env,
      ...{ GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_0: 'safe.bareRepository', GIT_CONFIG_VALUE_0: 'explicit' },
      ...{ GIT_CONFIG_KEY_1: 'core.fsmonitor', GIT_CONFIG_VALUE_1: 'false' },
    });
    const full = await started({}, { options: { access: 'full' } });
    expect(full.env).toEqual({ ...full.scene.tools.env, HOLDFAST_DRIVER: full.env.HOLDFAST_DRIVER });
  });

  it('says where nobody is there to be asked', async () => {
    const { scene, env } = await started({}, { options: { access: 'full', unattended: true } });
    expect(env).toEqual({
      ...scene.tools.env,
      ...{ HOLDFAST_UNATTENDED: '1', HOLDFAST_DRIVER: env.HOLDFAST_DRIVER },
    });
  });

  it('has our command on its PATH where the client calls it by its name', async () => {
    const next = { session: 'same', say: 'go-on', at: null } as const;
    const { scene, env, start } = await started(
      {
        headless: { callsByName: true, canResume: () => true },
        tools: { allowed: ['git add'] },
      },
      { record: { next } },
      (each) => {
        const { project } = each.tools;
        each.tools.project = () => ({ ...project(), cli: '/opt/holdfast/bin/holdfast' });
      },
    );
    expect(env).toMatchObject({ PATH: `/opt/holdfast/bin:${scene.tools.env.PATH}`, HOLDFAST_BY_NAME: '1' });
    expect(start.allowed).toEqual(['holdfast ask', 'holdfast why', 'git add']);
    expect(start.prompt).toContain('ask with `holdfast ask "<question>"`');
  });
});
