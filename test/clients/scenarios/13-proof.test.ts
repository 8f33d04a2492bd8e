// Group 13: a claim to be done is worth what the project's check says.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { trustChecks } from '../clients/terminal.ts';
import { DONE, loopState, startLoop, TASK } from '../loop.ts';
import { answerReview, completeTask, planState, reviewer, reviews } from '../plan.ts';
import {
  configWith,
  ends,
  FAILING,
  fix,
  forged,
  LOG,
  listen,
  outside,
  reachedIn,
  reachingScript,
  setUpCheck,
  setUpPlan,
  timesRun,
} from '../proof.ts';
import {
  answers,
  claudePrint,
  claudeStream,
  codexExec,
  expectNotice,
  holdsOf,
  journal,
  run,
  runCli,
  type Stage,
  saw,
  say,
  stageFor,
  write,
} from '../scenario.ts';

/** Claude Code's agents run their commands in bubblewrap then. */
const SANDBOX = JSON.stringify({ sandbox: { enabled: true } });
const NARROWER = JSON.stringify({ sandbox: { enabled: true, filesystem: { denyRead: ['/opt'] } } });

describe('13. proof', () => {
  it.for([claudePrint, claudeStream, codexExec])(
    'done while the check is red, then green ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      setUpCheck(stage);
      expect(await trustChecks(stage)).toContain('sh check.sh');
      stage.agent(startLoop(host.cli(stage)), say(DONE), fix, say(DONE));
      const played = await host.play(stage, TASK);
      const [started, held] = stage.cast.of('agent').slice(1);
      expect(started?.last).toContain('this is run and must pass: answer (sh check.sh)');
      expect(held?.holds).toHaveLength(1);
      expect(held?.holds[0]).toContain('the claim does not stand');
      expect(held?.holds[0]).toMatch(/answer: exit code 3/);
      expect(held?.holds[0]).toContain(FAILING);
      expect(held?.holds[0]).toContain(LOG);
      expect(answers(stage.root)).toEqual(['hold', 'allow']);
      expect(timesRun(stage)).toBe(2);
      expect(ends(stage)).toMatchObject([{ outcome: 'completed', proof: 'proven' }]);
      expect(loopState(stage.root)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
      expectNotice(host, stage, played, /done and proven: answer/);
      if (host !== codexExec)
        expect(played.notices).toContainEqual(expect.stringMatching(/were trusted here.*: answer\./));
      expect(runCli(stage, 'why')).toMatch(/Proven: .*answer/);
      saw(
        context,
        host.mode,
        `held with the exit code, the failing line and the log's path; after the fix let go, and the end is proven; ${host.showsNotices}`,
      );
    },
  );

  it.for([claudePrint, codexExec])('nobody trusted the check ($mode)', async (host, context) => {
    const stage = await stageFor();
    setUpCheck(stage);
    stage.agent(startLoop(host.cli(stage)), say('I look around.'), say(DONE));
    const played = await host.play(stage, TASK);
    expect(outputOf(stage)).toMatch(
      /^Unproven from the start: the check answer is not trusted.*holdfast'? trust/,
    );
    expect(answers(stage.root)).toEqual(['hold', 'allow']);
    expect(timesRun(stage)).toBe(0);
    expect(stage.exists(LOG)).toBe(false);
    expect(ends(stage)).toMatchObject([{ outcome: 'completed', proof: 'unproven', why: ['untrusted'] }]);
    expectNotice(
      host,
      stage,
      played,
      /done, but unproven\. Not trusted here, so not run: answer\..*holdfast'? trust/,
    );
    saw(
      context,
      host.mode,
      `the start's first line said so; the claim ended the loop unproven, and the check was not run; ${host.showsNotices}`,
    );
  });

  it.for([claudePrint, codexExec])(
    'an agent cannot trust the check itself ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      setUpCheck(stage);
      const cli = host.cli(stage);
      const faked = `script -qec "${cli.replaceAll("'", '')} trust" /dev/null </dev/null`;
      stage.agent(run(`${cli} trust; echo "exit $?"`), run(faked), startLoop(cli), say(DONE));
      await host.play(stage, TASK);
      const heard = stage.cast.of('agent').map(({ last }) => last);
      expect(heard[1]).toMatch(/only a person can say what is trusted[\s\S]*exit [12]/);
      expect(heard[2]).toContain('only a person can say what is trusted');
      expect(timesRun(stage)).toBe(0);
      expect(ends(stage)).toMatchObject([{ proof: 'unproven', why: ['untrusted'] }]);
      saw(
        context,
        host.mode,
        '`holdfast trust` was refused in its shell, in a terminal faked by `script` too; the loop ended unproven, and the check was not run',
      );
    },
  );

  it.for([
    ["switched on in the user's settings", claudePrint.mode, claudePrint, []],
    ['given with --settings', claudePrint.mode, claudePrint, ['--settings', SANDBOX]],
    ['workspace-write', codexExec.mode, codexExec, []],
  ] as const)(
    "what an agent made of the check's script stays in its sandbox, %s (%s)",
    async ([, , host, args], context) => {
      const stage = await stageFor();
      setUpCheck(stage);
      await trustChecks(stage);
      if (host === claudePrint && args.length === 0) setUserSettings(stage, SANDBOX);
      const { port, visits } = await listen();
      stage.agent(
        startLoop(host.cli(stage)),
        write(stage.file('check.sh'), reachingScript(stage, port)),
        run('sh check.sh'),
        say(DONE),
      );
      await host.play(stage, TASK, { args });
      const byAgent = reachedIn(stage.cast.of('agent').at(-1)?.last ?? '');
      expect(byAgent).toEqual(WITHIN);
      expect(reachedIn(stage.read(LOG))).toEqual(WITHIN);
      expect(fs.existsSync(outside(stage))).toBe(false);
      expect(fs.existsSync(forged(stage))).toBe(false);
      expect(visits()).toBe(0);
      expect(timesRun(stage)).toBe(2);
      expect(ends(stage)).toMatchObject([{ proof: 'proven' }]);
      saw(
        context,
        host.mode,
        "the check ran with the agent's own rights: it wrote in the project, and neither outside of it, nor in the user's state folder, nor did it reach a port on loopback",
      );
    },
  );

  it.for(['planted by its first try', 'planted beside it'] as const)(
    "a link in the place of the check's output leads nowhere, %s (codex exec)",
    async (how, context) => {
      const host = codexExec;
      const stage = await stageFor();
      setUpCheck(stage);
      if (how === 'planted by its first try')
        stage.write('holdfast.config.json', configWith('sh check.sh', { retries: 1 }));
      await trustChecks(stage);
      const victim = path.join(stage.home, '.bashrc');
      fs.writeFileSync(victim, 'a secret of the user\n');
      const plant = `for place in .holdfast/attempts/*; do ln -sfn '${victim}' "$place/stdout"; ln -sfn '${victim}' "$place/stderr"; done`;
      const script = `echo ran >>marks\necho 'echo injected'\n${plant}\ngrep -q fixed answer.txt && exit 0\nexit 3\n`;
      stage.agent(
        startLoop(host.cli(stage)),
        write(stage.file('check.sh'), script),
        ...(how === 'planted beside it'
          ? [run(`(for i in $(seq 3000); do ${plant}; sleep 0.01; done) >/dev/null 2>&1 & echo on`)]
          : []),
        say(DONE),
        fix,
        say(DONE),
      );
      await host.play(stage, TASK);
      expect(fs.readFileSync(victim, 'utf8')).toBe('a secret of the user\n');
      expect(holdsOf(stage)[0]).toContain('echo injected');
      expect(holdsOf(stage).join('\n')).not.toContain('a secret of the user');
      expect(stage.read(LOG)).toBe('echo injected\n');
      expect(ends(stage)).toMatchObject([{ proof: 'proven' }]);
      saw(
        context,
        host.mode,
        "the agent's script put a link to ~/.bashrc where its output had been: nothing was written through it and nothing read",
      );
    },
  );

  it.for([
    ['with a rule about reading', claudePrint.mode, claudePrint, ['--settings', NARROWER]],
    ['in a session without a rollout', codexExec.mode, codexExec, ['--ephemeral']],
  ] as const)('a sandbox that no check can be held to, %s (%s)', async ([, , host, args], context) => {
    const stage = await stageFor();
    setUpCheck(stage);
    await trustChecks(stage);
    stage.agent(startLoop(host.cli(stage)), fix, say(DONE), say(DONE));
    const played = await host.play(stage, TASK, { args });
    expect(answers(stage.root)).toEqual(['hold', 'allow']);
    expect(holdsOf(stage)[0]).toContain('Not proven yet: a check could not run.');
    expect(timesRun(stage)).toBe(0);
    expect(ends(stage)).toMatchObject([{ outcome: 'completed', proof: 'unproven', why: ['cannot-run'] }]);
    expectNotice(host, stage, played, /done, but unproven\. Could not run: answer/);
    saw(
      context,
      host.mode,
      `the check was not run; held once with the reason, and the next claim ended the loop unproven; ${host.showsNotices}`,
    );
  });

  it.for([claudePrint, codexExec])(
    "without a sandbox the check has the user's rights ($mode)",
    async (host, context) => {
      const stage = await stageFor();
      setUpCheck(stage);
      await trustChecks(stage);
      const { port, visits } = await listen();
      stage.agent(
        startLoop(host.cli(stage)),
        write(stage.file('check.sh'), reachingScript(stage, port)),
        say(DONE),
      );
      const free = host === codexExec ? { args: ['--dangerously-bypass-approvals-and-sandbox'] } : {};
      await host.play(stage, TASK, free);
      expect(reachedIn(stage.read(LOG))).toEqual({
        project: 'yes',
        outside: 'yes',
        state: 'yes',
        loopback: 'yes',
      });
      expect(fs.existsSync(outside(stage))).toBe(true);
      expect(visits()).toBe(1);
      saw(
        context,
        host.mode,
        "the script that the agent had rewritten wrote outside the project and reached a port on loopback, as the agent's own shell can",
      );
    },
  );

  it.for(
    [claudePrint, codexExec].flatMap((host) => [
      ['drops the check', host.mode, host, '{}'] as const,
      ['makes its command `true`', host.mode, host, configWith('true')] as const,
    ]),
  )('an agent that %s in mid-loop (%s)', async ([, , host, config], context) => {
    const stage = await stageFor();
    setUpCheck(stage);
    await trustChecks(stage);
    stage.agent(
      startLoop(host.cli(stage)),
      say('I look around.'),
      write(stage.file('holdfast.config.json'), config),
      say(DONE),
      fix,
      say(DONE),
    );
    const played = await host.play(stage, TASK);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    expect(holdsOf(stage)[1]).toContain(FAILING);
    expect(timesRun(stage)).toBe(2);
    expect(ends(stage)).toMatchObject([{ proof: 'proven' }]);
    expect(journal(stage.root).at(-1)).toMatchObject({ facts: { proof: { protectedChanged: 1 } } });
    expectNotice(
      host,
      stage,
      played,
      /done and proven: answer[\s\S]*not as they were.*holdfast\.config\.json/,
    );
    saw(
      context,
      host.mode,
      `the check as it was at the start held all the same, and let go once it passed; the changed config is named to the user; ${host.showsNotices}`,
    );
  });

  it.for([claudePrint, codexExec])(
    "an agent that edits the config before the loop's first stop ($mode)",
    async (host, context) => {
      const stage = await stageFor();
      setUpCheck(stage);
      await trustChecks(stage);
      stage.agent(
        startLoop(host.cli(stage)),
        write(stage.file('holdfast.config.json'), configWith('echo ran >>marks')),
        say(DONE),
      );
      const played = await host.play(stage, TASK);
      expect(answers(stage.root)).toEqual(['allow']);
      expect(timesRun(stage)).toBe(0);
      expect(ends(stage)).toMatchObject([{ proof: 'unproven', why: ['untrusted'] }]);
      expectNotice(host, stage, played, /done, but unproven\. Not trusted here, so not run: answer/);
      saw(
        context,
        host.mode,
        `its command is not the trusted one, so it was not run, and the loop ended unproven; ${host.showsNotices}`,
      );
    },
  );

  it.for([claudePrint, codexExec])(
    'taskie: no reviewer is paid for red code ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      setUpCheck(stage);
      setUpPlan(stage);
      await trustChecks(stage);
      const cli = host.cli(stage);
      reviewer(stage, ...reviews('PASS', 'PASS'));
      const asked: number[] = [];
      stage.agent(
        run(`${cli} taskie next --plan demo`),
        completeTask(cli, 1),
        say('Task 1 is done.'),
        () => {
          asked.push(stage.cast.of('reviewer').length);
          return fix;
        },
        say('Now it passes.'),
        ...answerReview,
      );
      await host.play(stage, 'Go on with the plan.', { limitMs: 100_000 });
      expect(asked).toEqual([0]);
      expect(holdsOf(stage)[0]).toContain(FAILING);
      expect(holdsOf(stage)[0]).toContain('no reviewer is asked');
      expect(holdsOf(stage)[1]).toContain('task-1-review-1.md');
      expect(stage.cast.left('reviewer')).toBe(0);
      expect(stage.cast.left('agent')).toBe(0);
      expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
      expect(timesRun(stage)).toBe(2);
      expect(planState(stage)).toMatchObject({ phase: 'code-review', next_phase: 'all-code-review' });
      saw(
        context,
        host.mode,
        'held with the failing line and no reviewer started; after the fix the review ran, and the second one rested on the same receipt',
      );
    },
  );
});

/** All a sandboxed agent can do. */
const WITHIN = { project: 'yes', outside: 'no', state: 'no', loopback: 'no' };

/** What the agent's first command printed. */
const outputOf = (stage: Stage): string => stage.cast.of('agent')[1]?.last.replace(CODEX_HEAD, '') ?? '';

/** What Codex puts in front of a command's output. */
const CODEX_HEAD = /^Chunk ID: [\s\S]*?\nOutput:\n/;

function setUserSettings({ home }: Stage, settings: string): void {
  fs.mkdirSync(path.join(home, '.claude'), { recursive: true });
  fs.writeFileSync(path.join(home, '.claude', 'settings.json'), settings);
}
