import { describe, expect, test } from 'vitest';
import type { StartHow } from '../../headless.ts';
import { call } from './command.ts';
import { permissionsFor } from './permissions.ts';

const how: StartHow = {
  ...{ root: '/p', env: {}, session: null, resume: null, prompt: 'go', access: 'edit' },
  ...{ allowed: [], model: null, args: [] },
};

describe('the command line of opencode', () => {
  test('edit takes no flag, full is said by one', () => {
    expect(call(how)).toEqual({ args: ['run', '--format', 'json'], input: 'go' });
    expect(call({ ...how, access: 'full' }).args).toContain('--auto');
  });

  test("a session that is gone on with is named, and the user's own words come last", () => {
    const { args } = call({ ...how, resume: 'ses_1', model: 'p/m', args: ['--agent', 'x'] });
    expect(args).toEqual([
      ...['run', '--format', 'json', '--session', 'ses_1', '--model', 'p/m', '--agent', 'x'],
    ]);
  });

  test('a skill is given by its flag, with what follows it as it is', () => {
    const made = call({ ...how, prompt: '/taskie:new-plan A "thing",\n  in lines' });
    expect(made.args.slice(-2)).toEqual(['--command', 'taskie:new-plan']);
    expect(made.input).toBe('A "thing",\n  in lines');
    expect(call({ ...how, prompt: '/taskie:continue-plan' }).input).toBe('');
    expect(call({ ...how, prompt: '/usr/bin is a folder' })).toMatchObject({ input: '/usr/bin is a folder' });
  });
});

describe('what edit allows', () => {
  /** As opencode does it: the last rule that fits counts, and a star stands for anything. */
  const decides = (rules: Record<string, string>, name: string): string | undefined =>
    Object.entries(rules)
      .filter(([pattern]) =>
        new RegExp(`^${pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's').test(
          name,
        ),
      )
      .at(-1)?.[1];
  const rules = JSON.parse(permissionsFor(['npm test', "'/a b/holdfast'", 'a * b', '']));

  test.each([
    ['npm test', 'allow'],
    ['npm test -- --watch', 'allow'],
    ["'/a b/holdfast' ask x", 'allow'],
    ['npm tests', 'deny'],
    ['npm test > /x', 'deny'],
    ['a x b', 'deny'],
    ['rm -r .', 'deny'],
  ])('the command %j: %s', (command, decision) => {
    expect(decides(rules.bash, command)).toBe(decision);
  });

  test.each([
    ['src/a.ts', 'allow'],
    ['.gitignore', 'allow'],
    ['.git/config', 'deny'],
    ['.git', 'deny'],
    ['sub/.git', 'deny'],
    ['sub/.git/hooks/x', 'deny'],
    ['.opencode/plugins/x.js', 'deny'],
    ['opencode.json', 'deny'],
    ['sub/opencode.jsonc', 'deny'],
  ])('an edit of %s: %s', (file, decision) => {
    expect(decides(rules.edit, file)).toBe(decision);
  });

  test('no other folder, no page, and no tool of another server', () => {
    expect(rules).toMatchObject({ external_directory: 'deny', webfetch: 'deny', '*_*': 'deny' });
    expect(Object.keys(rules).indexOf('*_*')).toBeLessThan(Object.keys(rules).indexOf('doom_loop'));
  });
});
