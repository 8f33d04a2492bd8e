// How the command line is used: help, version, wrong usage, exit codes, a config that is wrong.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { run } from '../support/hook.ts';
import { toyPlugin } from '../toy/plugin.ts';
import { toyScene } from '../toy/scene.ts';

const everyCommand = (overview: string): string[] =>
  overview.split('\n').flatMap((line) => /^ {2}(\S+) {2,}\S/.exec(line)?.[1] ?? []);

describe.concurrent('help', () => {
  test('lists the commands, the workflows and how to stop it', async () => {
    const scene = toyScene();
    const { stdout, exitCode } = await scene.cli(['help', '--all']);
    expect(exitCode).toBe(0);
    expect(everyCommand(stdout)).toEqual(
      expect.arrayContaining(['status', 'why', 'log', 'cancel', 'adopt', 'doctor', 'replay']),
    );
    expect(stdout).toContain('Workflows: toy, toy2');
    expect(stdout).toContain('HOLDFAST_DISABLE=1');
    expect((await scene.cli([])).stdout).toContain('Nothing runs here.');
  });

  test('is there for every command, and does nothing else', async () => {
    const scene = toyScene();
    const commands = everyCommand((await scene.cli(['help'])).stdout);
    for (const name of [...commands, 'hook']) {
      const [asked, told] = await Promise.all([scene.cli([name, '--help']), scene.cli(['help', name])]);
      expect(asked).toMatchObject({ exitCode: 0, stderr: '' });
      expect(asked.stdout).toContain(`Usage: holdfast ${name}`);
      expect(told.stdout).toBe(asked.stdout);
    }
  });

  test('is there for the commands of a workflow', async () => {
    const scene = toyScene();
    for (const args of [['toy'], ['toy', '--help'], ['help', 'toy']])
      expect((await scene.cli(args)).stdout).toBe(
        [
          '  holdfast toy start   start a toy',
          '  holdfast toy status  the runs of toy in this project, where each stands and whose it is',
          '  holdfast toy cancel  end a run; the agent is let go at its next stop',
          '',
        ].join('\n'),
      );
    for (const args of [
      ['toy', 'start', '--help'],
      ['help', 'toy', 'start'],
    ])
      expect((await scene.cli(args)).stdout).toContain('Usage: holdfast toy start [--phase PHASE]');
    expect(scene.exists('.toy')).toBe(false);
  });
});

describe.concurrent('the version', () => {
  test('is the one of the package', async () => {
    const scene = toyScene();
    for (const flag of ['--version', '-V'])
      expect(await scene.cli([flag])).toEqual({ exitCode: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });
});

describe.concurrent('wrong usage exits 2 with one line', () => {
  test.each([
    ['a command that is not there', ['stauts'], 'there is no command "stauts"'],
    ['help for a command that is not there', ['help', 'stauts'], 'there is no command "stauts"'],
    ['a command of a workflow that is not there', ['toy', 'begin'], 'there is no command "toy begin"'],
    ['a flag that is not there', ['status', '--everything'], 'there is no option --everything'],
    ['a flag that is not there, short', ['status', '-x'], 'there is no option -x'],
    ['a value where none goes', ['status', '--json=yes'], 'json'],
    ['a flag without its value', ['log', '--limit'], '--limit'],
    ['a word too many', ['status', 'toy:a', 'now'], '"now" is one word too many'],
    ['a run that is not named', ['adopt'], 'RUN is missing'],
  ])('for %s', async (_, args, saying) => {
    const { exitCode, stdout, stderr } = await toyScene().cli(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^holdfast: [^\n]+\n$/);
    expect(stderr).toContain(saying);
  });
});

describe.concurrent('free words', () => {
  test('after -- are words, whatever they look like', async () => {
    const scene = toyScene();
    const { stderr } = await scene.cli(['cancel', '--', '--json']);
    expect(stderr).toContain('there are no runs here');
    expect(await scene.cli(['adopt', 'toy:a', '--json'])).toMatchObject({ exitCode: 2 });
  });
});

describe.concurrent('colours', () => {
  test('are for terminals: none in a pipe', async () => {
    const scene = toyScene();
    await scene.start('a');
    await scene.stop();
    for (const args of [['status'], ['log'], ['why'], ['doctor'], ['help']])
      expect((await scene.cli(args)).stdout).not.toContain('\u001b');
  });
});

describe.concurrent('a bad config', () => {
  test.each([['status'], ['log'], ['why'], ['cancel']])(
    'is named by %s, in one line beside what was asked for',
    async (command) => {
      const scene = toyScene();
      await scene.start('a');
      await scene.stop();
      scene.write('holdfast.config.json', '{"guard":{"unmovd":1}}');
      const { exitCode, stdout, stderr } = await scene.cli([command]);
      expect(exitCode).toBe(0);
      expect(stdout).toContain('toy:a');
      expect(stderr).toMatch(
        /^holdfast: [^\n]*holdfast\.config\.json: there is no key "guard\.unmovd"[^\n]*\n$/,
      );
    },
  );

  test('is named by commands of a workflow, too', async () => {
    const scene = toyScene();
    scene.write('holdfast.config.json', '{"review":{"access":"all"}}');
    const { exitCode, stderr } = await scene.cli(['toy', 'start', 'a']);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      'review.access: expected "full" or "sandboxed", got "all"; reviewers are sandboxed',
    );
  });
});

describe.concurrent('the exit code', () => {
  test('is 3 for an error of our own, which says that it is one', async () => {
    const scene = toyScene();
    scene.write('.toy/a.json', 'nonsense');
    const { exitCode, stdout, stderr } = await scene.cli(['toy', 'start', 'a']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toMatch(/^holdfast: internal error, please report it: [^\n]+\n$/);
  });

  test('is 1 for what is refused, with what to do', async () => {
    const scene = toyScene();
    await scene.start('a');
    expect(await scene.cli(['toy', 'start', 'a'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'holdfast: the toy a is there already.\n',
    });
  });

  test('is 0 for a reader that leaves early, and nothing is said', async () => {
    const scene = toyScene();
    await scene.start('a');
    await scene.stop({ session: null });
    const journal = path.join(scene.root, '.holdfast/journal.jsonl');
    fs.appendFileSync(journal, fs.readFileSync(journal, 'utf8').repeat(2000));
    const script = '{ "$0" log --limit 2000; echo "exit $?" >&2; } | head -n 1 >/dev/null';
    const ran = await run('/bin/sh', ['-c', script, path.join(toyPlugin, 'bin/holdfast')], scene.root, {
      env: scene.env,
    });
    expect(ran.stderr).toBe('exit 0\n');
  });
});
