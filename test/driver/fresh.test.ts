// `--fresh`: a hold is handed over to the next session. Whatever the agents do, it is counted, journalled and ended as it
// would be in one session.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { lastHandOver, pendingHandOver } from '../../src/engine/driver/hand-over.ts';
import type { GuardMemory } from '../../src/store/records.ts';
import { SESSION, type ToyScene, toyScene } from '../toy/scene.ts';
import { claudeTranscript, type Transcript } from '../toy/transcript.ts';
import { bindTo, leave, RUN, sessionStarts } from './session.ts';

const sessionNumber = (stop: number): string =>
  `5e551011-0000-4000-8000-${String(stop + 100).padStart(12, '0')}`;

const transcriptOf = (scene: ToyScene, session: string): Transcript =>
  claudeTranscript(path.join(path.dirname(scene.root), 'transcripts', `${session}.jsonl`));

type Turn = (transcript: Transcript, scene: ToyScene, stop: number) => void;

/** What each stop came to, the session's own part left out. */
type Lived = { decisions: string[]; journal: object[]; guard: object | undefined; left: number };

function lived(scene: ToyScene, decisions: string[], last: string): Lived {
  const { guard } = scene.sidecar('a');
  return {
    decisions,
    journal: scene.journal().map((entry) => withoutSession(entry)),
    guard: withoutMarker(guard[last]),
    left: scene.state('a').left,
  };
}

function withoutSession(entry: object): object {
  const {
    session: _,
    time: __,
    milliseconds: ___,
    guard,
    ...rest
  } = { guard: null, ...entry } as Record<string, unknown>;
  const { memory, ...weighed } = (guard ?? {}) as { memory?: GuardMemory };
  return { ...rest, guard: { ...weighed, memory: withoutMarker(memory) } };
}

function withoutMarker(memory: GuardMemory | undefined): object | undefined {
  if (memory === undefined) return undefined;
  // The artifacts are known by their paths too, and this is another folder.
  const { marker: _, artifacts: __, ...rest } = memory;
  return rest;
}

async function inOneSession(turns: readonly Turn[]): Promise<Lived> {
  const scene = toyScene();
  await scene.start('a');
  const transcript = transcriptOf(scene, SESSION);
  const decisions: string[] = [];
  for (const [stop, turn] of turns.entries()) {
    turn(transcript, scene, stop);
    const { answer } = await scene.stop({ payload: { transcript_path: transcript.file } });
    decisions.push(answer?.decision === 'block' ? 'hold' : (answer?.systemMessage ?? 'allow'));
  }
  return lived(scene, decisions, SESSION);
}

/** Each hold is given to a new session; one that is let go goes on, as it does without. */
async function inFreshOnes(turns: readonly Turn[]): Promise<Lived> {
  const scene = toyScene();
  await scene.start('a', { session: sessionNumber(0) });
  let session = sessionNumber(0);
  let env = await leave(scene, { session, fresh: true });
  let transcript = transcriptOf(scene, session);
  const decisions: string[] = [];
  for (const [stop, turn] of turns.entries()) {
    turn(transcript, scene, stop);
    const { answer } = await scene.stop({ session, env, payload: { transcript_path: transcript.file } });
    expect(answer?.decision).toBeUndefined();
    if (pendingHandOver(scene.root, RUN) === null) {
      decisions.push(answer?.systemMessage ?? 'allow');
      continue;
    }
    decisions.push('hold');
    session = sessionNumber(stop + 1);
    env = await leave(scene, { session, fresh: true });
    await bindTo(scene, session);
    transcript = transcriptOf(scene, session);
  }
  return lived(scene, decisions, session);
}

const says: Turn = (transcript) => transcript.says('I am done.');
const calls: Turn = (transcript) => transcript.calls('Bash');
const works: Turn = (transcript, scene, stop) => {
  transcript.says('On it.');
  scene.write('WORK.md', `line ${stop}`);
};
const moves: Turn = (transcript, scene, stop) => {
  transcript.says('Moved.');
  scene.setState('a', { left: 50 - stop });
};
const times = (count: number, turn: Turn): Turn[] => Array.from({ length: count }, () => turn);

describe.concurrent('in new sessions it is counted as in one', () => {
  test.each<[string, readonly Turn[]]>([
    ['an agent that does nothing', times(6, says)],
    ['an agent that only runs ls', times(15, calls)],
    ['an agent that works', times(5, works)],
    [
      'one that does nothing, then something, then nothing',
      [says, says, calls, says, says, works, ...times(5, says)],
    ],
    ['a state that somebody moves', [says, says, moves, ...times(5, says)]],
  ])('%s', { timeout: 240_000 }, async (_, turns) => {
    const [one, fresh] = await Promise.all([inOneSession(turns), inFreshOnes(turns)]);
    expect(fresh).toEqual(one);
  });
});

