// From an empty config to a proven run, and everything that must not happen on the way (docs/contracts/proof.md): each
// once, through the built files and real processes.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMPLETE, newUser, type User } from './user.ts';

const RED = 'grep -q fixed code.txt || { echo expected 3 to be 4; exit 7; }';

/** A project whose one check wants `fixed` in its code, trusted by a person. */
async function trustedUser(script = RED, more: object = {}): Promise<User> {
  const user = newUser();
  user.config({ checks: user.check('test', script), ...more });
  user.commit();
  const { stdout } = await user.person('yes');
  expect(stdout).toContain('Trusted: test.');
  return user;
}

describe('the whole way', () => {
  it('of a red check: refused with its lines, then proven', async () => {
    const user = newUser();
    user.config({ checks: { ...user.check('test', RED), types: { run: ['true'] } } });
    user.commit();
    // Before there is trust every command says so, and nothing runs.
    const untrusted = await user.terminal('check');
    expect(untrusted.exitCode).toBe(1);
    expect(untrusted.stdout).toContain('not run: `holdfast trust` asks you whether it may');
    expect((await user.terminal('doctor')).stdout).toContain('the check test is not trusted');
    expect((await user.agent('trust')).stderr).toContain('only a person can say what is trusted');
    expect(user.ran('test')).toBe(0);
    expect((await user.person('yes')).stdout).toContain('Trusted: test, types.');
    expect((await user.terminal('trust', '--list')).stdout).toContain('types (trusted)  true');
    expect((await user.terminal('doctor')).stdout).toContain('the check types is trusted and required here');
    const started = await user.starts('--max', '9');
    expect(started).toContain('this is run and must pass: test (echo ran');
    expect(started).not.toContain('Unproven');
    expect((await user.terminal('status')).stdout).toContain('checks test, types');
    const first = await user.stop(COMPLETE);
    expect(first.decision).toBe('block');
    expect(first.reason).toMatch(/^Not done yet: 1 of 2 checks failed/);
    expect(first.reason).toContain('test: exit code 7');
    expect(first.reason).toContain('    expected 3 to be 4');
    expect(first.reason).toContain('[ITERATION 1/9]');
    expect(first.systemMessage).toContain('these commands were trusted here since the last notice: test and');
    expect(user.read('.holdfast/checks/test.log')).toBe('expected 3 to be 4\n');
    expect(await user.why()).toMatch(/claim was refused.*Checks: test failed \(exit code 7/s);
    expect((await user.terminal('status')).stdout).toContain('claim refused once');
    // The agent's own look counts for nothing.
    user.write('code.txt', 'fixed\n');
    const own = await user.agent('check');
    expect(own.exitCode).toBe(0);
    expect(own.stdout).toContain('run by an agent it proves nothing');
    const third = await user.stop(COMPLETE);
    expect(third.decision).toBeUndefined();
    expect(third.systemMessage).toMatch(/^Holdfast: done and proven: test \(.*\) and types/);
    expect(await user.end()).toMatchObject({ outcome: 'completed', proof: 'proven' });
    expect(await user.why()).toContain('Proven: test passed');
    expect((await user.terminal('log')).stdout).toContain('done and proven');
    expect((await user.terminal('status', '--all')).stdout).toMatch(/idle:\S+ +done and proven/);
    for (const back of ['1', '2']) expect((await user.terminal('replay', back)).stdout).toContain('same');
  });

  it('of a project without checks proves nothing, and says so, whatever the user trusts elsewhere', async () => {
    const user = await trustedUser();
    const other = path.join(path.dirname(user.root), 'other');
    fs.mkdirSync(other);
    const plain = user.elsewhere(other);
    await plain.starts();
    expect((await plain.stop('Working.')).decision).toBe('block');
    const answer = await plain.stop(COMPLETE);
    expect(answer).toEqual({ systemMessage: expect.stringContaining('nothing proved it') });
    expect(await plain.end()).toMatchObject({ outcome: 'completed' });
    expect(await plain.end()).not.toHaveProperty('proof');
  });

  it('of a commit: nothing runs again for it', async () => {
    const user = await trustedUser('true');
    expect((await user.terminal('check')).stdout).toContain('Kept: a claim on these very files takes it');
    await user.starts();
    user.commit();
    expect((await user.stop(COMPLETE)).systemMessage).toContain('from its receipt');
    expect(user.ran('test')).toBe(1);
    expect(await user.end()).toMatchObject({ proof: 'proven' });
  });
});

describe('without trust', () => {
  it('nothing of the repository runs, and the run ends unproven', async () => {
    const user = newUser();
    user.config({ checks: user.check('test', 'true') });
    const started = await user.starts();
    const answer = await user.stop(COMPLETE);
    await user.terminal('check');
    await user.agent('check');
    expect(started).toMatch(/^Unproven from the start: the check test is not trusted/);
    expect(answer.decision).toBeUndefined();
    expect(answer.systemMessage).toMatch(/unproven\. Not trusted here, so not run: test\. .* trust`/);
    expect(user.ran('test')).toBe(0);
    expect(await user.end()).toMatchObject({ outcome: 'completed', proof: 'unproven', why: ['untrusted'] });
    expect((await user.terminal('status', '--all')).stdout).toContain('unproven (not trusted)');
  });

  it('given in time, before the first stop: it does not count either', async () => {
    const user = newUser();
    user.config({ checks: user.check('test', 'true') });
    await user.starts();
    await user.person('yes');
    await user.stop(COMPLETE);
    expect(user.ran('test')).toBe(0);
    expect(await user.end()).toMatchObject({ proof: 'unproven', why: ['untrusted'] });
  });

  it('any more: taken back while a run goes on, nothing runs and it ends unproven', async () => {
    const user = await trustedUser();
    await user.starts();
    await user.stop('Working.');
    expect((await user.agent('trust', '--revoke')).exitCode).not.toBe(0);
    expect((await user.terminal('trust', '--revoke')).stdout).toContain(
      'still requires them, and ends unproven',
    );
    await user.stop(COMPLETE);
    expect(user.ran('test')).toBe(0);
    expect(await user.end()).toMatchObject({ proof: 'unproven', why: ['untrusted'] });
    expect((await user.terminal('trust', '--list')).stdout).toContain('test (not trusted)');
  });
});

describe('an agent that works on the config', () => {
  it('after the first stop changes nothing in its run', async () => {
    const user = await trustedUser();
    await user.starts();
    await user.stop('Working.');
    user.config({ checks: { test: { run: 'true' } } });
    const answer = await user.stop(COMPLETE);
    expect(answer.reason).toContain('test: exit code 7');
    expect(user.ran('test')).toBe(1);
    user.write('code.txt', 'fixed\n');
    // It is named: our own config is always sealed.
    expect((await user.stop(COMPLETE)).systemMessage).toMatch(
      /proven.*\n.*holdfast\.config\.json \(changed\)/,
    );
  });

  it('before the start: the start says so, and nothing runs until a person trusts it again', async () => {
    const user = await trustedUser();
    user.config({ checks: user.check('test', 'true') });
    expect(await user.starts()).toMatch(
      /^Unproven from the start: the check test is not trusted as the config/,
    );
    await user.stop(COMPLETE);
    expect(user.ran('test')).toBe(0);
    expect(await user.end()).toMatchObject({ proof: 'unproven', why: ['untrusted'] });
    expect((await user.person('yes')).stdout).toContain('changed');
    expect(await user.starts()).not.toContain('Unproven');
    expect((await user.stop(COMPLETE)).systemMessage).toContain('done and proven: test');
  });
});

describe('a forged file in the project', () => {
  function forge(user: User, edit: (sidecar: Record<string, unknown>) => void): void {
    const folder = path.join(user.root, '.holdfast/runs');
    const [name = ''] = fs.readdirSync(folder);
    const sidecar = JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
    edit(sidecar);
    fs.writeFileSync(path.join(folder, name), JSON.stringify(sidecar));
  }

  it('that says the run had its first stop, and knows no checks: unproven', async () => {
    const user = await trustedUser();
    await user.starts();
    forge(user, (sidecar) => {
      delete sidecar.proof;
      sidecar.committed = { before: 'x', after: 'x' };
    });
    const answer = await user.stop(COMPLETE);
    expect(answer.systemMessage).toContain('unproven. What this run had to pass is not known');
    expect(await user.end()).toMatchObject({ outcome: 'completed', proof: 'unproven', why: ['not-pinned'] });
  });

  it('that knows no checks any more, after the first stop: the pin stands', async () => {
    const user = await trustedUser();
    await user.starts();
    await user.stop('Working.');
    forge(user, (sidecar) => {
      delete sidecar.proof;
    });
    expect((await user.stop(COMPLETE)).reason).toContain('test: exit code 7');
  });
});

describe('a red suite', () => {
  it('holds an agent that lies, whatever was red before the run, and lets it go when it is green', async () => {
    const user = await trustedUser();
    const before = await user.terminal('check');
    expect(before.exitCode).toBe(1);
    expect(before.stdout).toContain('A claim runs again what is red, and holds until it is green.');
    expect(await user.starts()).toContain('test was red just now, so this run ends when it is green.');
    user.write('code.txt', 'other work\n');
    const lie = await user.says(COMPLETE, true);
    expect(lie.reason).toContain('test: exit code 7');
    expect(lie.reason).toContain('Red before this run too: test. That is no excuse');
    expect(lie.reason).toContain('check --accept-red test`');
    expect(await user.why()).toContain('red before this run too');
    user.write('code.txt', 'fixed\n');
    expect((await user.says(COMPLETE, true)).systemMessage).toContain('done and proven: test');
  });

  it('runs again, but where this run’s own claim found it and no tool was called since', async () => {
    const user = await trustedUser();
    await user.terminal('check');
    await user.starts();
    const again = async (tool: boolean): Promise<[number, boolean]> => {
      const { reason = '' } = await user.says(COMPLETE, tool);
      return [user.ran('test'), reason.includes('nothing was run again')];
    };
    expect([await again(false), await again(false), await again(true), await again(false)]).toEqual([
      [2, false],
      [2, true],
      [3, false],
      [3, true],
    ]);
    // A client whose transcript tells nothing: it runs again.
    expect((await user.stop(COMPLETE)).reason).toContain('the check failed');
    expect(user.ran('test')).toBe(4);
  });

  it.each<[string, (user: User) => Promise<unknown>, string]>([
    ['at the start', (user) => user.starts('--accept-red', 'test'), '`--accept-red`'],
    [
      'by the user’s own config',
      async (user) => {
        user.ownConfig({ proof: { acceptRed: ['test'] } });
        await user.starts();
      },
      '`proof.acceptRed`',
    ],
    [
      'by a person in mid-run',
      async (user) => {
        await user.starts();
        expect((await user.stop(COMPLETE)).reason).toContain('test: exit code 7');
        const refused = await user.agent('check', '--accept-red', 'test');
        expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('only a person can')]);
        expect((await user.atTerminal('check', '--accept-red', 'no')).stdout).toContain('It has: test.');
        expect((await user.atTerminal('check', '--accept-red', 'test')).stdout).toContain('test may be red');
      },
      '`holdfast check --accept-red`',
    ],
  ])('is accepted %s: the claim stands unproven, and is named with who said so', async (_, accept, by) => {
    const user = await trustedUser();
    await accept(user);
    const { decision, systemMessage } = await user.stop(COMPLETE);
    expect(decision).toBeUndefined();
    expect(systemMessage).toMatch(/done, but unproven\. Red, and that was accepted: test \(exit code 7/);
    expect(systemMessage).toContain(`these checks may be red: test (accepted`);
    expect(systemMessage).toContain(by);
    expect(await user.end()).toMatchObject({ proof: 'unproven', why: ['accepted-red'] });
    expect((await user.terminal('log')).stdout).toContain(`the check test may be red: accepted`);
    expect((await user.terminal('replay', '1')).stdout).toContain('same');
  });

  it('that was accepted is proven all the same when it is green', async () => {
    const user = await trustedUser();
    await user.starts('--accept-red', 'test');
    user.write('code.txt', 'fixed\n');
    expect((await user.stop(COMPLETE)).systemMessage).toContain('done and proven: test');
  });

  it('of the outer start is accepted for the issues of a grind, and holds its own end', async () => {
    const user = await trustedUser();
    await user.terminal('check');
    await user.agent('idle', 'grind');
    await user.agent('idle', 'issue', '7');
    const inner = await user.stop('<issue-complete>DONE</issue-complete>');
    expect(inner.systemMessage).toContain('so the outer loop has to make it green');
    expect((await user.stop('<grind-done>NO_MORE_ISSUES</grind-done>')).reason).toContain(
      'test: exit code 7',
    );
  });

  it('by an agent’s own `holdfast check` is no receipt', async () => {
    const user = await trustedUser();
    await user.agent('check');
    expect(await user.starts()).toContain('test was not run here yet.');
  });
});

describe('worktrees', () => {
  it('share trust and receipts', async () => {
    const user = await trustedUser();
    user.write('code.txt', 'fixed\n');
    user.commit();
    await user.terminal('check');
    const tree = user.worktree('tree');
    expect((await tree.terminal('trust', '--list')).stdout).toContain('test (trusted)');
    expect(await tree.starts()).not.toContain('Unproven');
    const answer = await tree.stop(COMPLETE);
    expect(answer.systemMessage).toContain('done and proven: test');
    expect(user.ran('test')).toBe(1);
    tree.write('code.txt', 'broken again\n');
    expect((await tree.terminal('check')).exitCode).toBe(1);
  });
});

describe('the flags of a start', () => {
  it('--no-check runs nothing and ends unproven', async () => {
    const user = await trustedUser();
    expect(await user.starts('--no-check')).toContain(
      '--no-check: test will not run, so this ends unproven.',
    );
    expect((await user.terminal('status')).stdout).toContain('checks switched off');
    const answer = await user.stop(COMPLETE);
    expect(answer.systemMessage).toContain('switched off at the start (`--no-check`)');
    expect(user.ran('test')).toBe(0);
    expect(await user.end()).toMatchObject({ proof: 'unproven', why: ['switched-off'] });
  });

  it('--check asks for a check of the user’s own file, which needs no trust', async () => {
    const user = newUser();
    user.ownConfig({ checks: { ...user.check('lint', RED), ...user.check('other', 'false') } });
    expect(await user.starts('--check', 'lint')).toContain('this is run and must pass: lint (');
    expect((await user.stop(COMPLETE)).reason).toContain('lint: exit code 7');
    user.write('code.txt', 'fixed\n');
    const answer = await user.stop(COMPLETE);
    expect(answer.systemMessage).toContain('done and proven: lint');
    expect(user.ran('other')).toBe(0);
  });

  it('--until needs no signal, and a nested loop has its own', async () => {
    const user = newUser();
    user.ownConfig({
      checks: { ...user.check('part', 'test -e part'), ...user.check('whole', 'test -e whole') },
    });
    expect(await user.starts('--until', 'whole')).toContain('the check `whole` passes. No signal is needed');
    expect(await user.starts('--until', 'part')).toContain('the check `part` passes. No signal is needed');
    const open = await user.stop('Working.');
    expect(open.reason).toMatch(/^This loop is done when the check part passes/);
    expect(open.reason).toContain('<loop-done>STUCK</loop-done>');
    expect(open.reason).not.toContain('COMPLETE');
    expect(user.ran('whole')).toBe(0);
    user.write('part', '');
    user.write('whole', '');
    // The part's pass is a claim, which both checks of the run must bear out.
    expect((await user.stop('Working.')).decision).toBeUndefined();
    expect(await user.why()).toContain(
      'The check part, which ends the loop, passed, so the inner loop is done',
    );
    expect(await user.end()).toBeUndefined();
    fs.rmSync(path.join(user.root, 'whole'));
    expect((await user.stop('Working.')).reason).toMatch(/^This loop is done when the check whole passes/);
    user.write('whole', 'now');
    const answer = await user.stop('Working.');
    expect(answer.decision).toBeUndefined();
    expect(await user.end()).toMatchObject({ outcome: 'completed', proof: 'proven' });
    expect(await user.why()).toContain('The check whole, which ends the loop, passed, so the loop is done.');
  });
});
