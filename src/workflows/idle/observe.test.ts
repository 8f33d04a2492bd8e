import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { contextIn, emptyFolder, NOW, projectIn } from '../../../test/support/bare-project.ts';
import type { RunContext } from '../../engine/context.ts';
import type { Json } from '../../store/json.ts';
import { LOG_FILE } from './files.ts';
import { look, signalGiven } from './look.ts';
import { askedOf, observe, reasonOf, topMode } from './observe.ts';
import { writeWord } from './saved.ts';

const COMPLETE = '<loop-done>COMPLETE</loop-done>';

let root: string;
beforeEach(() => {
  root = emptyFolder();
});

function put(stack: readonly object[], fields: object = {}): void {
  const body = { schema: 1, run_id: 'r1', updated_at: '2026-01-31T09:29:00Z', stack, ...fields };
  const lines = [
    { type: 'topic', id: 'T', name: 'loop:current' },
    { type: 'message', id: 'M', topic_id: 'T', body: JSON.stringify(body) },
  ];
  fs.mkdirSync(path.join(root, '.jwz'), { recursive: true });
  fs.writeFileSync(path.join(root, LOG_FILE), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}
type Over = { run?: string; said?: string | null; saved?: Json; keptSignals?: RunContext['keptSignals'] };
const contextOf = ({ run = 'r1', said = null, saved, keptSignals }: Over = {}): RunContext =>
  contextIn(projectIn(root), run, {
    stop: { lastMessage: said },
    saved,
    ...(keptSignals === undefined ? {} : { keptSignals }),
  });
const seen = (over: Over = {}) => observe(contextOf(over));
const LOOP = [{ mode: 'loop', iter: 1, max: 10 }];

describe('what a stop sees of a loop', () => {
  it('is the time of its own clock, the check that ends it, and that nobody looked at limits', () => {
    put([
      { mode: 'loop', until: 'outer' },
      { mode: 'loop', until: 'test' },
    ]);
    expect(observe({ ...contextOf(), now: NOW - 5 }).facts).toEqual({
      ...{ now: NOW - 5, limited: null, signal: 'none', nearMiss: 'none', seen: null, untilCheck: 'test' },
    });
  });

  it.each([undefined, '', 7, null])('is no check where the frame says %j', (until) => {
    put([{ mode: 'loop', until }]);
    expect(seen().facts.untilCheck).toBeNull();
  });

  it('is nothing where another loop has taken its place', () => {
    put(LOOP);
    expect(seen({ run: 'r2' }).state).toEqual({ kind: 'nothing' });
    expect(seen({ run: 'r2' }).world.found.run).toBe('r1');
    expect(seen().state).toMatchObject({ kind: 'loop' });
  });

  it.each([
    ['Working.', 'none', 'none'],
    [COMPLETE, 'unread', 'none'],
    [`I will say ${COMPLETE} then.`, 'unread', 'none'],
    [null, 'none', 'none'],
    ['<loop-done>complete</loop-done>', 'none', 'spelling'],
  ])('of the message %j is that the signal is %s, and near: %s', (said, signal, nearMiss) => {
    put(LOOP);
    expect(seen({ said }).facts).toMatchObject({ signal, nearMiss, seen: null });
  });

  it('is no signal where the mode is not known, or there is no loop', () => {
    put([{ mode: 'other' }]);
    expect(seen({ said: COMPLETE }).facts).toMatchObject({ signal: 'none', nearMiss: 'none', seen: null });
    put([]);
    expect(seen({ said: COMPLETE }).facts.signal).toBe('none');
  });

  it('is a signal that was kept in this very state, from the notes or from beside them', () => {
    put(LOOP);
    const { stateHash: state } = seen();
    const kept = (signal: string, of = state) => ({ signal, state: of });
    const signalOf = (over: Over) => seen(over).facts.signal;
    expect(signalOf({ saved: { keptSignal: kept(COMPLETE) } })).toBe('COMPLETE');
    expect(signalOf({ keptSignals: [writeWord(kept('<loop-done>STUCK</loop-done>'))] })).toBe('STUCK');
    expect(signalOf({ saved: { keptSignal: kept(COMPLETE, 'old') } })).toBe('none');
    expect(signalOf({ saved: { keptSignal: kept('constructor') } })).toBe('none');
    expect(
      signalOf({ saved: { keptSignal: kept(COMPLETE, 'old') }, keptSignals: [writeWord(kept(COMPLETE))] }),
    ).toBe('COMPLETE');
  });
});

describe('a signal', () => {
  it.each([
    ['loop', COMPLETE, 'COMPLETE'],
    ['loop', '<loop-done>MAX_ITERATIONS</loop-done>', 'MAX_ITERATIONS'],
    ['issue', '<loop-done>STUCK</loop-done>', 'STUCK'],
    ['issue', '<issue-complete>DONE</issue-complete>', 'DONE'],
    ['grind', '<grind-done>NO_MORE_ISSUES</grind-done>', 'NO_MORE_ISSUES'],
    ['grind', '<grind-done>MAX_ISSUES</grind-done>', 'MAX_ISSUES'],
    ['grind', COMPLETE, null],
    ['loop', '<issue-complete>DONE</issue-complete>', null],
    ['loop', 'toString', null],
  ] as const)('means in the mode %s, as %s: %s', (mode, signal, reason) => {
    expect(reasonOf(mode, signal)).toBe(reason);
  });

  it('is read from the message, and what came near to one is told', async () => {
    put(LOOP);
    const read = (said: string) => look(contextOf({ said }), seen().world);
    expect(await read(`Done.\n\n${COMPLETE}\n`)).toEqual({
      signal: 'COMPLETE',
      nearMiss: 'none',
      seen: null,
    });
    expect(await read(`I will say ${COMPLETE} then.`)).toMatchObject({ signal: 'none', nearMiss: 'place' });
    expect(await read(`\`\`\`\n${COMPLETE}\n\`\`\``)).toMatchObject({ signal: 'none', nearMiss: 'code' });
  });

  it('is none in a mode that is not known', async () => {
    put([{ mode: 'other' }]);
    expect(await look(contextOf({ said: COMPLETE }), seen().world)).toEqual({
      ...{ signal: 'none', nearMiss: 'none', seen: null },
    });
    expect(await signalGiven(contextOf({ said: COMPLETE }))).toBeNull();
  });

  it('that is given while the loop is passed by is kept with the state it was given in', async () => {
    put(LOOP);
    const { stateHash } = seen();
    expect(await signalGiven(contextOf({ said: COMPLETE }))).toEqual({
      word: `${stateHash} ${COMPLETE}`,
      state: stateHash,
    });
    expect(await signalGiven(contextOf({ said: 'Working.' }))).toBeNull();
    expect(await signalGiven(contextOf({ said: COMPLETE, run: 'r2' }))).toBeNull();
  });
});

describe('what is asked of a transcript', () => {
  it('is the message after the line seen last, by its last block where there is one', () => {
    const asked = (lastMessage: string | null) =>
      askedOf(
        contextIn(projectIn(root), 'r1', {
          stop: { lastMessage, transcriptPath: '/t' },
          saved: { seen: 'line' },
        }),
      );
    expect(asked('Done.')).toEqual({ file: '/t', session: 'session-1', lastBlock: 'Done.', since: 'line' });
    expect(asked(' \n').lastBlock).toBeNull();
    expect(asked(null).lastBlock).toBeNull();
  });

  it('goes by the mode of the innermost frame', () => {
    const frame = { iter: 1, max: 2, carryOn: false };
    const loop = (modes: readonly ('loop' | 'grind' | 'unknown')[]) =>
      topMode({
        kind: 'loop',
        event: 'STATE',
        updatedAt: 0,
        stack: modes.map((mode) => ({ ...frame, mode })),
      });
    expect([loop(['grind', 'loop']), loop(['loop', 'unknown']), loop([])]).toEqual(['loop', null, null]);
    expect(topMode({ kind: 'lost' })).toBeNull();
  });
});
