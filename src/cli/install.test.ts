import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder } from '../../test/support/bare-project.ts';
import { callIn } from '../../test/support/call.ts';
import { ownFolder } from '../clients/install/marketplace.ts';
import { ClientFailed } from '../clients/install/program.ts';
import type { FoundClient, Installer, Outcome } from '../clients/installer.ts';
import type { Call } from '../engine/workflow-cli.ts';
import { cliCommand } from '../hook/runtime.ts';
import type { Environment } from '../store/environment.ts';
import { type InstallableClient, installable } from './install/clients.ts';
import { install, notFound, orWhyNot } from './install.ts';

describe('clients that are not there', () => {
  const some = installable.filter(({ name }) => ['claude-code', 'codex'].includes(name));

  it('are named in one line', () => {
    expect(notFound([])).toEqual([]);
    expect(notFound(some.slice(0, 1))).toEqual(['Claude Code: not found; there is no `claude` on PATH.']);
    expect(notFound(some)).toEqual([
      'Claude Code and Codex: not found; there is no `claude` or `codex` on PATH.',
    ]);
  });
});

describe('what a client could not do', () => {
  it('is a line of its own, and keeps no other from being served', async () => {
    const done = { good: true, changed: true, lines: ['done'] };
    expect(await orWhyNot('Codex', async () => done)).toBe(done);
    expect(await orWhyNot('Codex', async () => null)).toBeNull();
    expect(
      await orWhyNot('Codex', async () => {
        throw new ClientFailed('it refused');
      }),
    ).toEqual({ good: false, changed: false, lines: ['Codex: it refused'] });
  });

  it('is passed on where it is an error of our own', async () => {
    const wrong = new TypeError('of our own');
    await expect(
      orWhyNot('Codex', async () => {
        throw wrong;
      }),
    ).rejects.toBe(wrong);
  });
});

