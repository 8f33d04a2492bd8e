import { describe, expect, it } from 'vitest';
import type { Trouble } from '../../headless.ts';
import { troubleIn } from './trouble.ts';

describe('why a turn of Qwen Code’s failed', () => {
  it.each<[string, Trouble['what'], string]>([
    ['x', 'unknown', 'x'],
    ['[API Error: x]', 'unknown', 'x'],
    ['[API Error: a [b] c]', 'unknown', 'a [b] c'],
    ['[API Error: 500 a\nb]', 'server', '500 a b'],
    ['[API Error: 500 a]\nmore', 'server', '500 a'],
    ['x [API Error: 500 a]', 'unknown', 'x [API Error: 500 a]'],
    ['[API Error: 500 a] more', 'unknown', '[API Error: 500 a] more'],
    ['[API Error: 400 bad]', 'refused', '400 bad'],
    ['[API Error: 401 no]', 'login', '401 no'],
    ['[API Error: 429 slow]', 'limit', '429 slow'],
    ['[API Error: 402 pay]', 'billing', '402 pay'],
    ['[API Error: 5000 x]', 'unknown', '5000 x'],
    ['[API Error: 300 x]', 'unknown', '300 x'],
    ['[API Error: at 500 x]', 'unknown', 'at 500 x'],
    ['[API Error: 429 insufficient_quota]', 'billing', '429 insufficient_quota'],
    ['[API Error: 429 check your billing details]', 'billing', '429 check your billing details'],
    ['[API Error: 400 context_length_exceeded]', 'context', '400 context_length_exceeded'],
    ['[API Error: 400 maximum context length]', 'context', '400 maximum context length'],
    ['the context window is full', 'context', 'the context window is full'],
    ['The context is too large', 'context', 'The context is too large'],
    ['Range of Input length', 'context', 'Range of Input length'],
    ['[API Error: Connection error.]', 'network', 'Connection error.'],
    ['fetch failed', 'network', 'fetch failed'],
    ['read ECONNRESET', 'network', 'read ECONNRESET'],
    ['getaddrinfo ENOTFOUND', 'network', 'getaddrinfo ENOTFOUND'],
    ['socket hang up', 'network', 'socket hang up'],
    ['Request timed out', 'network', 'Request timed out'],
    ['a timeout', 'network', 'a timeout'],
    ['time out', 'network', 'time out'],
    ['[API Error: 400 fetch failed]', 'refused', '400 fetch failed'],
  ])('%j is %s', (message, what, said) => {
    expect(troubleIn(message)).toEqual({ what, resetsAt: null, said });
  });
});
