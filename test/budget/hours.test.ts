// What counts of a budget's hours: the time in which the client worked, whatever ended its turns. The real hook, and
// transcripts as the clients write them.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BudgetScene, budgetScene, HOUR, isHeld, SESSION } from './scene.ts';

const MINUTE = 60_000;
const LATE = path.resolve(import.meta.dirname, '../hook/late-line.cjs');

type Row = object;
let rows = 0;

/** Rows of Claude Code's transcript, so many minutes after the hold. */
const row = (more: Row): Row => ({ uuid: `row-${++rows}`, isSidechain: false, ...more });
const assistant = (...content: Row[]): Row =>
  row({ type: 'assistant', message: { id: `m-${rows}`, model: 'claude', role: 'assistant', content } });
const user = (content: unknown, more: Row = {}): Row =>
  row({ type: 'user', message: { role: 'user', content }, ...more });
const says = (): Row => assistant({ type: 'text', text: 'So far.' });
const thinks = (): Row => assistant({ type: 'thinking', thinking: 'Hm.' });
const calls = (id: string): Row => assistant({ type: 'tool_use', id, name: 'Bash', input: {} });
const answers = (id: string): Row => user([{ type: 'tool_result', tool_use_id: id, content: 'ok' }]);
const prompt = (): Row => user('Go on.', { turnOrigin: 'human', promptId: 'p2' });
const esc = (): Row => user([{ type: 'text', text: '[Request interrupted by user]' }]);
const holdRow = (): Row => user('Stop hook feedback:\n[ITERATION 1/10]', { isMeta: true });
const error = (): Row => ({ ...says(), isApiErrorMessage: true, error: 'rate_limit' });
/** What comes with a session that is gone on with: none of it is the agent's. */
const resumed = (): Row[] => [
  row({ type: 'attachment', attachment: { type: 'hook_additional_context', hookEvent: 'SessionStart' } }),
  row({
    type: 'assistant',
    message: { id: 's', model: '<synthetic>', content: [{ type: 'text', text: 'No.' }] },
  }),
];

function write(scene: BudgetScene, held: number, lines: readonly (readonly [number, Row])[]): void {
  const text = lines.map(([minutes, line]) =>
    JSON.stringify({ ...line, timestamp: new Date(held + minutes * MINUTE).toISOString() }),
  );
  fs.appendFileSync(scene.transcript(), text.map((line) => `${line}\n`).join(''));
}

/** A loop that was held eleven hours ago; answers with when that was. */
async function heldLongAgo(stop: object = {}): Promise<{ scene: BudgetScene; held: number }> {
  const scene = budgetScene();
  await scene.agent(['idle', 'loop', '--hours', '4']);
  expect(isHeld(await scene.stop({ prompt_id: 'p1', ...stop }))).toBe(true);
  const held = Date.now() - 11 * HOUR;
  scene.changeBudget(({ spent, clock }) => ({
    spent: { ...spent, timeMs: 0 },
    clock: { ...clock, at: held, still: clock.still && { ...clock.still, since: held } },
  }));
  return { scene, held };
}

const PROMPTED = 10 * 60;
const kinds = {
  says,
  thinks,
  prompt,
  esc,
  holdRow,
  error,
  calls: () => calls('a'),
  answers: () => answers('a'),
};

