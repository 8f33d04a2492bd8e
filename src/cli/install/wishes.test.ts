import { describe, expect, it } from 'vitest';
import { clientNamed } from '../../clients/index.ts';
import type { Marketplace } from '../../clients/install/marketplace.ts';
import { type Call, WrongUsage } from '../../engine/workflow-cli.ts';
import { chosenClients, clientWords, installable, inWords, titlesOf } from './clients.ts';
import { chosenPlugins, chosenScope } from './wishes.ts';

it('the scope is the user’s or the project’s, or was not named', () => {
  expect(chosenScope({})).toBeNull();
  expect(chosenScope({ scope: 'user' })).toBe('user');
  expect(chosenScope({ scope: 'project' })).toBe('project');
  for (const scope of ['', 'all'])
    expect(() => chosenScope({ scope })).toThrow(
      new WrongUsage(`--scope is user or project, not "${scope}".`),
    );
});

describe('the plugins', () => {
  const market = { workflows: ['claudex', 'idle', 'taskie'] } as unknown as Marketplace;
  it.each<[Call['flags'], string[]]>([
    [{}, ['holdfast', 'claudex', 'idle', 'taskie']],
    [{ workflow: [] }, ['holdfast', 'claudex', 'idle', 'taskie']],
    [{ workflow: 'idle' }, ['holdfast', 'idle']],
    [{ workflow: ['taskie', 'claudex'] }, ['holdfast', 'claudex', 'taskie']],
    [{ workflow: ['taskie,idle'] }, ['holdfast', 'idle', 'taskie']],
  ])('are the core and those that are named: %j', (flags, plugins) => {
    expect(chosenPlugins(flags, market)).toEqual(plugins);
  });

  it.each<[Call['flags'], string]>([
    [{ workflow: ['nothing'] }, 'nothing'],
    [{ workflow: ['idle,'] }, ''],
    [{ workflow: 'idle,other' }, 'other'],
  ])('are refused where there is no such one: %j', (flags, name) => {
    expect(() => chosenPlugins(flags, market)).toThrow(
      new WrongUsage(`there is no workflow "${name}". There are: claudex, idle, taskie.`),
    );
  });
});

describe('the clients', () => {
  it('are all that can be installed in, or the one that is named by its program or its name', () => {
    expect(chosenClients({})).toEqual({ clients: installable, all: true, asked: false });
    expect(chosenClients({ client: 'all' })).toEqual({ clients: installable, all: true, asked: true });
    for (const client of ['claude', 'claude-code']) {
      const { clients, ...rest } = chosenClients({ client });
      expect(clients.map(({ name }) => name)).toEqual(['claude-code']);
      expect(rest).toEqual({ all: false, asked: true });
    }
  });

  it('are refused where there is no such one', () => {
    expect(clientWords.at(-1)).toBe('all');
    expect(() => chosenClients({ client: 'vi' })).toThrow(
      new WrongUsage(`--client is ${clientWords.slice(0, -1).join(', ')} or all, not "vi".`),
    );
  });

  it('are named in words', () => {
    const list = ['claude-code', 'codex', 'qwen'].map((name) => clientNamed(name));
    expect(titlesOf(list)).toBe('Claude Code, Codex and Qwen Code');
    expect(titlesOf(list, 'or')).toBe('Claude Code, Codex or Qwen Code');
    expect(titlesOf([])).toBe('');
    expect(inWords(['a'], 'and')).toBe('a');
    expect(inWords(['a', 'b'], 'or')).toBe('a or b');
  });
});
