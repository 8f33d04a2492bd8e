// The hook events that clients call us for. One line each; a stop is what nearly every call is, so it alone is loaded
// with the hook itself.

import type { HookCall, HookResult } from './call.ts';
import { stopHook } from './stop.ts';

type HookEvent = (call: HookCall) => Promise<HookResult>;

export const events: Readonly<Record<string, HookEvent>> = {
  stop: stopHook,
  'pre-compact': async (call) => (await import('./pre-compact.ts')).preCompactHook(call),
  'session-start': async (call) => (await import('./session-start.ts')).sessionStartHook(call),
  'stop-failure': async (call) => (await import('./stop-failure.ts')).stopFailureHook(call),
};
