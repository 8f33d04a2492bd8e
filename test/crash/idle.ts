// Idle's stops for the crash suite, with the loop's state in the topic store and in the fallback file.

import { type Body, FILE, LOG, stores } from '../fixtures/idle/loops.ts';
import { marks, marksIn } from '../support/marks.ts';
import type { Bench } from './bench.ts';
import type { Scenario } from './scenario.ts';

const SIGNAL = { last_assistant_message: 'All is well.\n\n<loop-done>COMPLETE</loop-done>' };

/** A loop as the agent starts it; inner ones are pushed on it. */
export async function startLoop(bench: Bench, max: number, ...inner: readonly number[]): Promise<void> {
  for (const most of [max, ...inner]) {
    const ran = await bench.holdfast(['idle', 'loop', '--max', String(most)], { stdin: 'Fix the parser.' });
    if (ran.exitCode !== 0) throw new Error(ran.stderr);
  }
}

/** Every message of the loop's topic that is whole, oldest first. */
export function bodies(bench: Bench): Body[] {
  const lines = bench.project.read(LOG).split('\n');
  return lines.flatMap((line) => {
    const body = wholeLine(line)?.body;
    return typeof body === 'string' ? [JSON.parse(body)] : [];
  });
}

function wholeLine(line: string): { body?: unknown } | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function latest(bench: Bench): Body {
  const last = bodies(bench).at(-1);
  if (last === undefined) throw new Error('the topic has no message');
  return last;
}

export function topicState(bench: Bench): unknown {
  const { event, reason, stack } = latest(bench);
  return { event, reason, stack: stack.map(({ mode, iter, max }) => ({ mode, iter, max })) };
}

const inTopic = {
  run: (bench: Bench) => `idle:${latest(bench).run_id}`,
  view: topicState,
  async carryOn(bench: Bench) {
    for (let stops = 0; stops < 6; stops++) {
      if (latest(bench).event !== 'STATE') return { event: latest(bench).event };
      await bench.stop(SIGNAL);
    }
    throw new Error(`the loop never ends: ${bench.project.read(LOG)}`);
  },
} satisfies Partial<Scenario>;

/** The second hold of a loop: one more iteration. */
export const hold: Scenario = {
  ...inTopic,
  async prepare(bench) {
    await startLoop(bench, 10);
    await bench.stop();
  },
};

/** A hold that closes a segment of the journal, for which the oldest one goes. */
export const longJournal: Scenario = {
  ...hold,
  async prepare(bench) {
    bench.project.write('holdfast.config.json', '{"journal":{"keep":1}}');
    await startLoop(bench, 10);
    bench.project.write('.holdfast/journal/00000001.jsonl', marks(0, 700, 'oldest'));
    bench.project.write('.holdfast/journal.jsonl', marks(0, 700));
  },
  view(bench) {
    const oldest = marksIn(bench.root, 'oldest').length;
    if (oldest !== 0 && oldest !== 700) throw new Error(`${oldest} lines of the oldest segment are left`);
    return { state: topicState(bench), journal: stateOfMarks(bench) };
  },
  async carryOn(bench) {
    const end = await inTopic.carryOn(bench);
    // The oldest may be left: whoever closes the next segment removes it.
    return { ...end, journal: stateOfMarks(bench) };
  },
};

function stateOfMarks(bench: Bench): string {
  const left = marksIn(bench.root);
  const isWhole = left.length === 700 && left.every((mark, position) => mark === position);
  return isWhole ? 'whole' : `not all of it, or not in order: ${left.join(' ')}`;
}

/** The agent gives the signal. */
export const complete: Scenario = {
  ...inTopic,
  async prepare(bench) {
    await startLoop(bench, 10);
    await bench.stop();
  },
  payload: () => SIGNAL,
};

/** The agent gives the signal once, and has nothing more to say at later stops. */
export const saidOnce: Scenario = {
  ...complete,
  later: () => ({}),
  carryOn: async (bench) => topicState(bench),
};

/** The signal was given while the disk was full; this stop, without it, ends the loop. */
export const kept: Scenario = {
  ...inTopic,
  async prepare(bench) {
    await startLoop(bench, 10);
    await bench.stop();
    await bench.stop(SIGNAL, 'ENOSPC:full');
  },
  carryOn: async (bench) => topicState(bench),
};

/** The inner loop is done; the one around it goes on at the next stop. */
export const inner: Scenario = {
  ...inTopic,
  prepare: (bench) => startLoop(bench, 10, 5),
  payload: () => SIGNAL,
};

/** The inner loop's signal is given once: it never ends the loop around it too. */
export const innerOnce: Scenario = {
  ...inner,
  later: () => ({}),
  carryOn: async (bench) => ({ event: latest(bench).event, depth: latest(bench).stack.length }),
};

export const maximum: Scenario = {
  ...inTopic,
  async prepare(bench) {
    await startLoop(bench, 1);
    await bench.stop();
  },
};

/** A hold without progress, where no more is allowed: the guard lets go. */
export const released: Scenario = {
  ...inTopic,
  async prepare(bench) {
    bench.project.write('holdfast.config.json', '{"guard":{"unmoved":1}}');
    bench.project.write('transcript.jsonl', '{"uuid":"u1","type":"user","message":{"content":"go"}}\n');
    await startLoop(bench, 100);
    await bench.stop(transcriptOf(bench));
  },
  payload: transcriptOf,
};

function transcriptOf(bench: Bench): object {
  return { transcript_path: bench.at('transcript.jsonl') };
}

const [, file] = stores;

const inFile = {
  run: () => 'idle:local-file',
  view: (bench: Bench) => file.ended(bench.project) ?? file.iteration(bench.project),
  async carryOn(bench: Bench) {
    for (let stops = 0; stops < 3; stops++) {
      if (!bench.project.exists(FILE)) return 'put away';
      await bench.stop(SIGNAL);
    }
    throw new Error('the loop in the file never ends');
  },
} satisfies Partial<Scenario>;

async function startInFile(bench: Bench, iter: number, max: number): Promise<void> {
  file.put(bench.project, { iter, max });
  await bench.holdfast(['adopt', 'idle:local-file']);
  await bench.stop();
}

export const holdInFile: Scenario = { ...inFile, prepare: (bench) => startInFile(bench, 2, 10) };

export const completeInFile: Scenario = { ...holdInFile, payload: () => SIGNAL };

export const maximumInFile: Scenario = { ...inFile, prepare: (bench) => startInFile(bench, 2, 3) };

/** A loop started in a plain terminal waits for the next session that stops here: this one. */
export const ticket: Scenario = {
  ...inTopic,
  async prepare(bench) {
    const plain = { stdin: 'Fix the parser.', env: { CLAUDE_CODE_SESSION_ID: undefined } };
    const ran = await bench.holdfast(['idle', 'loop', '--max', '10'], plain);
    if (ran.exitCode !== 0) throw new Error(ran.stderr);
  },
};
