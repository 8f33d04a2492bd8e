import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { recordedLines } from '../../../test/support/recorded.ts';
import {
  answeredIn,
  heldBy,
  journalIn,
  putToy,
  SESSION,
  stoppedIn,
} from '../../../test/support/stop-here.ts';
import { clientNamed } from '../../clients/index.ts';
import type { Stop } from '../../clients/stop.ts';
import { type GuardMemory, NO_GUARD_MEMORY } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import { leaveTicket } from '../../store/tickets.ts';
import { hear } from '../../text/hear.ts';
import type { Project } from '../project.ts';
import { readLastMessage } from './read-last-message.ts';

let project: Project;
beforeEach(() => {
  project = bareProject(Date.now());
});

const read = (stop: Partial<Stop>) => readLastMessage(stoppedIn(project, stop));
const allowed = (notice: string | null) => ({
  stop: null,
  answer: { kind: 'allow', notice, suppressOutput: false },
});
const UNHEARD =
  "Holdfast: what the agent in Qwen Code said last could not be read from its transcript, so its stops are allowed. If this goes on, open an issue with the client's version and the last lines of its transcript.";
const qwen = { client: 'qwen', lastMessage: null };

/** A transcript of Gemini's, as recorded. */
function gemini(): Partial<Stop> {
  const file = path.join(path.dirname(project.root), 'session.jsonl');
  fs.writeFileSync(file, `${recordedLines('gemini/transcript-hold.jsonl').join('\n')}\n`);
  return { client: 'gemini', lastMessage: null, transcriptPath: file };
}

describe('what the agent said last', () => {
  it('is what its client sent', async () => {
    putToy(project, 'toy:a');
    const stop = stoppedIn(project, { client: 'qwen', lastMessage: 'Done.' }).stop;
    expect(await read(stop)).toEqual({ stop, answer: null });
  });

  it('is nothing that must be known of a client that always sends it', async () => {
    putToy(project, 'toy:a');
    const stop = stoppedIn(project, { client: 'claude-code', lastMessage: null }).stop;
    expect(await read(stop)).toEqual({ stop, answer: null });
  });

  it('is nothing that must be known where the session has no run, and would claim none', async () => {
    putToy(project, 'toy:a', {}, null);
    const { stop } = stoppedIn(project, qwen);
    expect(await read(qwen)).toEqual({ stop, answer: null });
    leaveTicket(project.root, 'toy:a', project.now, project.env);
    expect(await read(qwen)).toEqual(allowed(UNHEARD));
    expect(await read({ ...qwen, session: null })).toMatchObject({ stop: null });
  });

  it('that cannot be read lets the stops go, with one notice', async () => {
    putToy(project, 'toy:a');
    expect(await read(qwen)).toEqual(allowed(UNHEARD));
    expect(journalIn(project)).toMatchObject([{ event: 'stop', run: null, answer: 'allow', notice: true }]);
    expect(await read(qwen)).toEqual(allowed(null));
    expect(journalIn(project)).toHaveLength(1);
  });

  it('to a client that nobody knows is asked for', async () => {
    putToy(project, 'toy:a');
    const { answer } = await read({ client: 'unknown', lastMessage: null });
    expect(answer?.notice).toBe(
      'Holdfast: this client is not supported yet: what its agent says cannot be read, so its stops are allowed. To have it supported, open an issue with what it sends: give it a Stop hook with the command `cat >payload.json`, and add the last lines of the file that `transcript_path` in it names.',
    );
  });

  it('leaves a run alone that waits for a session which can be served', async () => {
    putToy(project, 'toy:a', {}, null);
    leaveTicket(project.root, 'toy:a', project.now, project.env);
    expect(await answeredIn(project, qwen)).toEqual({
      answer: { kind: 'allow', notice: UNHEARD, suppressOutput: false },
      complaints: [],
    });
    expect(readSidecar(project.root, 'toy:a').sessions).toEqual([]);
  });

  it('is read from the transcript', async () => {
    putToy(project, 'toy:a');
    const { stop } = await read(gemini());
    expect(stop?.lastMessage).toEqual(expect.any(String));
    expect((await answeredIn(project, gemini())).answer).toMatchObject({
      reason: heldBy('go-on {"left":9} a note'),
    });
  });
});

describe('a client that takes a hold without asking its model', () => {
  const NOT_ASKED =
    'Holdfast: Gemini CLI took the last hold without asking its model (its loop detection, or its limit of turns), so it is not held again. The run waits: type anything to go on with it.';
  const newest = async (): Promise<string> => {
    const stop = stoppedIn(project, gemini()).stop;
    const hearing = await hear(stop, clientNamed('gemini'), { lags: false });
    return hearing.kind === 'heard' ? hearing.newest : 'nothing heard';
  };
  const remember = async (name: string, memory: Partial<GuardMemory>, session = SESSION): Promise<void> => {
    const whole = { ...NO_GUARD_MEMORY, held: true, marker: await newest(), ...memory };
    writeSidecar(project.root, { ...readSidecar(project.root, name), guard: { [session]: whole } });
  };

  it('is not held again', async () => {
    putToy(project, 'toy:a');
    putToy(project, 'toy2:b');
    await remember('toy2:b', {});
    expect(await read(gemini())).toEqual(allowed(NOT_ASKED));
  });

  it.each<[string, Partial<GuardMemory>, string?]>([
    ['was not held there', { held: false }],
    ['was let go since', { released: true }],
    ['has said something since', { marker: 'an earlier line' }],
    ['is another session', {}, 'another'],
  ])('is held where it %s', async (_, memory, session) => {
    putToy(project, 'toy:a');
    await remember('toy:a', memory, session);
    expect(await read(gemini())).toMatchObject({ answer: null });
  });

  it('is no reason to fail where the notes cannot be read', async () => {
    putToy(project, 'toy:a');
    writeIn(project, '.holdfast/runs/toy-a.json', 'broken');
    expect(await read(gemini())).toMatchObject({ answer: null });
  });
});
