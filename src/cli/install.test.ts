import { describe, expect, it } from 'vitest';
import { ClientFailed } from '../clients/install/program.ts';
import { installable } from './install/clients.ts';
import { notFound, orWhyNot } from './install.ts';

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
