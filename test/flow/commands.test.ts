// The commands of flows: new, list, check, start, status and cancel, as a person and an agent type them.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/hook.ts';
import { flowScene } from './scene.ts';

const SIMPLE = `flow: simple
start: work
states:
  work:
    say: "Do {{task}}"
    leave: [ { when: { signal: done }, to: finished } ]
  finished: { end: completed }
`;

describe('flow new', () => {
  it('writes a flow that is accepted as it stands, with a schema for editors', async () => {
    const scene = flowScene();
    expect((await scene.agent('flow', 'new', 'mine')).stdout).toContain('flow check mine');
    const text = scene.read('holdfast.flows/mine.yaml');
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\/flow\.schema\.json\nflow: mine\n/);
    expect(JSON.parse(scene.read('holdfast.flows/flow.schema.json'))).toMatchObject({
      title: 'A flow of Holdfast',
    });
    expect(await scene.agent('flow', 'check', 'mine')).toMatchObject({ exitCode: 0 });
  });

  it.each(['tdd', 'fix-ci', 'docs', 'ralph', 'review'])('takes the built-in %s', async (name) => {
    const scene = flowScene();
    scene.checks({ test: 'true', ci: 'true' });
    expect(await scene.agent('flow', 'new', '--from', name, 'ours')).toMatchObject({ exitCode: 0 });
    const checked = await scene.agent('flow', 'check', '--json', 'ours');
    expect(JSON.parse(checked.stdout)).toMatchObject({ proven: true, flow: 'ours', where: 'project' });
  });

  it.each([
    [['Mine'], 2, 'small letters'],
    [['--from', 'nothing', 'mine'], 2, 'there is no built-in flow "nothing"'],
    [[], 2, 'missing'],
  ])('refuses %j', async (args, exitCode, says) => {
    const ran = await flowScene().agent('flow', 'new', ...args);
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.stderr).toContain(says);
  });

  it('overwrites nothing', async () => {
    const scene = flowScene();
    scene.flow('mine', 'flow: mine\n');
    const ran = await scene.agent('flow', 'new', 'mine');
    expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is there already') });
    expect(scene.read('holdfast.flows/mine.yaml')).toBe('flow: mine\n');
  });
});

describe('flow list', () => {
  it('has the project’s, the user’s and the built-in ones; the nearest of a name wins', async () => {
    const scene = flowScene();
    scene.flow('tdd', SIMPLE.replace('flow: simple', 'flow: tdd\nabout: Ours.'));
    scene.flow('broken', 'flow: broken\n');
    const folder = path.join(scene.home, '.config/holdfast/flows');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'private.yaml'), SIMPLE.replace('simple', 'private'));
    const { stdout } = await scene.agent('flow', 'list');
    expect(stdout).toMatch(/^tdd +project +Ours\.$/m);
    expect(stdout).toMatch(/^tdd +built-in, hidden/m);
    expect(stdout).toMatch(/^private +user/m);
    expect(stdout).toMatch(/^broken +project +\(refused/m);
    expect(await scene.start('tdd')).toContain('Do a word count');
  });
});

