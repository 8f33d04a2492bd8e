// Group 12: a check of a sandboxed session runs in that session's own sandbox.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeStop } from '../../../src/clients/index.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { type CheckRun, runCheck } from '../../../src/engine/work/check.ts';
import { ensureAttemptFolder, ensureHome, homeOf } from '../../../src/store/home.ts';
import { clientFolder } from '../clients/place.ts';
import type { Stage } from '../clients/stage.ts';
import { codexExec, run, saw, say, stageFor } from '../scenario.ts';

describe('12. the sandbox of a session', () => {
  it('of Codex holds a check, too (Codex exec)', async (context) => {
    const stage = await stageFor();
    stage.agent(run('touch of-the-agent'), say('Done.'));
    await codexExec.play(stage, 'The prompt.');
    const check = await checkIn(stage);
    expect(await check('touch in; echo said; exit 7')).toMatchObject({
      end: 'failed',
      code: 7,
      tail: 'said',
    });
    expect(fs.existsSync(path.join(stage.root, 'in'))).toBe(true);
    expect(await check(['true'])).toMatchObject({ end: 'passed', code: 0 });
    expect(await check(`touch '${stage.home}/out'`)).toMatchObject({ end: 'failed' });
    expect(await check('touch .git/out')).toMatchObject({ end: 'failed' });
    expect(await check('no-such-program')).toMatchObject({ end: 'cannot-run', why: 'not-found' });
    expect(fs.existsSync(path.join(stage.home, 'out'))).toBe(false);
    const slow = await check('setsid sleep 4321 & env -i setsid nohup sleep 4321 & sleep 4321', 2);
    expect(slow).toMatchObject({ end: 'timed-out' });
    expect(running('4321')).toEqual([]);
    saw(
      context,
      codexExec.mode,
      "a check that is run by the session's rollout writes in the project, not in `.git` or outside, keeps its exit code, and takes detached children along at its time limit",
    );
  });

  it('of Codex is none where the user switched it off (Codex exec)', async (context) => {
    const stage = await stageFor();
    stage.agent(say('Done.'));
    await codexExec.play(stage, 'The prompt.', { args: ['--dangerously-bypass-approvals-and-sandbox'] });
    const check = await checkIn(stage);
    expect(await check(`touch '${stage.home}/out'`)).toMatchObject({ end: 'passed' });
    saw(context, codexExec.mode, 'the rollout says so, and a check writes outside the project');
  });
});

/** At the stop that the session's own rollout tells of. */
async function checkIn(
  stage: Stage,
): Promise<(run: string | string[], timeout?: number) => Promise<CheckRun>> {
  const sessions = path.join(stage.home, '.codex/sessions');
  const names = fs.readdirSync(sessions, { recursive: true, encoding: 'utf8' });
  const rollout = path.join(sessions, names.find((name) => name.endsWith('.jsonl')) ?? '');
  const rows = fs.readFileSync(rollout, 'utf8').trim().split('\n');
  const turn = rows.map((row) => JSON.parse(row)).findLast(({ type }) => type === 'turn_context')
    .payload.turn_id;
  const { root } = stage;
  const { client, stop } = decodeStop(
    { session_id: 's', turn_id: turn, transcript_path: rollout, cwd: root, hook_event_name: 'Stop' },
    null,
  );
  const env = { ...stage.env, PATH: `${hookFolder(stage)}:${stage.env.PATH}` };
  const sandbox = await client.sandbox?.(stop, env, root);
  if (sandbox === undefined) throw new Error('no sandbox is known');
  const project = {
    ...{ root, home: homeOf(root), env, now: Date.now(), cli: 'holdfast' },
    config: await loadConfig(root, env),
  };
  return async (command, timeout = 30) => {
    const attempt = `attempt-${process.pid}`;
    ensureHome(root);
    ensureAttemptFolder(root, attempt);
    return runCheck(
      { name: 'test', run: command, timeout, retries: 0, paths: null, cwd: null, from: 'user' },
      {
        ...{ project, attempt, sandbox, deadline: Date.now() + 60_000 },
        whenAskedToEnd: () => {},
        interrupted: async () => {},
      },
    );
  };
}

/** The client makes such a folder for each session, and takes it away with itself. */
function hookFolder(stage: Stage): string {
  const packages = path.resolve(clientFolder, '../@openai');
  const names = fs.readdirSync(packages, { recursive: true, encoding: 'utf8' });
  const program = names.find((name) => /\/vendor\/[^/]+\/bin\/codex$/.test(name));
  const folder = path.join(path.dirname(stage.root), 'of-the-hook');
  fs.mkdirSync(folder);
  fs.symlinkSync(path.join(packages, program ?? 'nothing'), path.join(folder, 'codex-linux-sandbox'));
  return folder;
}

function running(word: string): string[] {
  const lines = fs.readdirSync('/proc').flatMap((pid) => {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return [];
    }
  });
  return lines.filter((line) => line.includes(word));
}
