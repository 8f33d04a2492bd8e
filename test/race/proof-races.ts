// Claims, checks and trust at the same time. Each race answers with what was wrong afterwards.

import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { Bench } from '../crash/bench.ts';
import { startLoop } from '../crash/idle.ts';
import { checks, lastEnd, receipts, SIGNAL, trustCheck, trusted } from '../crash/proof.ts';
import { stillRunning } from '../fixtures/taskie/plan.ts';
import type { Fired } from '../support/hook.ts';
import { at, isHold, type Race, times, unanswered, until } from './races.ts';

const PROVEN = JSON.stringify({ outcome: 'completed', proof: 'proven' });

async function loopWithCheck(bench: Bench): Promise<void> {
  await trustCheck(bench, 'good');
  await startLoop(bench, 50);
  await bench.stop();
}

function afterwards(bench: Bench): string[] {
  const left = stillRunning(bench.reviewerProcesses());
  const end = JSON.stringify(lastEnd(bench));
  return [
    ...(left.length === 0 ? [] : [`still running: ${left.join(', ')}`]),
    ...(end === PROVEN ? [] : [`it ended with ${end}`]),
  ];
}

/** Six claims, three of them while the check runs that another began: one check runs, and one stop ends the run. */
export const oneCheck: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    await loopWithCheck(bench);
    bench.holdChecks(true);
    let answered = 0;
    const stop = async (): Promise<Fired> => {
      const fired = await bench.stop(SIGNAL, fault);
      answered += 1;
      return fired;
    };
    const first = times(3, stop);
    await until(() => checks(bench, 'begin') > 0);
    const stops = [...first, ...times(3, stop)];
    await until(() => answered >= 5 || checks(bench, 'begin') > 1);
    bench.holdChecks(false);
    const fired = await Promise.all(stops);
    const proven = fired.filter(({ stdout }) => stdout.includes('done and proven')).length;
    return [
      ...unanswered(fired),
      ...afterwards(bench),
      ...(fired.some(isHold) ? ['a claim was held'] : []),
      ...(checks(bench, 'begin') === 1 ? [] : [`the check ran ${checks(bench, 'begin')} times`]),
      ...(proven === 1 ? [] : [`${proven} stops ended the run`]),
    ];
  });

/** A person runs the check while a claim does: both come to their end, and there is one receipt for this content. */
export const checkBesideClaim: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    await loopWithCheck(bench);
    bench.holdChecks(true);
    const stop = bench.stop(SIGNAL, fault);
    await until(() => checks(bench, 'begin') === 1);
    const command = bench.person(['check', '--json'], fault);
    await until(() => checks(bench, 'begin') === 2);
    bench.holdChecks(false);
    const [fired, ran] = [await stop, await command];
    return [
      ...unanswered([fired]),
      ...afterwards(bench),
      ...(ran.exitCode === 0 ? [] : [`check ended with ${ran.exitCode}: ${ran.stdout}${ran.stderr}`]),
      ...(receipts(bench).length === 1 ? [] : [`${receipts(bench).length} receipts`]),
    ];
  });

const NAMES = ['a', 'b', 'c', 'd'];

/** Two worktrees of one repository, with other files in each: what their checks said is all kept. */
export const manyReceipts: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    const own = { checks: Object.fromEntries(NAMES.map((name) => [name, { run: `true ${name}` }])) };
    await trustCheck(bench, 'good', own);
    const git = (...args: string[]): void => {
      const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
      execFileSync('git', ['-C', bench.root, ...who, ...args], { stdio: 'ignore' });
    };
    const other = path.join(path.dirname(bench.root), 'other');
    git('add', '-A');
    git('commit', '--quiet', '-m', 'one');
    git('worktree', 'add', '--quiet', other);
    bench.project.write('only-here.txt', 'more\n');
    const ran = await Promise.all(
      [bench.root, other].flatMap((folder) =>
        NAMES.map((name) => bench.person(['check', name], fault, folder)),
      ),
    );
    const kept = receipts(bench);
    const contents = new Set(kept.map(({ content }) => content));
    return [
      ...ran.flatMap(({ exitCode, stdout, stderr }) => (exitCode === 0 ? [] : [`${stdout}${stderr}`])),
      ...(kept.length === 8 && contents.size === 2
        ? []
        : [`${kept.length} receipts of ${contents.size} contents`]),
    ];
  });

/** Trust is taken back while a check runs: that one ends, no other begins, and the trust does not come back. */
export const revokedMeanwhile: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    await loopWithCheck(bench);
    await startLoop(bench, 50);
    bench.holdChecks(true);
    const stop = bench.stop(SIGNAL, fault);
    await until(() => checks(bench, 'begin') === 1);
    const revoked = await bench.person(['trust', '--revoke']);
    bench.holdChecks(false);
    const first = await stop;
    bench.project.write('code.txt', 'good and other\n');
    const second = await bench.stop(SIGNAL, fault);
    const end = lastEnd(bench);
    return [
      ...unanswered([first, second]),
      ...(revoked.exitCode === 0 ? [] : [`it was not revoked: ${revoked.stderr}`]),
      ...(trusted(bench).length === 0 ? [] : ['the trust came back']),
      ...(checks(bench, 'begin') === 1 && checks(bench, 'end') === 1 ? [] : ['a check ran without trust']),
      ...(end?.outcome === 'completed' && end.proof === 'unproven'
        ? []
        : [`it ended with ${JSON.stringify(end)}`]),
    ];
  });
