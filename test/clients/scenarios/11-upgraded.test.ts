// Group 11: a newer Holdfast is installed while a session is open and its loop is alive.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cachedPlugin } from '../clients/codex-home.ts';
import { claudeTerminal, codexTerminal } from '../clients/terminal.ts';
import { DONE, iterations, loopState, startLoop, TASK } from '../loop.ts';
import { answers, codexExec, holdsOf, run, type Stage, saw, say, stageFor, until } from '../scenario.ts';

const repository = path.resolve(import.meta.dirname, '../../..');
/** As text the first one is the greater; as versions it is not. */
const OLD = '0.9.0';
const NEW = '0.10.0';

const marketOf = (stage: Stage): string => path.join(path.dirname(stage.root), 'market');

function build(stage: Stage, version: string): void {
  const args = ['scripts/build.mjs', '--out', marketOf(stage), '--version', version];
  execFileSync(process.execPath, args, { cwd: repository, timeout: 60_000 });
}

/** As a user does it: the new version in the place of the old one, then its own `install`. */
function install(stage: Stage, client: string, version: string, ...flags: string[]): string {
  build(stage, version);
  const cli = path.join(marketOf(stage), 'holdfast/bin/holdfast');
  return execFileSync(cli, ['install', '--client', client, ...flags], {
    cwd: stage.root,
    env: stage.env,
    encoding: 'utf8',
    timeout: 60_000,
  });
}

const cacheOf = (stage: Stage): string => path.join(stage.home, '.codex/plugins/cache/holdfast/holdfast');

/** A loop in whose first iteration Holdfast is upgraded; the agent goes on with the commands it knows. */
function loopWithUpgrade(stage: Stage, cli: string, upgrade: () => void): void {
  stage.agent(
    startLoop(cli),
    say('One.'),
    () => {
      upgrade();
      return run(`${cli} status`);
    },
    say('Two.'),
    say('Three.'),
    say(DONE),
  );
}

function expectHeldThroughout(stage: Stage): void {
  expect(iterations(holdsOf(stage))).toEqual(['1/10', '2/10', '3/10']);
  expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
  const said = stage.cast.of('agent').map(({ last }) => last);
  expect(said.some((text) => /idle.*iteration/i.test(text) && !text.includes('[ITERATION'))).toBe(true);
}

describe('11. upgraded', () => {
  it('a newer version is installed while a loop is alive (Codex TUI)', async (context) => {
    const stage = await stageFor();
    install(stage, 'codex', OLD, '--trust');
    const cli = `'${cachedPlugin(stage.home, 'holdfast')}/bin/holdfast'`;
    loopWithUpgrade(stage, cli, () => install(stage, 'codex', NEW, '--trust'));
    const terminal = codexTerminal(stage);
    await terminal.ready();
    await terminal.enter(TASK);
    await terminal.shows('All of it passes.', 90_000);
    await until('the loop to end', () => answers(stage.root).length === 4);
    expectHeldThroughout(stage);
    expect(versions(stage)).toEqual([NEW, OLD]);
    // A client that starts now runs the new one and leaves the old one alone.
    stage.agent(startLoop(`'${path.join(cacheOf(stage), NEW)}/bin/holdfast'`), say('One.'), say(DONE));
    await codexExec.play(stage, TASK, { hookTrust: 'as-recorded' });
    expect(iterations(holdsOf(stage))).toEqual(['1/10']);
    expect(versions(stage)).toEqual([NEW, OLD]);
    saw(
      context,
      'Codex TUI',
      'the open session goes on with the new version: held before and after, the command it knows still works, let go at the signal; a new session runs the new version, trusted',
    );
  });

  it('a newer version is installed from another folder while a loop is alive (Codex exec)', async (context) => {
    const stage = await stageFor();
    install(stage, 'codex', OLD, '--trust');
    const cli = `'${cachedPlugin(stage.home, 'holdfast')}/bin/holdfast'`;
    loopWithUpgrade(stage, cli, () => {
      fs.renameSync(marketOf(stage), `${marketOf(stage)}-before`);
      install(stage, 'codex', NEW);
    });
    await codexExec.play(stage, TASK, { hookTrust: 'as-recorded', limitMs: 120_000 });
    expectHeldThroughout(stage);
    saw(
      context,
      'Codex exec',
      'the folder it was installed from was moved, and the new hooks were not trusted yet: the session that is under way is held all the same',
    );
  });

  it('a newer version is built and installed while a loop is alive (Claude Code TUI)', async (context) => {
    const stage = await stageFor();
    install(stage, 'claude', OLD);
    loopWithUpgrade(stage, 'holdfast', () => install(stage, 'claude', NEW));
    const terminal = claudeTerminal(stage, { plugins: 'installed' });
    await terminal.ready();
    await terminal.enter(TASK);
    await terminal.shows('All of it passes.', 90_000);
    await until('the loop to end', () => answers(stage.root).length === 4);
    expectHeldThroughout(stage);
    saw(
      context,
      'Claude Code TUI',
      'the open session goes on with the new version: held before and after, let go at the signal',
    );
  });
});

const versions = (stage: Stage): string[] => fs.readdirSync(cacheOf(stage)).sort();
