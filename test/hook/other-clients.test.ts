// Clients that load Claude Code's plugins and are not Claude Code: the built hook, with what each of them really sent
// and wrote, adapted to a temp project. Their loops end by the signal, and a client nobody can read is never held.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { latest } from '../fixtures/idle/loops.ts';
import { type Fired, fireHook, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { recordedLines, recordedPayload } from '../support/recorded.ts';
import { type ToyScene, toyScene } from '../toy/scene.ts';

// Real processes, which take their time on a busy machine.

const SESSION = '00000000-0000-4000-8000-000000000001';
const COMPLETE = '<loop-done>COMPLETE</loop-done>';

let project: TempProject;
beforeEach(() => {
  project = tempProject();
});
afterEach(() => project.remove());

/** A recording's paths are those of another machine. */
const here = (text: string): string =>
  text.replaceAll('/home/dev/project', project.root).replaceAll('/home/dev', project.home);

type Known = {
  client: string;
  /** Its stops, in order, and the words with which the recorded agent came to each. */
  stops: readonly { payload: string; said: string }[];
  /** How its agent's shell knows the session; null: it does not, and the run waits for the next session. */
  variable: string | null;
};

const known: readonly Known[] = [
  {
    client: 'copilot',
    stops: [
      { payload: 'stop-first', said: 'I am done, I think.' },
      { payload: 'stop-after-hold', said: 'Second answer.' },
    ],
    variable: 'COPILOT_AGENT_SESSION_ID',
  },
  {
    client: 'qwen',
    stops: [
      { payload: 'stop-first', said: 'I am done, I think.' },
      { payload: 'stop-after-hold-and-tool', said: 'Second answer.' },
    ],
    variable: 'QWEN_CODE_SESSION_ID',
  },
  {
    client: 'droid',
    stops: [
      { payload: 'stop-first', said: 'I am done, I think.' },
      { payload: 'stop-after-hold-and-tool', said: 'Second answer.' },
    ],
    variable: null,
  },
  {
    client: 'gemini',
    stops: [
      { payload: 'after-agent-first', said: 'I am done, I think.' },
      { payload: 'after-agent-after-hold-and-tool', said: 'Second answer.' },
    ],
    variable: null,
  },
];

/** The transcript as it stands at the stop before which `said` was said; the agent says `words` in its place. */
function linesUntil({ client }: Known, said: string, words: string): string[] {
  const lines = recordedLines(`${client}/transcript-hold.jsonl`).map(here);
  const at = lines.findLastIndex((line) => line.includes(JSON.stringify(said)));
  const isHook = (line: string | undefined): boolean =>
    line?.includes('"assistant.turn_end"') === true || line?.includes('"agentStop"') === true;
  let end = at + 1;
  while (isHook(lines[end]) && !lines[end]?.includes('"hook.end"')) end++;
  return lines.slice(0, end).map((line) => line.replaceAll(JSON.stringify(said), JSON.stringify(words)));
}

const transcriptOf = (payload: Record<string, unknown>): string => String(payload.transcript_path);

function payloadOf({ client }: Known, name: string, said: string, words: string): Record<string, unknown> {
  const payload = JSON.parse(here(JSON.stringify(recordedPayload(`${client}/${name}.json`))));
  if ('last_assistant_message' in payload) payload.last_assistant_message = words;
  if ('prompt_response' in payload) payload.prompt_response = payload.prompt_response.replace(said, words);
  return payload;
}

function writeLines(file: string, lines: readonly string[]): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
}

/** The agent comes to its recorded stop with other words. */
function stopSaying(one: Known, position: number, words: string): Promise<Fired> {
  const { payload: name, said } = one.stops[position] ?? { payload: '', said: '' };
  const payload = payloadOf(one, name, said, words);
  writeLines(transcriptOf(payload), linesUntil(one, said, words));
  // As text: it must arrive as it was sent.
  return fireHook(project.root, JSON.stringify(payload));
}

async function startLoop(one: Pick<Known, 'variable'>, ...flags: string[]): Promise<void> {
  const env = one.variable === null ? {} : { [one.variable]: SESSION };
  const started = await runCli(project.root, ['idle', 'loop', ...flags, 'Fix the parser'], { env });
  expect(started).toMatchObject({ exitCode: 0 });
}

