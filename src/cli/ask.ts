// `holdfast ask`: an agent's question to the user. Its next stop is allowed and shows it; the run waits for the answer.

import { isInsideClient, sessionsOf } from '../clients/index.ts';
import { COMMAND_PATIENCE_MS } from '../engine/claim-run.ts';
import type { Project } from '../engine/project.ts';
import { journalQuestion } from '../engine/stop/journal.ts';
import { beginWait, MOST_IN_A_ROW } from '../engine/waiting/on-record.ts';
import { isUnshown } from '../engine/waiting/wait.ts';
import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { withLock } from '../store/lock.ts';
import { NO_WAITS } from '../store/records.ts';
import { readSidecar, writeSidecar } from '../store/sidecars.ts';
import { waitingRuns } from '../store/tickets.ts';
import { inOneLine } from '../store/trouble.ts';
import { inOneParagraph } from '../text/paragraph.ts';
import { shownWord } from '../text/quoted.ts';
import { allRuns } from '../view/runs.ts';
import { isOf, liveRunsOf } from './session-runs.ts';

export const ask: Command = {
  name: 'ask',
  summary: 'for agents: ask the user something; the run waits for the answer',
  usage: '<question>',
  help: `Then end your turn: the question is shown to the user, and you go on when they have answered. Without words it
is read from standard input. At most three questions in a row without progress.`,
  options: {},
  writes: true,
  words: { least: 0, most: Number.POSITIVE_INFINITY },
  run: askUser,
};

const LONGEST = 2_000;

async function askUser(call: Call): Promise<ExitCode> {
  const question = inOneParagraph(call.words.length > 0 ? call.words.join(' ') : call.stdin(), LONGEST);
  if (question === '')
    throw new WrongUsage(
      'ask: the question is missing. Usage: holdfast ask "<question>", or the question on standard input.',
    );
  const sessions = sessionsOf(call.env);
  if (sessions.length === 0) throw new NotNow(whyNoSession(call));
  const project = await call.existing();
  if (project?.config.ask === 'refuse')
    throw new NotNow(
      'nobody is here to answer: take the safest choice, write it down in ASSUMPTIONS.md, and go on.',
    );
  const names = (await liveRunsOf(sessions, project)).map(({ name }) => name);
  if (project === null || names.length === 0) throw new NotNow(await whyNoRun(project));
  const asked = await noted(project, () => names.filter((name) => put(question, name, sessions, project)));
  if (asked.length === 0)
    throw new NotNow(
      `${MOST_IN_A_ROW} questions in a row, with no work between them: decide yourself, write down what you decided and why, and go on.`,
    );
  call.print(
    `Asked. End your turn now: the question is shown to the user, and ${asked.join(' and ')} ${asked.length === 1 ? 'waits' : 'wait'} for the answer.`,
  );
  return 0;
}

/** Where nothing can be written, an agent still has its last message. */
async function noted(project: Project, note: () => string[]): Promise<string[]> {
  try {
    return await withLock(project.home, COMMAND_PATIENCE_MS, note);
  } catch (error) {
    // By name: each chunk of the bundle has its own copy of the class.
    const isExpected =
      error instanceof Error && ('syscall' in error || ['LockBusy', 'Refused'].includes(error.name));
    if (!isExpected) throw error;
    throw new NotNow(
      `the question could not be noted: ${inOneLine(error, project.root)}. Until it can be, put it into your last message.`,
    );
  }
}

/** Under the lock. False: this run's questions are used up, or it is no longer this session's. */
function put(question: string, name: string, sessions: readonly string[], project: Project): boolean {
  const sidecar = readSidecar(project.root, name);
  if (!isOf(sidecar, sessions)) return false;
  const { now, config } = project;
  const { waits = NO_WAITS } = sidecar;
  const { questions } = waits;
  // One that nobody was shown yet is only worded again.
  const inARow = isUnshown(sidecar.waiting) ? questions : questions + 1;
  if (inARow > MOST_IN_A_ROW) {
    writeSidecar(project.root, { ...sidecar, waits: { ...waits, questions: MOST_IN_A_ROW + 1 } });
    return false;
  }
  const until = now + config.wait.personMs;
  const next = beginWait(sidecar, { for: 'person', since: now, until, what: question, shown: null }, now);
  writeSidecar(project.root, { ...next, waits: { ...(next.waits ?? NO_WAITS), questions: inARow } });
  journalQuestion(project, name);
  return true;
}

function whyNoSession(call: Call): string {
  return isInsideClient(call.env)
    ? 'this client does not tell its shell which session it is, so no run can wait for an answer. Put the question into your last message and end your turn.'
    : 'ask is for agents: in a plain terminal there is no session whose run could wait. `holdfast status` lists the runs here.';
}

async function whyNoRun(project: Project | null): Promise<string> {
  const runs = project === null ? [] : (await allRuns(project)).filter(({ live }) => live);
  const unread = runs.find(({ notesTrouble }) => notesTrouble !== null);
  if (unread?.notesTrouble)
    return `whose ${unread.name} is cannot be read: ${unread.notesTrouble.what}; to fix it, ${unread.notesTrouble.fix}`;
  const tickets = project === null ? [] : waitingRuns(project.root, project.now, project.env);
  const next = runs.find(({ name }) => tickets.includes(name));
  if (project !== null && next !== undefined)
    return `${next.name} holds the next session here, but is not yet this session's. Make it so with \`${project.cli} adopt ${shownWord(next.name)}\`, then ask again.`;
  return 'this session has no live run, so nothing holds you: put the question into your last message and end your turn.';
}
