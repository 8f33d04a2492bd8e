// How each command of README is run: in which folder, with what there before it, and what its capital words stand for.
// A command that is not here fails the test: whoever writes it into README says here how a reader comes to it.

import fs from 'node:fs';
import path from 'node:path';
import { Collector } from '../export/collector.ts';
import type { Ran } from '../support/hook.ts';
import { type Reader, reader, SESSION } from './reader.ts';

/** Not run here, and why. */
export const exempt: Readonly<Record<string, string>> = {
  'npm install': 'its result is what the reader starts from; `.ci/run` runs it in a fresh checkout',
  'npm test': 'this test is part of it; `.ci/run` runs it in a fresh checkout',
  'codex plugin add': 'README warns of it',
  'holdfast run': 'it starts a client; test/driver gives it a scripted one, test/clients the real ones',
  'npx holdfast run --hours 8 --unattended idle loop "Make the failing tests pass"': 'the same',
  'holdfast trust': 'it wants a person and a terminal; test/proof/trust.test.ts gives it one',
};

export type Way = (command: string, installed: Reader) => Promise<Ran>;

const stubs = path.resolve(import.meta.dirname, '../fixtures/claudex/bin');
const inSession = { CLAUDE_CODE_SESSION_ID: SESSION };

/** What `npx holdfast install` does, without npx. */
const INSTALL = 'dist/holdfast/bin/holdfast install';

/** Prepares a folder; answers with what the command's capital words stand for there. */
type Prepare = (folder: string, at: Reader) => Promise<Readonly<Record<string, string>>>;

let count = 0;

/** In a repository of its own, by the command that the install put on PATH. */
function inRepository(prepare: Prepare = async () => ({})): Way {
  return async (command, installed) => {
    count += 1;
    const folder = installed.repository(`repository-${count}`);
    const words = await prepare(folder, installed);
    const typed = command.replaceAll(/\b[A-Z]+\b/g, (word) => words[word] ?? word);
    return installed.type(typed, folder, inSession);
  };
}

/** For what goes on until it is ended: once it has said something, as by ^C. */
function inRepositoryUntilEnded(prepare: Prepare): Way {
  // A shell's background commands do not hear Ctrl-C unless they listen for it themselves, as these do.
  const untilItSpoke = 'n=0; until [ -s shown ] || [ $((n += 1)) -gt 1000 ]; do sleep 0.1; done';
  return (command, installed) =>
    inRepository(prepare)(
      `${command} >shown & ${untilItSpoke}; kill -INT $!; wait $!; code=$?; cat shown; exit $code`,
      installed,
    );
}

const after =
  (...commands: readonly string[]): Prepare =>
  async (folder, at) => {
    for (const command of commands) await succeed(at, command, folder);
    return {};
  };

const aLoop = after('holdfast idle loop Make the failing tests pass');
const aPlanLoop = after('holdfast claudex plan A cache');

const withRun: Prepare = async (folder, at) => {
  await aLoop(folder, at);
  const { stdout } = await succeed(at, 'holdfast status --json', folder);
  return { RUN: JSON.parse(stdout).runs[0].run };
};

const afterAStop: Prepare = async (folder, at) => {
  await aLoop(folder, at);
  await held(at, folder);
  return { N: '1' };
};

/** An inner loop that used up its iterations lets go, and leaves the outer one to be taken up again. */
const withLoopLeft: Prepare = async (folder, at) => {
  await after('holdfast idle loop Outer', 'holdfast idle loop --max 1 Inner')(folder, at);
  await held(at, folder);
  if ((await at.stop(folder, 'Not yet.')).answer?.decision === 'block') throw new Error('held once more');
  return {};
};

/** A plan whose first round was reviewed. */
const withReviewedPlan: Prepare = async (folder, at) => {
  await aPlanLoop(folder, at);
  fs.writeFileSync(path.join(folder, 'PLAN.md'), '# Plan\n\n1. Measure.\n2. Cache.\n');
  await held(at, folder);
  const record = path.join(path.dirname(folder), `${path.basename(folder)}-codex`);
  await succeed(
    at,
    `PATH="${stubs}:$PATH" FAKE_CODEX_RECORD="${record}" sh .claude/claudex/*-runner.sh`,
    folder,
  );
  const states = fs.readdirSync(path.join(folder, '.claude/claudex'));
  return { ID: path.basename(states.find((name) => name.endsWith('.state')) ?? '', '.state') };
};

const withPlan: Prepare = async (folder) => {
  const plan = path.join(folder, '.taskie/plans/greeting');
  fs.mkdirSync(plan, { recursive: true });
  fs.writeFileSync(path.join(plan, 'plan.md'), '# Greeting\n\n## Overview\n\nGreet in two languages.\n');
  return { ACTION: 'new-plan' };
};

const withRecordedPlan: Prepare = async (folder, at) => {
  await withPlan(folder, at);
  return after('holdfast taskie record new-plan')(folder, at);
};

/** In the user's own file, which is trusted. */
const withCheck: Prepare = async (_folder, at) => {
  const folder = path.join(at.home, '.config/holdfast');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(
    path.join(folder, 'holdfast.config.json'),
    JSON.stringify({ checks: { test: { run: 'true' } } }),
  );
  return {};
};

/** A machine of its own: other ways have settings of theirs. */
const called: Way = async (command) => {
  const own = reader();
  try {
    const folder = path.join(own.home, '.config/holdfast');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(
      path.join(folder, 'holdfast.config.json'),
      JSON.stringify({ notify: [{ run: ['true'] }] }),
    );
    await succeed(own, INSTALL, own.checkout);
    return await own.type(`${command} --test`, own.repository('mine'));
  } finally {
    own.remove();
  }
};

