// A server that is overloaded, and a conversation that is too long, as each of the two APIs says it.

import type { Reply } from './script.ts';

type Client = 'claude-code' | 'codex';

/** Two in a row, in the ways that each API has for it. */
export function overload(client: Client): readonly Reply[] {
  const overloaded = { status: 529, type: 'overloaded_error', message: 'Overloaded' };
  if (client === 'claude-code') return [{ fails: overloaded }, { fails: overloaded }];
  const busy = { status: 503, type: 'service_unavailable_error', message: 'Our servers are overloaded.' };
  return [{ fails: overloaded }, { fails: { ...busy, details: { code: 'server_is_overloaded' } } }];
}

/** OpenAI's API says it within the stream of an answer that was begun. */
export function overflow(client: Client): Reply {
  if (client === 'claude-code')
    return {
      fails: {
        status: 400,
        type: 'invalid_request_error',
        message: 'prompt is too long: 210000 tokens > 200000 maximum',
      },
    };
  return {
    fails: {
      status: 200,
      type: 'invalid_request_error',
      message: 'Your input exceeds the context window of this model.',
      details: { code: 'context_length_exceeded' },
    },
  };
}
