import { expect, it } from 'vitest';
import { decodeCommon } from './decode.ts';
import type { Stop } from './stop.ts';

const bare: Stop = {
  ...{ client: 'x', session: null, turn: null, cwd: null, transcriptPath: null },
  ...{ lastMessage: null, planMode: false, backgroundTasks: [] },
};

it.each<[object, Partial<Stop>]>([
  [{}, {}],
  [{ session_id: 'a', sessionId: 'b', conversation_id: 'c' }, { session: 'a' }],
  [{ session_id: '', sessionId: 'b', conversation_id: 'c' }, { session: 'b' }],
  [{ sessionId: 7, conversation_id: 'c' }, { session: 'c' }],
  [{ session_id: 'a\0' }, {}],
  [
    { cwd: '/c', transcript_path: '/t' },
    { cwd: '/c', transcriptPath: '/t' },
  ],
  [{ cwd: '/c\0', transcript_path: '/t\0' }, {}],
  [{ last_assistant_message: 'a\0b' }, { lastMessage: 'a\0b' }],
  [{ last_assistant_message: '' }, {}],
  [{ permission_mode: 'plan' }, { planMode: true }],
  [{ permission_mode: 'default' }, {}],
  [{ turn_id: 't', prompt_id: 'p', background_tasks: [{ status: 'running' }] }, {}],
])('what all clients send is read: %j', (payload, stop) => {
  expect(decodeCommon({ ...payload }, 'x')).toEqual({ ...bare, ...stop });
});
