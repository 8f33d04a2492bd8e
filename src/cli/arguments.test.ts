import { describe, expect, it, test } from 'vitest';
import { type Command, WrongUsage } from '../engine/workflow-cli.ts';
import { parseCommandLine, usageOf } from './arguments.ts';

const command: Command = {
  name: 'plan',
  summary: 'plan something',
  usage: '[--rounds N] [--json] [topic]',
  options: { rounds: { type: 'string' }, json: { type: 'boolean' } },
  writes: true,
  words: { least: 0, most: 3 },
  run: () => 0,
};

const parse = (...args: string[]) => {
  const { flags, words } = parseCommandLine(args, command, 'claudex plan');
  return { flags: { ...flags }, words };
};

describe('a command line', () => {
  const rows: readonly [string, string[], Record<string, string | boolean>, string[]][] = [
    ['is empty', [], {}, []],
    [
      'has flags first, then words',
      ['--json', '--rounds', '3', 'a', 'b'],
      { json: true, rounds: '3' },
      ['a', 'b'],
    ],
    ['has a value after =', ['--rounds=3', 'a'], { rounds: '3' }, ['a']],
    ['has an empty value', ['--rounds=', 'a'], { rounds: '' }, ['a']],
    ['has a value with = in it', ['--rounds=a=b'], { rounds: 'a=b' }, []],
    ['has a value that begins with a dash, after =', ['--rounds=-1'], { rounds: '-1' }, []],
    ['has a value below zero', ['--rounds', '-1', 'a'], { rounds: '-1' }, ['a']],
    ['has a fraction below zero', ['--json', '--rounds', '-.5'], { json: true, rounds: '-.5' }, []],
    ['has a number below zero as a word, after --', ['--json', '--', '-1'], { json: true }, ['-1']],
    ['names a flag twice: the last counts', ['--rounds', '1', '--rounds=2'], { rounds: '2' }, []],
    ['has flags after a word: they are words', ['a', '--json', '--rounds'], {}, ['a', '--json', '--rounds']],
    ['ends its flags with --', ['--json', '--', '--rounds', '-x'], { json: true }, ['--rounds', '-x']],
    ['has a topic that is a flag of ours, after --', ['--', '--json'], {}, ['--json']],
    ['has -- as a word after --', ['--', '--', 'a'], {}, ['--', 'a']],
    ['has -- after a word: it is a word', ['a', '--', 'b'], {}, ['a', '--', 'b']],
    ['has a single dash: it is a word', ['-', '--json'], {}, ['-', '--json']],
    ['has an empty word', ['', 'a'], {}, ['', 'a']],
    ['has words with spaces and line ends in them', ['a b\nc'], {}, ['a b\nc']],
    ['has a value that looks like a word', ['--rounds', 'a', 'b'], { rounds: 'a' }, ['b']],
  ];

  test.each(rows)('%s', (_, args, flags, words) => {
    expect(parse(...args)).toEqual({ flags, words });
  });
});

describe('wrong usage', () => {
  const usage = 'Usage: holdfast claudex plan [--rounds N] [--json] [topic]';

  test.each([
    [['--bogus'], "Unknown option '--bogus'"],
    [['--bogus', 'a'], "Unknown option '--bogus'"],
    [['--bo.gus'], "Unknown option '--bo.gus'"],
    [['--bogus=1'], "Unknown option '--bogus'"],
    [['-x'], "Unknown option '-x'"],
    [['-1'], "Unknown option '-1'"],
    [['--json', '-1'], "Unknown option '-1'"],
    [['--rounds', '-x'], "Option '--rounds' argument is ambiguous"],
    [['--constructor'], "Unknown option '--constructor'"],
    [['--__proto__', 'a'], "Unknown option '--__proto__'"],
    [['--rounds'], "Option '--rounds <value>' argument missing"],
    [['--rounds', '--json'], "Option '--rounds' argument is ambiguous"],
    [['--rounds', '--', 'a'], "Option '--rounds' argument is ambiguous"],
    [['--json=yes'], "Option '--json' does not take an argument"],
    [['a', 'b', 'c', 'd'], '"d" is one word too many'],
    [['--', 'a', 'b', 'c', '--json'], '"--json" is one word too many'],
  ])('%j says what is wrong and what is right', (args, what) => {
    expect(() => parse(...args)).toThrow(WrongUsage);
    expect(() => parse(...args)).toThrow(`claudex plan: ${what}. ${usage}`);
  });

  it('is a word too few', () => {
    const needy = { ...command, words: { least: 1, most: 1 } };

    expect(() => parseCommandLine(['--json'], needy, 'claudex plan')).toThrow(
      `claudex plan: something is missing. ${usage}`,
    );
    expect(() => parseCommandLine(['--'], needy, 'claudex plan')).toThrow('something is missing');
    expect(parseCommandLine([''], needy, 'claudex plan').words).toEqual(['']);
  });

  it('is reported in one line', () => {
    for (const args of [['--rounds', '--json'], ['--bogus'], ['--rounds']])
      expect(() => parse(...args)).toThrow(/^[^\n]+$/);
  });
});

describe('the usage', () => {
  it('names the command, and nothing more for one that takes nothing', () => {
    expect(usageOf({ ...command, usage: '' }, 'status')).toBe('Usage: holdfast status');
  });
});
