// `claudex wait`: waits for the review that runs, but never longer than an agent's shell call may last.

import { type Call, type Command, type ExitCode, NotNow } from '../../../engine/workflow-cli.ts';
import { shellQuote } from '../../../text/shell.ts';
import { filesOf, shown } from '../files.ts';
import { countFindings, describeCounts } from '../findings.ts';
import { isRunning, readExitCode, readQuietly } from '../review-progress.ts';
import { isFinished } from '../state-format.ts';
import { namedLoop } from './which-loop.ts';

export const wait: Command = {
  name: 'wait',
  summary: "wait for a loop's running review, at most 100 s",
  usage: '<id>',
  help: "Returns the reviewer's exit code, or 75 when it still runs: then call it again.",
  options: {},
  writes: false,
  words: { least: 1, most: 1 },
  run: waitForReview,
};

/** Agents' shells cut a command at 120 s. */
const LONGEST_MS = 100_000;
/** A runner that was started just before us may not have touched its heartbeat yet. */
const START_MS = 3_000;
const REPORT_EVERY_MS = 10_000;
const STILL_RUNNING: ExitCode = 75;

async function waitForReview(call: Call): Promise<ExitCode> {
  const { dir, id, loop } = await namedLoop(call, 'wait');
  const { round } = loop;
  const files = filesOf(dir, id);
  const began = performance.now();
  let seen = false;
  let reportedAt = began;
  for (;;) {
    const waited = performance.now() - began;
    const running = isRunning(dir, files, round, Date.now());
    seen ||= running;
    const code = running ? null : readExitCode(dir, files, round);
    if (code !== null) return reportEnd(code);
    if (!running && seen)
      throw new NotNow(
        `claudex wait: the runner of round ${round} died without leaving an exit code. ${runAgain()}`,
      );
    if (!running && waited > START_MS) throw new NotNow(`claudex wait: ${whyNothingRuns()}`);
    if (waited > LONGEST_MS) {
      call.print(`Round ${round} still runs after ${Math.round(waited / 1000)} s of waiting. Wait again.`);
      return STILL_RUNNING;
    }
    if (performance.now() - reportedAt >= REPORT_EVERY_MS) {
      reportedAt = performance.now();
      call.print(`Round ${round} is running (${Math.round(waited / 1000)} s). ${lastLine()}`.trimEnd());
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }

  function reportEnd(code: number): ExitCode {
    const findings = loop.mode === 'plan' ? files.findings(round) : files.review;
    const root = loop.mode === 'plan' ? dir.within : dir.root;
    const counts = countFindings(readQuietly(findings, root) ?? '');
    const found = counts === null ? 'it was not written' : describeCounts(counts);
    call.print(`The reviewer ended with exit code ${code}. ${shown(dir, findings)}: ${found}`);
    return code;
  }

  /** A runner is there from the hold that hands it over to the end of the loop. */
  function hasRunner(): boolean {
    return readQuietly(files.runner, dir.within) !== null;
  }

  function runAgain(): string {
    return hasRunner()
      ? `Run it again: sh ${shellQuote(files.runner)}`
      : 'Its script is gone: end your turn, and you are told what comes next.';
  }

  function whyNothingRuns(): string {
    if (isFinished(loop.phase) && !hasRunner())
      return `the loop ${id} is over (${loop.phase}), so there is nothing to wait for.`;
    if (hasRunner())
      return `no review of round ${round} is running. Start it: sh ${shellQuote(files.runner)}`;
    if (loop.phase === 'drafting')
      return `the loop ${id} is drafting, so no review was started. Write PLAN.md and end your turn: the first round starts by itself.`;
    return `the loop ${id} is in the phase ${loop.phase}, and no reviewer was handed over yet. End your turn: you are told what comes next.`;
  }

  /** What the reviewer printed last, made fit for a terminal. */
  function lastLine(): string {
    const output = readQuietly(files.output(round), dir.within) ?? '';
    const line = output.trimEnd().split('\n').at(-1) ?? '';
    return line.replace(/\p{Cc}+/gu, ' ').slice(0, 120);
  }
}
