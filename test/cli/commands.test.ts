// The commands that are no workflow's own, run as the user and the agent run them: what they print and how they exit.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { toyPlugin } from '../toy/plugin.ts';
import { eventually, SESSION, type ToyScene, toyScene } from '../toy/scene.ts';

const mine = { env: { CLAUDE_CODE_SESSION_ID: SESSION } };

async function working(): Promise<ToyScene> {
  const scene = toyScene();
  await scene.start('a', { left: 5 });
  return scene;
}

describe.concurrent('status', () => {
  test('lists the live runs, where each stands and whose it is', async () => {
    const scene = await working();
    await scene.start('b', { toy: 'toy2', phase: 'reviewing', session: 'other' });
    await scene.start('old', { phase: 'done' });
    scene.setState('c', {});
    const { stdout, stderr, exitCode } = await scene.cli(['status'], mine);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    await expect(stdout).toMatchFileSnapshot('golden/status.txt');
    expect((await scene.cli(['status', '--all'])).stdout).toContain('○ toy:old  ');
  });

  test('agrees with what a start in a terminal just said', async () => {
    const scene = toyScene();
    await scene.start('a', { session: null });
    expect((await scene.cli(['status'])).stdout).toContain('holds the next session here\n');
    const { stdout } = await scene.cli(['status', '--json']);
    expect(JSON.parse(stdout).runs).toMatchObject([
      { run: 'toy:a', mine: false, ticket: true, waiting: null },
    ]);

    await scene.stop({ session: 'taker' });

    expect((await scene.cli(['status'])).stdout).toBe('● toy:a  working  session taker\n');
  });

  test('says what a live run waits for, until that is over', async () => {
    const scene = await working();
    await scene.start('old', { phase: 'done' });
    const since = Date.now() - 60_000;
    const waiting = { for: 'work', since, until: since + 7_200_000, what: 'a subagent' };
    const shown = async () => (await scene.cli(['status'], mine)).stdout;
    const data = async () => JSON.parse((await scene.cli(['status', '--all', '--json'])).stdout).runs;

    scene.setSidecar('a', { waiting });
    scene.setSidecar('old', { waiting });
    expect(await shown()).toMatch(
      /waiting: .*\n {2}It has waited for \d+ s for .* background: a subagent\. /,
    );
    expect(await data()).toMatchObject([
      { run: 'toy:a', ticket: false, waiting },
      { run: 'toy:old', waiting: null },
    ]);

    scene.setSidecar('a', { waiting: { ...waiting, until: since + 1 } });
    expect(await shown()).not.toContain('waited');
    expect(await data()).toMatchObject([{ run: 'toy:a', waiting: null }, {}]);
  });

  test('says the same as data', async () => {
    const scene = await working();
    const { stdout } = await scene.cli(['status', '--json'], mine);
    expect(JSON.parse(stdout)).toMatchObject({
      root: scene.root,
      runs: [
        {
          run: 'toy:a',
          live: true,
          status: 'running',
          end: null,
          stage: 'working',
          sessions: [SESSION],
          mine: true,
        },
      ],
      troubles: [],
      unused: [],
    });
  });

  test('works where there are no runs', async () => {
    const scene = toyScene();
    expect(await scene.cli(['status'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('No runs here'),
    });
    expect(JSON.parse((await scene.cli(['status', '--json'])).stdout)).toEqual({
      root: null,
      runs: [],
      troubles: [],
      unused: [],
    });
    expect(fs.readdirSync(scene.root)).toEqual(['.git']);
  });

  test('lists a run whose state cannot be read, and says so', async () => {
    const scene = await working();
    scene.write('.toy/a.json', 'nonsense');
    for (const args of [[], ['--all']])
      expect((await scene.cli(['status', ...args])).stdout).toMatch(
        /^\? toy:a {2}its state cannot be read: .*\.toy\/a\.json is not readable as a toy's state; to fix it, .+\n$/,
      );
  });

  test('shows a run that was let go without progress', async () => {
    const scene = toyScene();
    await scene.start('a');
    scene.write('holdfast.config.json', '{"guard":{"unmoved":0,"tools":0}}');
    await scene.stop();
    expect((await scene.cli(['status'])).stdout).toContain('toy:a  released');
  });
});

describe.concurrent('log', () => {
  test('shows what was answered, oldest first, as many as asked for', async () => {
    const scene = await working();
    for (let stop = 0; stop < 3; stop++) await scene.stop({ session: null });
    const lines = (await scene.cli(['log', '--limit', '2'])).stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(/^\S+ {2}held {6}toy:a {2}go-on$/);
    const data = (await scene.cli(['log', '--json'])).stdout.trimEnd().split('\n');
    const [begun, ...stops] = data.map((line) => JSON.parse(line));
    expect(begun).toMatchObject({ schema: 2, event: 'start', workflow: 'toy', run: 'a' });
    expect(stops.map(({ state }) => state.left)).toEqual([5, 4, 3]);
  });

  test('shows one run alone', async () => {
    const scene = await working();
    await scene.start('b', { toy: 'toy2', left: 0 });
    await scene.stop({ payload: { last_assistant_message: 'FINISHED' } });
    expect((await scene.cli(['log'])).stdout.trimEnd().split('\n')).toHaveLength(5);
    for (const name of ['toy2:b', 'b']) {
      const { stdout } = await scene.cli(['log', '--run', name]);
      expect(stdout).toMatch(/^.* start {5}toy2:b .*\n.* allowed {3}toy2:b {2}exhausted\n$/);
    }
  });

  test.each([{ of: [] }, { of: ['--run', 'toy:a'] }, { of: ['--run', 'a'] }])(
    'follows: a new stop is shown as it comes $of',
    async ({ of }) => {
      const scene = await working();
      await scene.stop({ session: null });
      const child = spawn(path.join(toyPlugin, 'bin/holdfast'), ['log', '--follow', '--json', ...of], {
        cwd: scene.root,
        env: scene.env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let shown = '';
      child.stdout.on('data', (chunk) => {
        shown += chunk;
      });
      const linesShown = (count: number) => () => shown.split('\n').length - 1 === count;
      try {
        await eventually('what was is shown', linesShown(2), 20_000);
        await scene.stop({ session: null });
        await eventually('the new stop is shown', linesShown(3), 20_000);
        expect(JSON.parse(shown.split('\n')[2] ?? '').state.left).toBe(4);
        // The file becomes a segment: its last line was not yet shown, and the next stop is in a new one.
        const home = path.join(scene.root, '.holdfast');
        fs.mkdirSync(path.join(home, 'journal'));
        fs.appendFileSync(path.join(home, 'journal.jsonl'), `${JSON.stringify(scene.journal()[1])}\n`);
        fs.renameSync(path.join(home, 'journal.jsonl'), path.join(home, 'journal/00000001.jsonl'));
        await scene.stop({ session: null });
        await eventually('both are shown', linesShown(5), 20_000);
        expect(
          shown
            .split('\n')
            .slice(3, 5)
            .map((line) => JSON.parse(line).state.left),
        ).toEqual([4, 3]);
      } finally {
        child.kill('SIGKILL');
      }
    },
  );

  test('refuses a limit that is no number', async () => {
    const scene = await working();
    expect(await scene.cli(['log', '--limit', 'many'])).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe.concurrent('why', () => {
  const why = async (scene: ToyScene): Promise<string> => (await scene.cli(['why'])).stdout;

  test('tells in plain words why a stop was held', async () => {
    const scene = await working();
    await scene.stop();
    expect(await why(scene)).toMatch(/^Held by toy:a\. It said "go on" \(left 4\)\. It was the first hold/);
    await scene.stop();
    expect(await why(scene)).toContain('the transcript does not show it');
    scene.write('WORK.md', 'new');
    await scene.stop();
    expect(await why(scene)).toContain('Moved since the last hold: its files');
  });

  test('tells why a stop was allowed', async () => {
    const scene = await working();
    await scene.stop({ payload: { last_assistant_message: 'FINISHED' } });
    expect(await why(scene)).toContain('Allowed by toy:a. It said "finished".');
  });

  test('tells why the guard let go, and that it did', async () => {
    const scene = await working();
    scene.write('holdfast.config.json', '{"guard":{"tools":1}}');
    for (let stop = 0; stop < 2; stop++) await scene.stop();
    expect(await why(scene)).toContain('The guard let go:');
    await scene.stop();
    expect(await why(scene)).toContain(
      'It had been let go because there was no progress, and nothing has moved since.',
    );
  });

  test('tells of an error', async () => {
    const scene = await working();
    scene.write('.toy/a.json', 'nonsense');
    await scene.stop();
    expect(await why(scene)).toMatch(/^Allowed: toy:a hit an error: .*not readable/);
  });

  test('tells of each run of the stop', async () => {
    const scene = await working();
    await scene.start('b', { toy: 'toy2', left: 0 });
    await scene.stop({ payload: { last_assistant_message: 'FINISHED' } });
    expect((await why(scene)).trimEnd().split('\n')).toHaveLength(2);
    expect(JSON.parse((await scene.cli(['why', '--json'])).stdout)).toHaveLength(2);
    expect((await scene.cli(['why', '--run', 'toy2:b'])).stdout).toContain('It said "exhausted".');
  });

  test('says so when there is nothing to tell', async () => {
    const empty = toyScene();
    expect(await empty.cli(['why'])).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('no run'),
    });
    const scene = await working();
    expect(await scene.cli(['why'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no stops in this project yet'),
    });
  });
});

describe.concurrent('replay', () => {
  /** A journal with a look, a hold, a review and a release in it. */
  async function played(): Promise<{ scene: ToyScene; journal: string }> {
    const scene = await working();
    scene.write('holdfast.config.json', '{"guard":{"tools":1}}');
    for (let stop = 0; stop < 2; stop++) await scene.stop();
    scene.setState('a', { phase: 'reviewing' });
    await scene.stop({ env: { TOY_REVIEWER: 'fail' } });
    await scene.stop({ payload: { last_assistant_message: 'FINISHED' } });
    return { scene, journal: path.join(scene.root, '.holdfast/journal.jsonl') };
  }

  test('of a whole journal comes out the same', async () => {
    const { scene, journal } = await played();
    const { stdout, exitCode } = await scene.cli(['replay', journal]);
    expect(exitCode).toBe(0);
    expect(stdout.trimEnd().split('\n')).toEqual([
      ...Array(4).fill(expect.stringMatching(/ toy:a: same$/)),
      '4 stops replayed, 0 different.',
    ]);
  });

  test('of one line, or of the N-th last stop, comes out the same', async () => {
    const { scene, journal } = await played();
    const [begun = '', line = ''] = fs.readFileSync(journal, 'utf8').split('\n');
    expect((await scene.cli(['replay', begun])).exitCode).toBe(2);
    expect(await scene.cli(['replay', line])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('same'),
    });
    expect((await scene.cli(['replay', '2'])).exitCode).toBe(0);
    expect(await scene.cli(['replay', '9'])).toMatchObject({
      exitCode: 1,
      stderr: 'holdfast: the journal here holds only 4 stops.\n',
    });
  });

  test.each([
    ['the step', { step: { kind: 'allow', change: null, notice: null } }],
    ['the state', { state: { phase: 'working', left: 0, reviews: 0 } }],
    ["the guard's memory", 'memory'],
  ] as const)('with %s altered comes out different, and exits 1', async (_, change) => {
    const scene = await working();
    await scene.stop();
    const [entry] = scene.journal();
    const guard = { ...(entry?.guard as object), memory: { ...EXHAUSTED } };
    const altered = JSON.stringify({ ...entry, ...(change === 'memory' ? { guard } : change) });
    const { stdout, exitCode } = await scene.cli(['replay', altered]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/toy:a: different\n {2}recorded: .*\n {2}now: /);
    const [told] = JSON.parse((await scene.cli(['replay', '--json', altered])).stdout);
    expect(told.outcome).toBe('different');
  });

  test('of what is no journal line is wrong usage', async () => {
    const scene = await working();
    for (const word of ['{}', 'no-such-file', scene.root])
      expect(await scene.cli(['replay', word])).toMatchObject({ exitCode: 2, stdout: '' });
  });

  const EXHAUSTED = {
    held: true,
    noProgress: 9,
    noTools: 9,
    toolsUnknown: 0,
    released: false,
    artifacts: { stamp: '', content: '' },
    marker: null,
    notified: null,
  };
});

describe.concurrent('cancel', () => {
  test('ends the one live run, and the agent is let go', async () => {
    const scene = await working();
    expect(await scene.cli(['cancel'])).toEqual({ exitCode: 0, stdout: 'toy:a is cancelled.\n', stderr: '' });
    expect((await scene.stop()).stdout).toBe('');
    expect(await scene.cli(['cancel'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no run is live'),
    });
  });

  test('wants a name when several runs are live', async () => {
    const scene = await working();
    await scene.start('a', { toy: 'toy2' });
    expect(await scene.cli(['cancel'])).toMatchObject({
      exitCode: 1,
      stderr: 'holdfast: several runs are live: toy:a, toy2:a. Name one.\n',
    });
    expect(await scene.cli(['cancel', 'a'])).toMatchObject({
      exitCode: 1,
      stderr: 'holdfast: "a" could be toy:a or toy2:a; name it in full.\n',
    });
    expect((await scene.cli(['cancel', 'toy2:a'])).stdout).toBe('toy2:a is cancelled.\n');
    expect(scene.state('a').phase).toBe('working');
  });

  test('of a run that is not there says how to find it', async () => {
    const scene = await working();
    expect(await scene.cli(['cancel', 'toy:b'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('`holdfast status --all` lists them'),
    });
    expect(await toyScene().cli(['cancel'])).toMatchObject({ exitCode: 1 });
  });
});

describe.concurrent('adopt', () => {
  test('says whose the run is now, and what comes next', async () => {
    const scene = await working();
    expect(await scene.cli(['adopt', 'a'], { env: { CLAUDE_CODE_SESSION_ID: 'other' } })).toEqual({
      exitCode: 0,
      stdout: 'toy:a now belongs to this session. It goes on at the next stop.\n',
      stderr: '',
    });
    await scene.start('old', { phase: 'done' });
    expect((await scene.cli(['adopt', 'toy:old'])).stdout).toBe(
      'toy:old now belongs to the next session here. It is done, so no stop will be held by it.\n',
    );
  });

  test('needs a run that is there', async () => {
    const scene = await working();
    expect(await scene.cli(['adopt', 'toy:../../etc/passwd'])).toMatchObject({ exitCode: 1 });
    expect(await scene.cli(['adopt'])).toMatchObject({ exitCode: 2 });
    expect(await toyScene().cli(['adopt', 'toy:a'])).toMatchObject({ exitCode: 1 });
  });
});

describe.concurrent('under HOLDFAST_DISABLE=1', () => {
  test.each([
    ['cancel', ['cancel']],
    ['adopt', ['adopt', 'toy:a']],
    ['a start', ['toy', 'start', 'b']],
  ])('%s refuses and does nothing', async (_, args) => {
    const scene = await working();
    const before = scene.read('.toy/a.json');
    const ran = await scene.cli(args, { env: { HOLDFAST_DISABLE: '1' } });
    expect(ran).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('nothing was done'),
    });
    expect(scene.read('.toy/a.json')).toBe(before);
    expect(scene.exists('.toy/b.json')).toBe(false);
  });

  test('what only reads works', async () => {
    const scene = await working();
    expect((await scene.cli(['status'], { env: { HOLDFAST_DISABLE: '1' } })).stdout).toContain('toy:a');
  });
});