describe('holdfast install', () => {
  const [claude, codex] = ['claude-code', 'codex'].map((wanted) => {
    const found = installable.find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(wanted);
    return found;
  }) as [InstallableClient, InstallableClient];
  const others = (...there: InstallableClient[]): string =>
    notFound(installable.filter((client) => !there.includes(client)))[0] ?? '';

  let folder: string;
  let env: Environment;
  let given: unknown[][];
  beforeEach(() => {
    folder = path.dirname(emptyFolder());
    env = { HOME: path.join(folder, 'home'), PATH: path.join(folder, 'home/.local/bin') };
    given = [];
  });
  afterEach(() => vi.restoreAllMocks());

  const at = (...names: string[]): string => path.join(folder, ...names);
  function marketplace(name = 'dist'): string {
    const write = (file: string, content: object): void => {
      fs.mkdirSync(path.dirname(at(name, file)), { recursive: true });
      fs.writeFileSync(at(name, file), JSON.stringify(content));
    };
    write('.claude-plugin/marketplace.json', {
      name: 'holdfast',
      plugins: ['holdfast', 'idle', 'flow'].map((plugin) => ({ name: plugin })),
    });
    write('holdfast/.claude-plugin/plugin.json', { version: '1.2.3' });
    return at(name);
  }

  const done: Outcome = { good: true, changed: true, lines: ['installed'] };
  const client = (over: Partial<FoundClient> & { says?: Outcome } = {}): Installer['look'] => {
    const { says = done, ...more } = over;
    return async () => ({
      ...{ source: null, hasPlugins: false },
      install: async (...words) => {
        given.push(words);
        return says;
      },
      uninstall: async () => done,
      check: async () => [],
      ...more,
    });
  };
  const fails: Installer['look'] = async () => {
    throw new ClientFailed('will not say what is installed');
  };

  async function installed(
    looks: readonly (readonly [InstallableClient, Installer['look']])[],
    flags: Call['flags'] = {},
  ): Promise<string[]> {
    for (const each of installable) {
      const look = looks.find(([which]) => which === each)?.[1] ?? (async () => null);
      vi.spyOn(each.install, 'load').mockResolvedValue({ look });
    }
    const { call, printed } = callIn(at('project'), { flags, env });
    try {
      return [String(await install.run(call)), ...printed];
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return [error.name, error.message, ...printed];
    }
  }

  const node = () =>
    `The hooks will use ${process.execPath} (recorded in ${at('home/.config/holdfast/node')}).`;
  const command = () => `The command \`holdfast\` is ${at('home/.local/bin/holdfast')}.`;
  const AGAIN = 'Sessions that are open now get it when they are started again.';
  const NEXT =
    'Next, in a project: `holdfast init`; then in your client: /idle:loop Make the failing tests pass';

  it('asks each client that is there, and says what came of it, what is missing and what it wrote itself', async () => {
    const source = marketplace();
    expect(
      await installed([
        [claude, client({ source })],
        [codex, client({ says: { good: true, changed: false, lines: ['was there'] } })],
      ]),
    ).toEqual(['0', 'installed', 'was there', others(claude, codex), node(), command(), AGAIN, NEXT]);
    const wishes = {
      source: { folder: source, version: '1.2.3', workflows: ['idle', 'flow'] },
      ...{ plugins: ['holdfast', 'idle', 'flow'], scope: 'user', cwd: at('project') },
    };
    const how = { cwd: at('project'), env, cli: cliCommand(), trust: false, dryRun: false };
    expect(given).toEqual([
      [wishes, how],
      [wishes, how],
    ]);
    expect(fs.readFileSync(at('home/.config/holdfast/node'), 'utf8')).toBe(`${process.execPath}\n`);
    expect(fs.existsSync(at('home/.local/bin/holdfast'))).toBe(true);
  });

  it('says nothing of sessions where nothing changed, nor of what it wrote before', async () => {
    const looks = [
      [claude, client({ source: marketplace(), says: { good: true, changed: false, lines: ['was there'] } })],
    ] as const;
    await installed(looks);
    expect(await installed(looks)).toEqual(['0', 'was there', others(claude)]);
  });

  it('with --dry-run says what it would do, and writes nothing', async () => {
    const source = marketplace();
    expect(await installed([[claude, client({ source })]], { 'dry-run': true, trust: true })).toEqual([
      '0',
      'installed',
      others(claude),
      `${at('home/.config/holdfast/node')} would name ${process.execPath}.`,
      `${at('home/.local/bin/holdfast')} would be the command \`holdfast\`.`,
    ]);
    expect(given).toMatchObject([[{}, { trust: true, dryRun: true }]]);
    expect(fs.existsSync(at('home'))).toBe(false);
    await installed([[claude, client({ source })]]);
    expect(await installed([[claude, client({ source })]], { 'dry-run': true })).toEqual([
      '0',
      'installed',
      others(claude),
    ]);
  });

  it('ends with 1 where a client is not as it was wanted, or was asked for and is not there', async () => {
    const source = marketplace();
    const bad: Outcome = { good: false, changed: false, lines: ['refused'] };
    const [code, ...lines] = await installed([
      [claude, client({ source })],
      [codex, client({ says: bad })],
    ]);
    expect([code, ...lines.slice(0, 2)]).toEqual(['1', 'installed', 'refused']);
    expect((await installed([[claude, client({ source })]], { client: 'all' }))[0]).toBe('1');
    expect((await installed([[claude, client({ source })]], { client: 'claude' }))[0]).toBe('0');
  });

  it('serves the others where a client will not say what is installed, and ends with 1', async () => {
    expect(
      (
        await installed([
          [claude, client({ source: marketplace() })],
          [codex, fails],
        ])
      ).slice(0, 4),
    ).toEqual(['1', 'installed', 'Codex: will not say what is installed', others(claude, codex)]);
  });

  it('is refused where there is no client, or none that says what is installed', async () => {
    expect(await installed([])).toEqual([
      'NotNow',
      `${others()} Install one, or put it on PATH, and run this again.`,
    ]);
    expect(await installed([[codex, fails]])).toEqual([
      'NotNow',
      `Codex: will not say what is installed ${others(codex)}`,
    ]);
    expect(await installed([[codex, fails]], { client: 'codex' })).toEqual([
      'NotNow',
      'Codex: will not say what is installed',
    ]);
  });

  it('passes an error of our own on', async () => {
    const wrong: Installer['look'] = async () => {
      throw new TypeError('of our own');
    };
    expect(await installed([[claude, wrong]])).toEqual(['TypeError', 'of our own']);
  });

  it('takes the first marketplace that a client remembers, and is refused without one', async () => {
    const refusal = `${ownFolder()} is no marketplace to install from. Run \`holdfast install\` from the package or checkout Holdfast came in.`;
    expect(await installed([[claude, client()]])).toEqual(['NotNow', refusal]);
    expect(await installed([[claude, client({ source: at('gone') })]])).toEqual(['NotNow', refusal]);
    await installed([
      [claude, client({ source: at('gone') })],
      [codex, client({ source: marketplace('second') })],
    ]);
    expect(given).toMatchObject([
      [{ source: { folder: at('second') } }, {}],
      [{ source: { folder: at('second') } }, {}],
    ]);
  });

  it('says where the folder that the clients load may be cleared', async () => {
    const source = marketplace('_npx/dist');
    expect(await installed([[claude, client({ source })]])).toEqual([
      ...['0', 'installed', others(claude), node(), command()],
      `The clients load ${source}, which npm may clear; \`npm install -g holdfast\` gives it a lasting place.`,
      ...[AGAIN, NEXT],
    ]);
  });

  it('for a project leaves those alone that install for all of them', async () => {
    const source = marketplace();
    expect(
      (
        await installed(
          [
            [claude, client({ source })],
            [codex, client()],
          ],
          { scope: 'project', workflow: ['flow'] },
        )
      ).slice(0, 3),
    ).toEqual(['0', 'installed', 'Codex: left alone; it installs for all projects, not for one.']);
    expect(given).toMatchObject([[{ scope: 'project', plugins: ['holdfast', 'flow'] }, {}]]);
    const was: Outcome = { good: true, changed: false, lines: ['there'] };
    const unchanged = [
      [claude, client({ source, says: was })],
      [codex, client()],
    ] as const;
    expect(await installed(unchanged, { scope: 'project' })).not.toContain(AGAIN);
    expect(await installed([[codex, client()]], { scope: 'project', client: 'codex' })).toEqual([
      'WrongUsage',
      'Codex installs plugins for all projects of a user; leave out --scope project.',
    ]);
  });

  it('with --status-line shows the runs where the client has such a line', async () => {
    const source = marketplace();
    const shown: unknown[] = [];
    const statusLine = (how: unknown): Outcome => {
      shown.push(how);
      return { good: false, changed: true, lines: ['the line is taken'] };
    };
    const looks = [
      [claude, client({ source, statusLine, says: { good: true, changed: false, lines: ['there'] } })],
      [codex, client({ says: { good: true, changed: false, lines: ['there too'] } })],
    ] as const;
    expect(await installed(looks, { 'status-line': true })).toEqual([
      ...['1', 'there', 'there too', 'the line is taken'],
      'Codex: it runs no command for its status line, so none was set there.',
      ...[others(claude, codex), node(), command(), AGAIN, NEXT],
    ]);
    expect(shown).toEqual([{ cwd: at('project'), env, cli: cliCommand(), dryRun: false }]);
    await installed(looks, { 'status-line': true, 'dry-run': true });
    expect(shown[1]).toMatchObject({ dryRun: true });
    const was: Outcome = { good: true, changed: false, lines: ['there too'] };
    const alone = [[codex, client({ source, says: was })]] as const;
    expect(await installed(alone, { 'status-line': true, client: 'codex' })).toEqual([
      ...['0', 'there too', 'Codex: it runs no command for its status line, so none was set there.'],
    ]);
  });
});
