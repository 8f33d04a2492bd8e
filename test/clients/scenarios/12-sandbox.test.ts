// Group 12: a check of a sandboxed session runs in that session's own sandbox.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeStop } from '../../../src/clients/index.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { makeAttemptFolders } from '../../../src/engine/work/attempt.ts';
import { type CheckRun, runCheck } from '../../../src/engine/work/check.ts';
import { ensureHome, homeOf } from '../../../src/store/home.ts';
import { deniedBy, probedIn, probing, recordedDenials, sandboxRecord } from '../../support/client-sandbox.ts';
import {
  claudeProgram,
  clientFolder,
  installedVersion,
  olderClaude,
  olderClaudeProgram,
} from '../clients/place.ts';
import type { Stage } from '../clients/stage.ts';
import { trustChecks } from '../clients/terminal.ts';
import { DONE, startLoop, TASK } from '../loop.ts';
import { ends, fix, LOG, outside, setUpCheck } from '../proof.ts';
import { noteSandboxes, recordOf } from '../sandbox.ts';
import { answers, claudePrint, codexExec, run, saw, say, stageFor, write } from '../scenario.ts';

describe('12. the sandbox of a session', () => {
  it.for([
    ['', claudeProgram, installedVersion('@anthropic-ai/claude-code')],
    [' of an older version', olderClaudeProgram, olderClaude],
  ] as const)(
    'of Claude Code%s denies its shell nothing that it does not deny to a check, and leaves nothing behind (Claude Code -p)',
    async ([, claude, version], context) => {
      const stage = await stageFor();
      setUpCheck(stage);
      await trustChecks(stage);
      switchOnSandbox(stage);
      const before = stage.git('status', '--porcelain', '--ignored');
      let record = '';
      stage.agent(
        startLoop(claudePrint.cli(stage)),
        () => {
          // Before the check's own sandbox is noted, too.
          record = recordOf(stage);
          return run(`cat >check.sh <<'END'\n${probing(deniedBy(record))}END`);
        },
        run('sh check.sh'),
        say(DONE),
      );
      await claudePrint.play(stage, TASK, { claude, env: noteSandboxes(stage) });
      if (process.env.HOLDFAST_TEST_RECORD === '1') fs.writeFileSync(sandboxRecord(version), record);
      const denied = deniedBy(record);
      expect(denied).toContain('.mcp.json');
      expect(denied.toSorted()).toEqual(recordedDenials(version).toSorted());
      const all = Object.fromEntries(denied.map((place) => [place, 'denied']));
      expect(probedIn(stage.cast.of('agent').at(-1)?.last ?? '')).toEqual(all);
      expect(probedIn(stage.read(LOG))).toEqual(all);
      expect(ends(stage)).toMatchObject([{ proof: 'proven' }]);
      // Its own are the workflow's.
      const left = stage.git('status', '--porcelain', '--ignored').split('\n');
      expect(left.filter((line) => !/ (check\.sh|\.jwz\/|\.holdfast\/)?$/.test(line)).join('\n')).toBe(
        before.trim(),
      );
      saw(
        context,
        claudePrint.mode,
        'every name that the client denied to its shell, as its own sandbox was started with, was denied to the check; nothing of it was left in the project',
      );
    },
  );

  it("of Claude Code keeps a check from planting a hook in the client's settings (Claude Code -p)", async (context) => {
    const stage = await stageFor();
    setUpCheck(stage);
    await trustChecks(stage);
    switchOnSandbox(stage);
    const planted = { hooks: [{ type: 'command', command: `touch '${outside(stage)}'` }] };
    const settings = JSON.stringify({ hooks: { PreToolUse: [planted] } });
    const plant = `mkdir -p .claude\nprintf '%s' '${settings.replaceAll("'", "'\\''")}' >.claude/settings.local.json\n`;
    stage.agent(
      startLoop(claudePrint.cli(stage)),
      write(stage.file('check.sh'), `${plant}grep -q fixed answer.txt || exit 3\n`),
      say(DONE),
      // The client looks for changes of its settings now and then.
      { ...run('true'), afterMs: 3000 },
      fix,
      say(DONE),
    );
    await claudePrint.play(stage, TASK);
    expect(answers(stage.root)).toEqual(['hold', 'allow']);
    expect(stage.exists('.claude/settings.local.json')).toBe(false);
    expect(fs.existsSync(outside(stage))).toBe(false);
    saw(
      context,
      claudePrint.mode,
      "the check that the agent had rewritten could not make the project's local settings, and no hook of theirs ran",
    );
  });

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

  it('of Claude Code keeps nothing open to a check when a command of the agent’s in the background ends meanwhile (Claude Code -p)', async (context) => {
    const stage = await stageFor();
    setUpCheck(stage);
    await trustChecks(stage);
    switchOnSandbox(stage);
    const names = ['.mcp.json', '.vscode', '.claude/settings.local.json', '.bashrc', '.git/config.lock'];
    const waits = 'touch began; for _ in $(seq 400); do test -e over && break; sleep 0.05; done; sleep 2\n';
    const inBackground = 'for _ in $(seq 400); do test -e began && break; sleep 0.05; done; touch over';
    stage.agent(
      startLoop(claudePrint.cli(stage)),
      run(`cat >check.sh <<'END'\n${waits}${probing(names)}END`),
      { say: 'One more.', run: inBackground, background: true },
      say(DONE),
      say(DONE),
    );
    await claudePrint.play(stage, TASK);
    expect(probedIn(stage.read(LOG))).toEqual(Object.fromEntries(names.map((place) => [place, 'denied'])));
    for (const name of names) expect(stage.exists(name), name).toBe(false);
    saw(
      context,
      claudePrint.mode,
      'what the client had mounted over for that command went when it ended, and was denied to the check all the same',
    );
  });

  it("of Codex holds a check off what lies in the user's state folder, where the project is the home (Codex exec)", async (context) => {
    const stage = await stageFor();
    stage.agent(say('Done.'));
    await codexExec.play(stage, 'The prompt.');
    const check = await checkIn(stage, { HOME: stage.root });
    expect(await check('touch in')).toMatchObject({ end: 'passed' });
    expect(await check('touch .local/state/holdfast/forged')).toMatchObject({ end: 'failed' });
    for (const moved of ['.local/state/holdfast', '.local/state', '.local'])
      expect(await check(`mv ${moved} x`), moved).toMatchObject({ end: 'failed' });
    saw(context, codexExec.mode, 'a check wrote in the project, and not in that folder');
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

function switchOnSandbox({ home }: Stage): void {
  fs.mkdirSync(path.join(home, '.claude'), { recursive: true });
  fs.writeFileSync(
    path.join(home, '.claude', 'settings.json'),
    JSON.stringify({ sandbox: { enabled: true } }),
  );
}

/** At the stop that the session's own rollout tells of. */
async function checkIn(
  stage: Stage,
  more: Record<string, string> = {},
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
  const env = { ...stage.env, ...more, PATH: `${hookFolder(stage)}:${stage.env.PATH}` };
  const sandbox = await client.sandbox?.(stop, env, root);
  if (sandbox === undefined) throw new Error('no sandbox is known');
  const project = {
    ...{ root, home: homeOf(root), env, now: Date.now(), cli: 'holdfast' },
    config: await loadConfig(root, env),
  };
  return async (command, timeout = 30) => {
    const attempt = `attempt-${process.pid}`;
    ensureHome(root);
    makeAttemptFolders(project, attempt);
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