describe('flow check', () => {
  it('prints a diagram, the bounds and what may be started', async () => {
    const scene = flowScene();
    scene.checks({ test: 'true', ci: 'true' });
    const { stdout } = await scene.agent('flow', 'check', 'fix-ci');
    expect(stdout).toContain('stateDiagram-v2\n  [*] --> fix\n');
    expect(stdout).toContain('  state "given-up" as given_up');
    expect(stdout).toContain('Holds at most: 30 in a whole run, 6 in a row while nothing moves.');
    expect(stdout).toContain('Checks it may start: ci (at most');
    const svg = await scene.agent('flow', 'check', '--svg', 'fix-ci');
    expect(svg.stdout).toMatch(/^<svg xmlns=[\s\S]*given-up[\s\S]*<\/svg>\s*$/);
  });

  it('refuses with the file, the line and the column, and the way', async () => {
    const scene = flowScene();
    scene.flow(
      'bad',
      SIMPLE.replace('simple', 'bad')
        .replace(
          '  finished: {',
          '  trap:\n    say: x\n    leave: [ { when: { signal: a }, to: trap } ]\n  finished: {',
        )
        .replace('to: finished }', 'to: finished }, { when: { signal: lost }, to: trap }'),
    );
    const ran = await scene.agent('flow', 'check', 'bad');
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toContain('holdfast.flows/bad.yaml:7:3: from the state "trap" no end can be reached.');
    expect(ran.stdout).toContain('  2. stop: in work: signal lost, so on to trap → hold');
    const data = JSON.parse((await scene.agent('flow', 'check', '--json', 'bad')).stdout);
    expect(data).toMatchObject({ proven: false, problems: [{ place: { line: 7, column: 3 } }] });
    expect((await scene.agent('flow', 'check', 'holdfast.flows/bad.yaml')).exitCode).toBe(1);
    expect((await scene.agent('flow', 'start', 'bad', 'x')).stderr).toContain('bad.yaml:7:3');
  });

  it.each([
    ['nothing', 'there is no flow "nothing". There are: tdd, fix-ci'],
    ['./nothing.yaml', 'there is no such file'],
    ['NoName', 'is no name of a flow'],
  ])('says what there is instead of %s', async (named, says) => {
    expect((await flowScene().agent('flow', 'check', named)).stderr).toContain(says);
  });

  it('without a check that it names ends with what to write, which is then accepted', async () => {
    const scene = flowScene();
    const { exitCode, stdout } = await scene.agent('flow', 'check', 'tdd');
    expect(exitCode).toBe(1);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.at(-1)).toMatch(/^Then a person allows it with `\S+ trust` in a terminal\.$/);
    expect(lines.at(-3)).toContain('Or write into holdfast.config.json');
    scene.write('holdfast.config.json', lines.at(-2) ?? '');
    expect(await scene.agent('flow', 'check', 'tdd')).toMatchObject({ exitCode: 0 });
    const other = await scene.agent('flow', 'check', 'fix-ci');
    expect(other.stdout).toContain('`checks` in holdfast.config.json');
    expect(other.stdout).toContain('\n  "ci": { "run": "npm test" }\n');
  });

  it('refuses a file that is called otherwise than the flow in it', async () => {
    const scene = flowScene();
    scene.flow('other', SIMPLE);
    expect((await scene.agent('flow', 'check', 'other')).stdout).toContain('the file is called other.yaml');
  });
});

describe('flow start', () => {
  it('prints the first text, with the task in it', async () => {
    const scene = flowScene();
    scene.flow('simple', SIMPLE);
    const text = await scene.start('simple', 'a parser');
    expect(text).toMatch(/^The flow simple \(flow:simple-\d+-\d+\) holds this session, 100 times at most\./);
    expect(text).toContain('Do a parser');
  });

  it('is refused without a task where the texts have one', async () => {
    const scene = flowScene();
    scene.flow('simple', SIMPLE);
    const ran = await scene.agent('flow', 'start', 'simple');
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('has a task in its texts') });
    expect(scene.exists('.holdfast/flow')).toBe(false);
  });

  it('is refused a second time in the session, and holds no other session', async () => {
    const scene = flowScene();
    scene.flow('simple', SIMPLE);
    await scene.start('simple');
    const again = await scene.agent('flow', 'start', 'simple', 'x');
    expect(again).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('goes on in this session already'),
    });
    const other = await scene.stop('Hm.', { session_id: 'another-session' });
    expect(other.decision).toBeUndefined();
    expect(other.systemMessage).toContain("is not this session's");
    expect((await scene.agent('flow', 'cancel')).stdout).toContain('is cancelled');
    expect((await scene.stop('Hm.')).decision).toBeUndefined();
    expect(await scene.start('simple')).toContain('holds this session');
  });

  it('is refused while a check of it is not trusted, and an unknown one is named', async () => {
    const scene = flowScene();
    scene.write('holdfast.config.json', JSON.stringify({ checks: { test: { run: 'touch ran.txt' } } }));
    const ran = await scene.agent('flow', 'start', 'tdd', 'x');
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain('checks that are not trusted here: test');
    expect((await scene.agent('flow', 'start', 'fix-ci', 'x')).stderr).toContain(
      'fix-ci needs a check named ci',
    );
    expect(scene.exists('ran.txt')).toBe(false);
    expect(scene.exists('.holdfast/flow')).toBe(false);
  });

  it('in a terminal waits for the next session', async () => {
    const scene = flowScene();
    scene.flow('simple', SIMPLE);
    const ran = await runCli(scene.root, ['flow', 'start', 'simple', 'x'], { env: { HOME: scene.home } });
    expect(ran.stdout).toContain('Armed for the next session here');
    expect((await scene.stop('Hm.')).decision).toBe('block');
  });
});
