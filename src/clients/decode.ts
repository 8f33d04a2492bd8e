// What all clients' stop payloads have in common: the field names Claude Code introduced and others took over.

import type { Payload } from './client.ts';
import { nameField, textField } from './fields.ts';
import type { Stop } from './stop.ts';

export function decodeCommon(payload: Payload, client: string): Stop {
  return {
    client,
    session: sessionOf(payload),
    turn: null,
    cwd: nameField(payload, 'cwd'),
    transcriptPath: nameField(payload, 'transcript_path'),
    lastMessage: textField(payload, 'last_assistant_message'),
    planMode: payload.permission_mode === 'plan',
    backgroundTasks: [],
  };
}

/** Hosts spell it differently; an empty id is none, and a stop without one was fired by hand. */
function sessionOf(payload: Payload): string | null {
  return (
    nameField(payload, 'session_id') ??
    nameField(payload, 'sessionId') ??
    nameField(payload, 'conversation_id')
  );
}
