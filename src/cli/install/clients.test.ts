import { describe, expect, it } from 'vitest';
import { WrongUsage } from '../../engine/workflow-cli.ts';
import { chosenClients, clientWords, installable, inWords, titlesOf } from './clients.ts';

describe('which clients are meant', () => {
  it('is all of them, and one that is missing is a failure where they were asked for', () => {
    expect(chosenClients({})).toEqual({ clients: installable, all: true, asked: false });
    expect(chosenClients({ client: 'all' })).toEqual({ clients: installable, all: true, asked: true });
  });

  it.each(['claude', 'claude-code'])('is the one that is named, by its program or its name: %s', (client) => {
    const { clients, ...rest } = chosenClients({ client });
    expect(clients.map(({ name }) => name)).toEqual(['claude-code']);
    expect(rest).toEqual({ all: false, asked: true });
  });

  it('is refused where there is none of that name', () => {
    expect(() => chosenClients({ client: 'nano' })).toThrow(
      new WrongUsage('--client is claude, codex, copilot, qwen, droid, gemini, opencode or all, not "nano".'),
    );
  });

  it('can be said in these words', () => {
    expect(clientWords).toEqual([
      ...['claude', 'codex', 'copilot', 'qwen', 'droid', 'gemini', 'opencode', 'all'],
    ]);
  });
});

it.each([
  [[], 'and', ''],
  [['a'], 'and', 'a'],
  [['a', 'b'], 'or', 'a or b'],
  [['a', 'b', 'c'], 'and', 'a, b and c'],
] as const)('%j in words', (list, word, text) => {
  expect(inWords(list, word)).toBe(text);
});

it('titles are joined with "and" unless another word is given', () => {
  const some = installable.slice(0, 2);
  expect([titlesOf(some), titlesOf(some, 'or')]).toEqual(['Claude Code and Codex', 'Claude Code or Codex']);
});