describe('a hold, and ten hours later a new prompt: of these hours counts nothing', () => {
  it.each([
    ['after Esc', '1 calls, 2 answers, 3 esc', 2],
    ['after Esc while a tool ran', '1 calls, 4 answers, 4 esc', 4],
    ['after kill -9 while the agent thought', '0.1 holdRow, 3 thinks', 3],
    ['after kill -9 while a tool ran', '0.1 holdRow, 2 says, 3 calls', 3],
    ['after a reboot, with nothing done before it', '0.1 holdRow', 0.1],
    ['after a closed terminal, and another prompt before', '2 says, 60 prompt, 63 says', 5],
    ['after ^C, and a result that came with the new session', `2 calls, ${PROMPTED - 1} answers`, 122],
    ['after an error of which no event came', '2 says, 5 error', 5],
  ])('%s', async (_, text, minutes) => {
    const before = text.split(', ').map((each): [number, Row] => {
      const [minute, kind = ''] = each.split(' ');
      return [Number(minute), kinds[kind as keyof typeof kinds]()];
    });
    const { scene, held } = await heldLongAgo();
    const back = resumed().map((line) => [PROMPTED - 0.5, line] as const);
    write(scene, held, [...before, ...back, [PROMPTED, prompt()], [PROMPTED + 1, says()]]);
    const { answer } = await scene.stop({ prompt_id: 'p2' });
    const { spent, clock } = scene.budget();
    expect(spent.timeMs).toBe(minutes * MINUTE + clock.at - (held + PROMPTED * MINUTE));
    const hours = /[\d.]+(?: min)? of 4 h/.exec((await scene.person(['status'])).stdout)?.[0];
    expect(hours).toBe(`${Number((spent.timeMs / HOUR).toFixed(2))} of 4 h`);
    expect(answer?.reason).toContain('[ITERATION 2/10]');
  });

  it('in Codex as well', async () => {
    const codex = (payload: Row, more: Row = {}): Row => ({ type: 'response_item', payload, ...more });
    const said = codex({
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'So.' }],
    });
    const asked = codex({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] });
    const aborted = { type: 'event_msg', payload: { type: 'turn_aborted', reason: 'interrupted' } };
    const { scene, held } = await heldLongAgo({ turn_id: 't1', prompt_id: undefined });
    write(scene, held, [
      [1, codex({ type: 'function_call', name: 'shell', call_id: 'a' })],
      [6, codex({ type: 'function_call_output', call_id: 'a' })],
      ...([
        [6, aborted],
        [PROMPTED, asked],
        [PROMPTED + 1, said],
      ] as const),
    ]);
    await scene.stop({ turn_id: 't2', prompt_id: undefined });
    const { spent, clock } = scene.budget();
    expect(spent.timeMs).toBe(6 * MINUTE + clock.at - (held + PROMPTED * MINUTE));
  });

  it('where the prompt’s row comes late into the transcript', async () => {
    const { scene, held } = await heldLongAgo();
    write(scene, held, [
      [2, says()],
      [3, esc()],
    ]);
    const [late] = [JSON.stringify({ ...prompt(), timestamp: new Date().toISOString() })];
    const env = {
      NODE_OPTIONS: `--require "${LATE}"`,
      ...{ LATE_FILE: scene.transcript(), LATE_LINE: late, LATE_AT: '3' },
    };
    await scene.stop({ prompt_id: 'p2' }, { env });
    expect(scene.budget().spent.timeMs).toBeLessThan(10 * MINUTE);
  });

  it('where its row does not come at all', async () => {
    const { scene, held } = await heldLongAgo();
    write(scene, held, [[2, says()]]);
    await scene.stop({ prompt_id: 'p2' });
    expect(scene.budget().spent.timeMs).toBe(2 * MINUTE);
  });
});

describe('hours', () => {
  it('after a stop that was allowed begin with the next prompt', async () => {
    const { scene } = await heldLongAgo();
    const running = [{ id: 'a1', type: 'subagent', status: 'running', description: 'Look' }];
    await scene.stop({ prompt_id: 'p1', background_tasks: running });
    const allowed = Date.now() - 11 * HOUR;
    scene.changeBudget(({ spent, clock }) => ({
      spent: { ...spent, timeMs: 0 },
      clock: { ...clock, at: allowed, still: clock.still && { ...clock.still, since: allowed, until: null } },
    }));
    write(scene, allowed, [
      [PROMPTED, prompt()],
      [PROMPTED + 1, says()],
    ]);
    await scene.stop({ prompt_id: 'p2' });
    const { spent, clock } = scene.budget();
    expect(spent.timeMs).toBe(clock.at - (allowed + PROMPTED * MINUTE));
  });

  it('end with a turn that failed, however it failed', async () => {
    const { scene, held } = await heldLongAgo();
    const failure = { hook_event_name: 'StopFailure', error: 'invalid_request', prompt_id: 'p1' };
    await scene.stop(failure, { args: ['stop-failure'] });
    expect(scene.budget().clock.still).toMatchObject({ for: 'limit' });
    scene.changeBudget(({ clock }) => ({
      clock: { ...clock, still: clock.still && { ...clock.still, since: held + 5 * MINUTE } },
    }));
    await scene.stop({ prompt_id: 'p2' });
    expect(scene.budget().spent.timeMs).toBe(5 * MINUTE);
  });

  it('count in a session that took the run over from then on, and in the former one to its last row', async () => {
    const { scene, held } = await heldLongAgo();
    write(scene, held, [[7, says()]]);
    await scene.agent(['adopt', scene.budget().run], 'another');
    const adopted = scene.sidecar('idle').takenOver ?? 0;
    const line = { ...says(), timestamp: new Date(adopted + 1).toISOString() };
    fs.writeFileSync(scene.transcript('another'), `${JSON.stringify(line)}\n`);
    await scene.stop({ session_id: 'another', prompt_id: 'p9' });
    const { spent, clock } = scene.budget();
    expect(spent.timeMs).toBe(7 * MINUTE + clock.at - adopted);
  });

  it('of a record of an older version, and of a client without times, go from stop to stop; that is said', async () => {
    const { scene, held } = await heldLongAgo();
    const session = { session_id: SESSION };
    scene.changeBudget(() => ({ clock: { at: held + 10 * HOUR, still: null } }));
    fs.writeFileSync(
      scene.transcript(),
      `${JSON.stringify({ type: 'assistant', uuid: 'u', message: {} })}\n`,
    );
    await scene.stop(session);
    const { spent, clock } = scene.budget();
    expect(spent.timeMs).toBe(clock.at - (held + 10 * HOUR));
    const said = 'Its hours count from stop to stop, since its client writes down no times.';
    expect((await scene.person(['status'])).stdout).toContain(said);
    write(scene, Date.now(), [[0, says()]]);
    await scene.stop(session);
    expect((await scene.person(['status'])).stdout).not.toContain(said);
  });
});
