// Invariant 1, the engine's half: no run serves a stop of a session that its sidecar does not name.

import { describe, expect, it } from 'vitest';
import type { Stop } from '../../../src/clients/stop.ts';
import { isHandFired, isServed } from '../../../src/engine/context.ts';
import { newSidecar } from '../../../src/store/records.ts';

const SESSIONS = [null, '', 'ours', 'others', 'generic', 'constructor', '__proto__'];
const CLIENTS = ['claude-code', 'codex', 'generic'] as const;
const OWNERS = [[], ['ours'], ['ours', 'its thread'], ['others'], ['generic']];

const stopOf = (client: Stop['client'], session: string | null): Stop => ({
  client,
  session,
  ...{
    turn: null,
    cwd: null,
    transcriptPath: null,
    lastMessage: null,
    planMode: false,
    backgroundTasks: [],
  },
});

describe('every session, client and owner', () => {
  it('is served exactly when the sidecar names the session, or a person fired the hook', () => {
    for (const client of CLIENTS)
      for (const session of SESSIONS)
        for (const sessions of OWNERS) {
          const stop = stopOf(client, session);
          const named = session !== null && sessions.includes(session);
          const served = isServed({ ...newSidecar('idle:x'), sessions }, stop);
          expect(served, `${client} ${session} ${sessions}`).toBe(named || isHandFired(stop));
        }
  });

  it('is served no more once its hold was handed over to the next session', () => {
    for (const client of CLIENTS)
      for (const session of SESSIONS)
        for (const sessions of OWNERS)
          for (const from of SESSIONS) {
            if (from === null) continue;
            const stop = stopOf(client, session);
            const named = session !== null && sessions.includes(session) && session !== from;
            const handover = { session: from, text: 'Go on.' };
            const served = isServed({ ...newSidecar('idle:x'), sessions, handover }, stop);
            expect(served, `${client} ${session} ${sessions} ${from}`).toBe(named || isHandFired(stop));
          }
  });

  it('is fired by hand only without a session id, or as the generic client', () => {
    for (const client of CLIENTS)
      for (const session of SESSIONS) {
        const generic = client === 'generic' && session === 'generic';
        expect(isHandFired(stopOf(client, session))).toBe(session === null || generic);
      }
  });
});