describe.each(known)('a loop in $client', (one) => {
  it('is held, and ends by its signal', async () => {
    await startLoop(one);
    const held = await stopSaying(one, 0, 'I am done, I think.');
    expect(held).toMatchObject({ exitCode: 0, stderr: '', answer: { decision: 'block' } });
    expect(held.answer?.reason).toMatch(/^\[ITERATION 1\/10\]/);

    const ended = await stopSaying(one, 1, `All of it passes.\n\n${COMPLETE}`);
    expect([ended.exitCode, ended.answer?.decision]).toEqual([0, undefined]);
    expect(latest(project)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
  });

  it('goes on past a signal in a code fence and past one from before the hold', async () => {
    await startLoop(one);
    const fenced = `\`\`\`\n${COMPLETE}\n\`\`\``;
    expect((await stopSaying(one, 0, fenced)).answer?.decision).toBe('block');
    expect((await stopSaying(one, 1, 'Second answer.')).answer?.decision).toBe('block');
    expect(latest(project).event).toBe('STATE');
  });
});

describe('a hold that Gemini takes without asking its model', () => {
  const gemini = known.find(({ client }) => client === 'gemini') as Known;

  it('is not repeated: the next stop is allowed with one notice, and the loop waits', async () => {
    await startLoop(gemini);
    expect((await stopSaying(gemini, 0, 'One.')).answer?.decision).toBe('block');
    const again = await stopSaying(gemini, 0, 'One.');
    expect(again).toMatchObject({ exitCode: 0, stderr: '' });
    expect(again.answer).toEqual({
      systemMessage: expect.stringMatching(/without asking its model.*type anything/),
    });
    expect(await stopSaying(gemini, 0, 'One.')).toMatchObject({ exitCode: 0, stdout: '' });
    expect(latest(project)).toMatchObject({ event: 'STATE', stack: [{ iter: 1 }] });
  });
});

describe('Gemini after its loop detection, whose answer is not in its transcript', () => {
  const gemini = known.find(({ client }) => client === 'gemini') as Known;
  const stopWith = (prompt_response: string) => {
    const payload = payloadOf(gemini, 'after-agent-first', '', '');
    writeLines(transcriptOf(payload), []);
    return fireHook(project.root, JSON.stringify({ ...payload, prompt_response }));
  };

  it('is held by a run that was started in its shell, and its signal counts once it is new', async () => {
    await startLoop(gemini);
    expect((await stopWith('Again.')).answer?.decision).toBe('block');
    const waits = { systemMessage: expect.stringMatching(/without asking its model.*type anything/) };
    expect((await stopWith('Again.')).answer).toEqual(waits);
    expect(latest(project)).toMatchObject({ event: 'STATE', stack: [{ iter: 1 }] });
    await stopWith(`Again.\n${COMPLETE}`);
    expect(latest(project)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
  });

  it('waits where what was known does not fit, whatever signal is in it', async () => {
    await startLoop(gemini);
    await stopWith('One.');
    const { answer } = await stopWith(`Another.\n${COMPLETE}`);
    expect(answer).toEqual({ systemMessage: expect.stringContaining('could not be read') });
    expect(latest(project)).toMatchObject({ event: 'STATE' });
  });

  it('says of a run that waits for it that it was not taken up, where it said nothing', async () => {
    await startLoop(gemini);
    expect((await stopWith('')).answer?.systemMessage).toMatch(/idle:\S+ was not taken up by this session/);
  });
});

describe('an old signal in Gemini, whose payload joins all answers since the prompt', () => {
  it('does not end the loop', async () => {
    const gemini = known.find(({ client }) => client === 'gemini');
    if (gemini === undefined) throw new Error('Gemini is not among them');
    await startLoop(gemini);
    const payload = payloadOf(gemini, 'after-agent-after-hold', '', '');
    writeLines(transcriptOf(payload), linesUntil(gemini, 'Third answer.', 'Third answer.'));
    const prompt_response = `Looking.\n${COMPLETE}\nThird answer.`;
    const fired = await fireHook(project.root, JSON.stringify({ ...payload, prompt_response }));
    expect(fired.answer?.decision).toBe('block');
  });
});

describe('a transcript that comes late in Copilot', () => {
  const [copilot] = known;

  it('is waited for: the message is written after the hook has started', async () => {
    if (copilot === undefined) throw new Error('Copilot is not among them');
    await startLoop(copilot);
    const words = `Done.\n\n${COMPLETE}`;
    const payload = payloadOf(copilot, 'stop-first', '', '');
    const lines = linesUntil(copilot, 'I am done, I think.', words);
    const late = lines.findIndex((line) => line.includes(COMPLETE));
    writeLines(transcriptOf(payload), lines.slice(0, late));
    const fired = fireHook(project.root, JSON.stringify(payload));
    // The recorded lag was 39 to 69 ms after the hook's start, which itself takes about as long.
    await new Promise((resolve) => setTimeout(resolve, 150));
    fs.appendFileSync(transcriptOf(payload), `${lines.slice(late).join('\n')}\n`);
    expect((await fired).answer?.decision).toBeUndefined();
    expect(latest(project)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
  });

  it('that never comes lets the stop go, with one notice, and takes no iteration', async () => {
    if (copilot === undefined) throw new Error('Copilot is not among them');
    await startLoop(copilot);
    const payload = JSON.stringify(payloadOf(copilot, 'stop-first', '', ''));
    const first = await fireHook(project.root, payload);
    expect(first.answer?.decision).toBeUndefined();
    expect(first.answer?.systemMessage).toContain('Copilot CLI said last could not be read');
    expect((await fireHook(project.root, payload)).stdout).toBe('');
    expect(latest(project).stack[0]?.iter).toBe(0);
  });
});

describe('an API error in Droid, which fires Stop too', () => {
  it('is never held: a hold would only try the same again', async () => {
    await startLoop({ variable: null });
    const lines = recordedLines('droid/transcript-api-error.jsonl').map(here);
    const payload = JSON.parse(here(JSON.stringify(recordedPayload('droid/stop-after-api-error.json'))));
    writeLines(transcriptOf(payload), lines.slice(0, 4));
    expect(await fireHook(project.root, JSON.stringify(payload))).toMatchObject({ exitCode: 0, stdout: '' });
    expect(latest(project)).toMatchObject({ event: 'STATE', stack: [{ iter: 0 }] });
  });
});

describe('what the agent did between two holds', () => {
  /** A transcript that grows by one answer per stop, with or without a tool call before it. */
  async function holds(client: string, count: number, withTool: boolean): Promise<(string | undefined)[]> {
    const one = known.find((some) => some.client === client);
    if (one === undefined) throw new Error(`no ${client}`);
    await startLoop(one, '--max', '40');
    const { payload: name, said } = one.stops[0] ?? { payload: '', said: '' };
    const payload = payloadOf(one, name, said, said);
    const whole = linesUntil(one, said, said);
    const answered = whole.findLastIndex((line) => line.includes(JSON.stringify(said)));
    const called = whole.findIndex((line) => /"(?:toolRequests":\[\{|functionCall|tool_use)"?/.test(line));
    expect(called).toBeGreaterThan(0);
    const decisions: (string | undefined)[] = [];
    writeLines(transcriptOf(payload), whole);
    for (let stop = 0; stop < count; stop++) {
      decisions.push((await fireHook(project.root, JSON.stringify(payload))).answer?.decision);
      const added = [...(withTool ? whole.slice(called, called + 1) : []), ...whole.slice(answered)];
      const ids = added.map((_, line) => `answer-${stop}-${line}`);
      const renamed = added.map((line, at) => line.replace(/"(uuid|id)":"[^"]+"/, `"$1":"${ids[at]}"`));
      if ('message_id' in payload) payload.message_id = ids.at(-1);
      fs.appendFileSync(transcriptOf(payload), `${renamed.join('\n')}\n`);
    }
    return decisions;
  }

  test.each(['copilot', 'qwen', 'droid'])(
    'is seen in %s: a loop that only talks is let go after six',
    async (client) => {
      const decisions = await holds(client, 8, false);
      expect(decisions.map((decision) => decision ?? 'let go')).toEqual([
        ...Array.from({ length: 6 }, () => 'block'),
        'let go',
        'let go',
      ]);
    },
  );

  test.each(['copilot', 'qwen', 'droid'])('is seen in %s: tool calls keep a loop going', async (client) => {
    const decisions = await holds(client, 14, true);
    expect(decisions).toEqual(Array.from({ length: 14 }, () => 'block'));
  });
});

describe('a client that nobody knows', () => {
  const stop = (more: object) =>
    fireHook(
      project.root,
      JSON.stringify({ session_id: SESSION, cwd: project.root, hook_event_name: 'Stop', ...more }),
    );

  it('is let go with one notice that says how to report it, where its message cannot be read', async () => {
    await startLoop({ variable: null });
    const transcript_path = project.write('log.jsonl', '{"speaker":"agent","words":"hello"}\n');
    const first = await stop({ transcript_path });
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.answer?.decision).toBeUndefined();
    expect(first.answer?.systemMessage).toMatch(/this client is not supported yet.*cat >payload\.json/);
    for (const again of [{ transcript_path }, {}, { transcript_path: '/nowhere' }])
      expect(await stop(again)).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(latest(project)).toMatchObject({ event: 'STATE', stack: [{ iter: 0 }] });
  });
});

describe('a run that waits for the next session', () => {
  const fire = (payload: object) =>
    fireHook(
      project.root,
      JSON.stringify({ session_id: SESSION, cwd: project.root, hook_event_name: 'Stop', ...payload }),
    );
  const claude = { session_id: 'c1', prompt_id: 'p1', last_assistant_message: 'Not yet.' };

  const unserved: readonly [string, () => object][] = [
    ['a client that nobody can read', () => ({ transcript_path: project.write('log.jsonl', '{"a":1}\n') })],
    [
      'Copilot without a transcript',
      () => ({ timestamp: '2026-11-16T03:17:26.646Z', stop_reason: 'end_turn' }),
    ],
    [
      'Droid after an API error',
      () => {
        const payload = JSON.parse(here(JSON.stringify(recordedPayload('droid/stop-after-api-error.json'))));
        const lines = recordedLines('droid/transcript-api-error.jsonl').map(here);
        writeLines(transcriptOf(payload), lines.slice(0, 4));
        return payload;
      },
    ],
  ];

  test.each(unserved)('is not taken by %s: the next one that can be served gets it', async (_, payload) => {
    await startLoop({ variable: null });
    expect((await fire(payload())).answer?.decision).toBeUndefined();
    expect((await fire(claude)).answer?.decision).toBe('block');
    // The ticket is gone now, and with it what there was to say.
    expect((await fire({ ...payload(), session_id: 'later' })).answer?.systemMessage ?? '').not.toMatch(
      /not supported|could not be read/,
    );
  });
});

describe('Cursor, which was not run', () => {
  const payload = (status: string) =>
    JSON.stringify({
      conversation_id: SESSION,
      generation_id: 'g1',
      status,
      loop_count: 0,
      cursor_version: '2.4.0',
      workspace_roots: [project.root],
      transcript_path: path.join(project.home, 'cursor.jsonl'),
    });

  it('is let go when the user stopped the agent, and when its transcript cannot be read', async () => {
    await startLoop({ variable: null });
    expect(await fireHook(project.root, payload('aborted'))).toMatchObject({ exitCode: 0, stdout: '' });
    const { answer } = await fireHook(project.root, payload('completed'));
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('Cursor said last could not be read');
  });
});

describe('a review', () => {
  const asCopilot = { prompt_id: undefined, timestamp: '2026-11-16T03:17:26.646Z', stop_reason: 'end_turn' };
  const asQwen = { timestamp: '2026-11-16T03:30:38.357Z', crons: [], background_tasks: [] };
  const pass = { TOY_REVIEWER: 'pass' };

  async function reviewing(): Promise<ToyScene> {
    const scene = toyScene();
    await scene.start('a', { phase: 'reviewing' });
    return scene;
  }

  const said = { last_assistant_message: 'Done.' };

  test.each<[string, object, string[], RegExp]>([
    [
      'a client that is not told its limit',
      { ...said, ...asCopilot },
      [],
      /how long Copilot CLI lets this hook run/,
    ],
    [
      'Qwen, which takes 7200 for milliseconds',
      { ...said, ...asQwen },
      ['--limit', '7200'],
      /Qwen Code ends this hook after 7\.2 s/,
    ],
    [
      'a client nobody knows',
      { ...said, prompt_id: undefined },
      ['--limit', '7200'],
      /how long this client lets/,
    ],
    ['a hook with too little time', {}, ['--limit', '119'], /Claude Code ends this hook after 119 s/],
  ])('is not started in %s, and the user hears why', async (_, payload, args, why) => {
    const scene = await reviewing();
    const { answer, exitCode } = await scene.stop({ env: pass, args, payload });
    expect([exitCode, answer?.decision]).toEqual([0, undefined]);
    expect(answer?.systemMessage).toMatch(why);
    expect(answer?.systemMessage).toMatch(/adopt toy:a$/);
    expect(scene.reviews()).toBe(0);
    expect(scene.state('a')).toMatchObject({ phase: 'reviewing', reviews: 0 });
    // Once per change: the same stop comes again and again.
    expect((await scene.stop({ env: pass, args, payload })).answer?.systemMessage).toBeUndefined();
    const said = await scene.cli(['why']);
    expect(said.stdout).toContain('A review is due, but the client leaves the hook too little time for one');
    expect(said.stdout).not.toMatch(/hold|outstanding/);
  });

  test.each<[string, object, string[]]>([
    ['Claude Code that is not told its limit', {}, []],
    ['Claude Code', {}, ['--limit', '7200']],
    ['Copilot that is told', { ...said, ...asCopilot }, ['--limit', '7200']],
    ['Qwen with a hooks file of its own', { ...said, ...asQwen }, ['--limit', '7200000']],
  ])('is started in %s', async (_, payload, args) => {
    const scene = await reviewing();
    await scene.stop({ env: pass, args, payload });
    expect(scene.reviews()).toBe(1);
    expect(scene.state('a')).toMatchObject({ phase: 'done' });
  });
});
