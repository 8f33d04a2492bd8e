import { afterEach, describe, expect, it, vi } from 'vitest';
import { emptyFolder } from '../../../test/support/bare-project.ts';
import { callIn } from '../../../test/support/call.ts';
import type { ClientFinding, FoundClient, Surroundings } from '../../clients/installer.ts';
import { cliCommand } from '../../hook/runtime.ts';
import { fair, good } from '../finding.ts';
import { checkClients } from './client-checks.ts';
import { installable, titlesOf } from './clients.ts';

afterEach(() => vi.restoreAllMocks());

type Look = () => Promise<Pick<FoundClient, 'check'> | null>;

/** What each client says, by its name; the others are not on PATH. */
function clientsSay(looks: Readonly<Record<string, Look>>): { cwds: string[] } {
  const cwds: string[] = [];
  for (const { name, install } of installable)
    vi.spyOn(install, 'load').mockResolvedValue({
      look: async (cwd) => {
        cwds.push(cwd);
        const found = await (looks[name]?.() ?? null);
        return found as FoundClient | null;
      },
    });
  return { cwds };
}

const finds =
  (...findings: ClientFinding[]): Look =>
  async () => ({ check: async () => findings });
const checked = () => checkClients(callIn(emptyFolder()).call);

const absent: ClientFinding = { result: 'bad', what: 'not installed', fix: 'install it', absent: true };
const without = (...names: string[]): string =>
  titlesOf(installable.filter(({ name }) => !names.includes(name)));

describe('what doctor says of the clients', () => {
  it('is one line for all that are not on PATH', async () => {
    clientsSay({});
    expect(await checked()).toEqual([fair(`${without()} are not on PATH`)]);
    const all = installable.map(({ name }) => [name, finds(good('fine'))] as const);
    clientsSay(Object.fromEntries(all.slice(1)));
    expect(await checked()).toEqual([
      ...all.slice(1).map(() => good('fine')),
      fair(`${installable[0]?.title} is not on PATH`),
    ]);
    clientsSay(Object.fromEntries(all));
    expect(await checked()).toEqual(all.map(() => good('fine')));
  });

  it('is what each of them found, in their order, asked for where the command is run', async () => {
    const root = emptyFolder();
    const { call } = callIn(root);
    const given: Surroundings[] = [];
    const { cwds } = clientsSay({
      codex: finds(good('codex'), fair('more', 'do it')),
      'claude-code': async () => ({
        check: async (here) => {
          given.push(here);
          return [good('claude')];
        },
      }),
    });
    expect(await checkClients(call)).toEqual([
      good('claude'),
      good('codex'),
      fair('more', 'do it'),
      fair(`${without('claude-code', 'codex')} are not on PATH`),
    ]);
    expect(given).toEqual([{ cwd: root, env: call.env, cli: cliCommand() }]);
    expect(new Set(cwds)).toEqual(new Set([root]));
  });

  it('fails where it is installed in none of them', async () => {
    clientsSay({ codex: finds(absent), 'claude-code': finds(absent) });
    expect((await checked()).slice(0, 2)).toEqual([
      { result: 'bad', what: 'not installed', fix: 'install it' },
      { result: 'bad', what: 'not installed', fix: 'install it' },
    ]);
  });

  it('only notes it where it is installed in another; what is broken there stays so', async () => {
    const broken: ClientFinding = { result: 'bad', what: 'broken', fix: 'fix it' };
    const old: ClientFinding = { result: 'good', what: 'nothing to do', fix: null, absent: true };
    clientsSay({ codex: finds(absent, old), 'claude-code': finds(broken) });
    expect((await checked()).slice(0, 3)).toEqual([
      broken,
      { result: 'fair', what: 'not installed', fix: 'install it' },
      { result: 'good', what: 'nothing to do', fix: null },
    ]);
  });

  it('says of one that could not be asked why', async () => {
    clientsSay({
      codex: async () => {
        throw new Error('codex will not say');
      },
      'claude-code': async () => ({
        check: async () => {
          throw new Error('no settings');
        },
      }),
    });
    expect(await checked()).toEqual([
      fair('Claude Code: what is installed could not be read: no settings'),
      fair('Codex: what is installed could not be read: codex will not say'),
      fair(`${without('claude-code', 'codex')} are not on PATH`),
    ]);
  });
});