describe.concurrent('a hold that is handed over', () => {
  const begun = async (): Promise<{ scene: ToyScene; env: Record<string, string> }> => {
    const scene = toyScene();
    await scene.start('a');
    return { scene, env: await leave(scene, { session: SESSION, fresh: true }) };
  };

  test('says the same as it would have said, and the session is let go', async () => {
    const plain = toyScene();
    await plain.start('a');
    const { answer: held } = await plain.stop();
    const { scene, env } = await begun();
    const fired = await scene.stop({ env });
    expect(fired.answer?.decision).toBeUndefined();
    expect(pendingHandOver(scene.root, RUN)).toEqual({ session: SESSION, text: held?.reason });
    expect(scene.journal()).toMatchObject([{ answer: 'hold' }]);
    expect(scene.sidecar('a').guard[SESSION]).toMatchObject({ held: true, noProgress: 1 });
  });

  test('is not counted twice when its session stops again', async () => {
    const { scene, env } = await begun();
    await scene.stop({ env });
    const before = scene.sidecar('a');
    expect((await scene.stop({ env })).answer?.decision).toBeUndefined();
    expect((await scene.stop({})).answer?.decision).toBeUndefined();
    expect(scene.sidecar('a')).toEqual(before);
    expect(scene.state('a').left).toBe(99);
    expect(scene.journal()).toHaveLength(1);
  });

  test('is there for the next session until that one was held, whoever asks for it', async () => {
    const { scene, env } = await begun();
    await scene.stop({ env });
    const text = pendingHandOver(scene.root, RUN)?.text;
    await bindTo(scene, sessionNumber(1));
    expect(pendingHandOver(scene.root, RUN)).toBeNull();
    expect(lastHandOver(scene.root, RUN)).toBe(text);
    expect((await scene.stop({ session: SESSION, env })).answer?.decision).toBeUndefined();
    expect((await scene.stop({ session: sessionNumber(1) })).answer?.decision).toBe('block');
    expect(lastHandOver(scene.root, RUN)).toBeNull();
  });

  test('goes to the session that comes with the next token', async () => {
    const { scene, env } = await begun();
    await scene.stop({ env });
    const counted = scene.sidecar('a').guard[SESSION];
    await sessionStarts(scene, sessionNumber(1), await leave(scene, { fresh: true }));
    expect(scene.sidecar('a').sessions).toEqual([sessionNumber(1)]);
    expect(scene.sidecar('a').guard).toEqual({ [sessionNumber(1)]: { ...counted, marker: '' } });
  });

  test('is taken back by a command of a session that wants to go on', async () => {
    const { scene, env } = await begun();
    await scene.stop({ env });
    await scene.cli(['adopt', RUN], { env: { CLAUDE_CODE_SESSION_ID: SESSION } });
    expect(pendingHandOver(scene.root, RUN)).toBeNull();
    expect((await scene.stop()).answer?.decision).toBe('block');
  });
});

describe.concurrent('a hold is answered as usual', () => {
  test('in a session that the token does not name', async () => {
    const scene = toyScene();
    await scene.start('a');
    const env = await leave(scene, { session: 'another', fresh: true });
    expect((await scene.stop({ env })).answer?.decision).toBe('block');
    expect(scene.sidecar('a').handover).toBeUndefined();
  });

  test('where the driver did not ask for new sessions', async () => {
    const scene = toyScene();
    await scene.start('a');
    const env = await leave(scene, { session: SESSION });
    expect((await scene.stop({ env })).answer?.decision).toBe('block');
  });

  test('when the token is of another run, or the session has another one beside', async () => {
    const scene = toyScene();
    await scene.start('a');
    const others = await leave(scene, { session: SESSION, fresh: true, run: 'toy:b' });
    expect((await scene.stop({ env: others })).answer?.decision).toBe('block');
    const own = await leave(scene, { session: SESSION, fresh: true });
    await scene.start('b', { toy: 'toy2' });
    expect((await scene.stop({ env: own })).answer?.decision).toBe('block');
  });

  test('when the record is gone or broken', async () => {
    const scene = toyScene();
    await scene.start('a');
    const env = await leave(scene, { session: SESSION, fresh: true });
    const folder = path.join(scene.home, '.local/state/holdfast/driver-tokens');
    fs.writeFileSync(path.join(folder, fs.readdirSync(folder)[0] ?? ''), 'not json');
    expect((await scene.stop({ env })).answer?.decision).toBe('block');
  });
});
