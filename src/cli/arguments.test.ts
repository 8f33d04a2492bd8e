import { describe, expect, it } from 'vitest';
import { type Command, WrongUsage } from '../engine/workflow-cli.ts';
import { parseCommandLine, usageOf } from './arguments.ts';

const command: Command = {
  name: 'plan',
  summary: 'plan something',
  usage: '[--rounds N] [--json] [--check NAME]… <topic>',
  options: {
    rounds: { type: 'string' },
    json: { type: 'boolean', short: 'j' },
    check: { type: 'string', multiple: true },
  },
  writes: true,
  words: { least: 0, most: 4 },
  run: () => 0,
};

const parse = (args: readonly string[], over: Partial<Command> = {}) =>
  parseCommandLine(args, { ...command, ...over }, 'claudex plan');

describe('a command line', () => {
  it.each<[string, string[], object, string[]]>([
    ['is empty', [], {}, []],
    ['has options first', ['--json', '--rounds', '3', 'a', 'b'], { json: true, rounds: '3' }, ['a', 'b']],
    [
      'has options after its words',
      ['a', 'b', '--rounds', '3', '--json'],
      { json: true, rounds: '3' },
      ['a', 'b'],
    ],
    ['has options among its words', ['a', '--rounds=3', 'b'], { rounds: '3' }, ['a', 'b']],
    ['has a short option', ['a', '-j'], { json: true }, ['a']],
    ['has an empty value', ['--rounds=', 'a'], { rounds: '' }, ['a']],
    ['has a value with = in it', ['--rounds=a=b'], { rounds: 'a=b' }, []],
    ['has a value with blanks in it', ['--rounds=a b', '--rounds', 'c d'], { rounds: 'c d' }, []],
    ['has a value that begins with a dash, after =', ['--rounds=-x'], { rounds: '-x' }, []],
    ['has a value below zero', ['--rounds', '-.5', 'a'], { rounds: '-.5' }, ['a']],
    ['names an option twice: the last counts', ['--rounds', '1', '--rounds=2'], { rounds: '2' }, []],
    ['names one that may be repeated', ['--check', 'a', 'x', '--check=b'], { check: ['a', 'b'] }, ['x']],
    ['has a text in one argument', ['--rounds 3 --bogus'], {}, ['--rounds 3 --bogus']],
    ['has a line that begins with an option', ['--json\n'], {}, ['--json\n']],
    ['ends its options with --', ['--json', '--', '--rounds', '-x'], { json: true }, ['--rounds', '-x']],
    ['has -- after a word', ['a', '--', '--json', '--'], {}, ['a', '--json', '--']],
    ['has a single dash, and an empty word', ['-', '', '--json'], { json: true }, ['-', '']],
    ['has a dash of the text’s own', ['use', '-Wall', '-1'], {}, ['use', '-Wall', '-1']],
  ])('%s', (_, args, flags, words) => {
    expect(parse(args)).toMatchObject({ flags, words });
    expect(Object.keys(parse(args).flags)).toEqual(expect.arrayContaining(Object.keys(flags)));
  });

  it('of a start never has an option in an argument with a blank', () => {
    expect(parse(['--rounds=3 rounds are enough'], { starts: true })).toMatchObject({
      flags: {},
      words: ['--rounds=3 rounds are enough'],
    });
  });

  it('tells which options stood among the words of its text', () => {
    expect(parse(['--json', 'a', '--rounds', '3', 'b', '--check=x']).amongWords).toEqual([
      '--rounds 3',
      '--check=x',
    ]);
    expect(parse(['name', '--json', 'a', '--rounds=1'], { words: { least: 1, most: 9 } }).amongWords).toEqual(
      ['--rounds=1'],
    );
  });
});

describe('wrong usage', () => {
  const usage = 'Usage: holdfast claudex plan [--rounds N] [--json] [--check NAME]… <topic>';
  const inText = 'Where it belongs to the text, quote the text as a whole, or put -- before it.';

  it.each([
    [['--round', '3'], `there is no option --round (did you mean "--rounds"?). ${inText}`],
    [['a', '--jsno'], `there is no option --jsno (did you mean "--json"?). ${inText}`],
    [['a', '--bogus=1'], `there is no option --bogus. ${inText}`],
    [['-x'], `there is no option -x. ${inText}`],
    [['--constructor'], `there is no option --constructor. ${inText}`],
    [['--rounds', '-x'], '--rounds needs a value; one that begins with a dash is written --rounds=-x.'],
    [['--rounds', '--', 'a'], '--rounds needs a value; one that begins with a dash is written --rounds=--.'],
    [['a', '--rounds'], '--rounds needs a value after it.'],
    [['--json=yes'], '--json takes no value.'],
    [['a', 'b', 'c', 'd', 'e'], '"e" is one word too many.'],
    [['--', 'a', 'b', 'c', 'd', '--json'], '"--json" is one word too many.'],
  ])('%j says what is wrong and what is right', (args, what) => {
    expect(() => parse(args)).toThrow(new WrongUsage(`claudex plan: ${what} ${usage}`));
  });

  it('names what is missing', () => {
    const needy = { words: { least: 1, most: 1 } };

    expect(() => parse(['--json'], needy)).toThrow(`claudex plan: <topic> is missing. ${usage}`);
    expect(parse([''], needy).words).toEqual(['']);
  });
});

describe('the usage', () => {
  it('names the command, and nothing more for one that takes nothing', () => {
    expect(usageOf({ ...command, usage: '' }, 'status')).toBe('Usage: holdfast status');
  });
});