/** For what changes the clients: a machine of its own, in the checkout. */
function onItsOwn(...before: readonly string[]): Way {
  return async (command) => {
    const own = reader();
    try {
      for (const each of before) await succeed(own, each, own.checkout);
      return await own.type(command, own.checkout);
    } finally {
      own.remove();
    }
  };
}

const uninstalled: Way = async (command) => {
  const own = reader();
  try {
    const folder = own.repository('mine');
    await succeed(own, INSTALL, own.checkout);
    await aLoop(folder, own);
    const ran = await own.type(command, own.checkout);
    if (fs.existsSync(path.join(own.home, '.local/bin/holdfast')))
      throw new Error('the command is still there');
    if (!fs.existsSync(path.join(folder, '.jwz/messages.jsonl'))) throw new Error('the run is gone');
    return ran;
  } finally {
    own.remove();
  }
};

const trusted: Way = async (command) => {
  const own = reader();
  try {
    await succeed(own, `${INSTALL} --trust`, own.checkout);
    return await own.type(command, own.repository('mine'));
  } finally {
    own.remove();
  }
};

/** A collector of its own, in the place of the reader's. */
const toCollector: Way = async (command, installed) => {
  const collector = await Collector.open();
  try {
    return await inRepository(async (folder, at) => ({
      ...(await afterAStop(folder, at)),
      URL: collector.url,
    }))(command, installed);
  } finally {
    await collector.close();
  }
};

export const ways: Readonly<Record<string, Way>> = {
  'npx holdfast demo': onItsOwn(),
  'npx holdfast install': onItsOwn(),
  'npx holdfast install --dry-run': onItsOwn(),
  'npx holdfast install --trust': onItsOwn(),
  'npx holdfast uninstall': uninstalled,
  'holdfast status': inRepository(aLoop),
  'holdfast why': inRepository(afterAStop),
  'holdfast log': inRepository(afterAStop),
  'holdfast findings': inRepository(aLoop),
  'holdfast report': inRepository(aLoop),
  'holdfast watch': inRepositoryUntilEnded(afterAStop),
  'holdfast web': inRepositoryUntilEnded(afterAStop),
  'holdfast notify': called,
  'holdfast cancel': inRepository(aLoop),
  'holdfast adopt RUN': inRepository(withRun),
  // A person's, in a terminal of their own, who says how much.
  'holdfast resume': async (command, installed) => {
    const folder = installed.repository('resumed');
    await succeed(installed, 'holdfast idle loop --tokens 1M A task', folder);
    return installed.type(`script -qec '${command} --tokens 1M' /dev/null`, folder);
  },
  // Of the user's own checks only those that are named; the project's want trust, and so a person. Progress goes to stderr.
  'holdfast check': (command, installed) => inRepository(withCheck)(`${command} test 2>progress`, installed),
  'holdfast ask QUESTION': inRepository(async (folder, at) => {
    await aLoop(folder, at);
    return { QUESTION: '"Which of the two tests is right?"' };
  }),
  // Agents have 100 s for it, a test has not.
  'holdfast wait': (command, installed) => inRepository(aLoop)(`${command} --for 1`, installed),
  'holdfast export --otlp URL': toCollector,
  'holdfast replay N': inRepository(afterAStop),
  'holdfast doctor': trusted,
  'holdfast install': onItsOwn(INSTALL),
  'holdfast uninstall': uninstalled,
  'holdfast demo': inRepository(),
  'holdfast claudex plan TOPIC': inRepository(),
  'holdfast claudex review': inRepository(),
  'holdfast claudex done ID': inRepository(withReviewedPlan),
  'holdfast claudex wait ID': inRepository(withReviewedPlan),
  'holdfast claudex rollback': inRepository(aPlanLoop),
  'holdfast claudex doctor': inRepository(),
  'holdfast claudex status': inRepository(aPlanLoop),
  'holdfast claudex cancel': inRepository(aPlanLoop),
  'holdfast flow new NAME': inRepository(async () => ({ NAME: 'ours' })),
  'holdfast flow list': inRepository(),
  'holdfast flow check NAME': inRepository(async () => ({ NAME: 'ralph' })),
  'holdfast flow start NAME TASK': inRepository(async () => ({ NAME: 'ralph' })),
  'holdfast flow status': inRepository(after('holdfast flow start ralph')),
  'holdfast flow cancel': inRepository(after('holdfast flow start ralph')),
  'holdfast idle loop TASK': inRepository(),
  'holdfast idle issue ID': inRepository(async () => ({ ID: '12' })),
  'holdfast idle grind': inRepository(),
  'holdfast idle resume': inRepository(withLoopLeft),
  'holdfast idle status': inRepository(aLoop),
  'holdfast idle cancel': inRepository(after('holdfast claudex plan A cache', 'holdfast idle loop A task')),
  'holdfast taskie record ACTION': inRepository(withPlan),
  'holdfast taskie next': inRepository(withRecordedPlan),
  'holdfast taskie validate': inRepository(withRecordedPlan),
  'holdfast taskie status': inRepository(withRecordedPlan),
  'holdfast taskie cancel': inRepository(withRecordedPlan),
};

async function succeed(at: Reader, command: string, folder: string): Promise<Ran> {
  const ran = await at.type(command, folder, inSession);
  if (ran.exitCode !== 0)
    throw new Error(`${command}: exit code ${ran.exitCode}: ${ran.stderr}${ran.stdout}`);
  return ran;
}

async function held(at: Reader, folder: string): Promise<void> {
  const { answer, stderr } = await at.stop(folder, 'Not yet.');
  if (answer?.decision !== 'block')
    throw new Error(`the stop was not held: ${JSON.stringify(answer)} ${stderr}`);
}
