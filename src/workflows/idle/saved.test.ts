import { describe, expect, it } from 'vitest';
import { keepSignal, readSaved, writeSaved, writeWord } from './saved.ts';

describe('a signal that was kept', () => {
  const kept = { signal: '<loop-done>COMPLETE</loop-done>', state: 'abc' };

  it('is read as it was written', () => {
    const saved = { position: null, seen: 'line', keptSignal: kept };
    expect(readSaved(writeSaved(saved))).toEqual(saved);
    expect(readSaved(keepSignal(undefined, writeWord(kept))).keptSignal).toEqual(kept);
  });

  it('is read under the name that earlier versions gave it', () => {
    expect(readSaved({ position: null, seen: null, heard: kept }).keptSignal).toEqual(kept);
  });

  it('is not taken from there once this version has written', () => {
    expect(readSaved({ heard: kept, keptSignal: null }).keptSignal).toBeNull();
  });

  it.each([
    ['no object', 'x'],
    ['without a state', { signal: 'x' }],
    ['without a signal', { state: 'x' }],
  ])('counts as never given where it is %s', (_, found) => {
    expect(readSaved({ keptSignal: found }).keptSignal).toBeNull();
    expect(readSaved({ heard: found }).keptSignal).toBeNull();
  });
});

describe('what is remembered of the log', () => {
  const position = { topic: '01JBF9X0000000000000000000', inode: 42, scanned: 0 };

  it('is believed as it was written, also at the very beginning', () => {
    expect(readSaved({ position }).position).toEqual(position);
    expect(readSaved({ position: { ...position, scanned: 5_000_000 } }).position?.scanned).toBe(5_000_000);
  });

  it.each([
    ['no object', 'x'],
    ['a list', [position]],
    ['nothing', null],
    ['a topic that is no text', { ...position, topic: 7 }],
    ['an inode that is no number', { ...position, inode: '42' }],
    ['a position that is no number', { ...position, scanned: '0' }],
    ['half a byte', { ...position, scanned: 0.5 }],
    ['a position before the beginning', { ...position, scanned: -1 }],
  ])('counts as never written where it is %s', (_, found) => {
    expect(readSaved({ position: found }).position).toBeNull();
  });
});
