// Codex CLI, as 0.166.0 behaves: its stop payload, its answers. Recordings: test/fixtures/recorded.

import type { Client, Payload } from '../client.ts';
import { decodeCommon } from '../decode.ts';
import { isFromDroid } from '../droid/index.ts';
import { encodeAnswer } from '../encode.ts';
import { nameField } from '../fields.ts';
import { ownLimit } from '../hook-limit.ts';
import { isFromQwen } from '../qwen/mark.ts';
import { startFolder } from './start-folder.ts';
import { readTranscriptLine } from './transcript.ts';

export const codex: Client = {
  name: 'codex',
  title: 'Codex',
  sessionVariables: ['CODEX_SESSION_ID', 'CODEX_THREAD_ID'],
  hookVariables: ['CODEX_MANAGED_BY_NPM', 'CODEX_MANAGED_PACKAGE_ROOT'],
  sandbox: (stop, env, root) => import('./sandbox.ts').then(({ sandboxOf }) => sandboxOf(stop, env, root)),
  startFolder,
  recognises,
  decode: (payload) => ({ ...decodeCommon(payload, 'codex'), turn: nameField(payload, 'turn_id') }),
  encode: encodeAnswer,
  readTranscriptLine,
  marksCompaction: true,
  usage: () => import('./usage.ts').then(({ usage }) => usage),
  work: () => import('./work.ts').then(({ work }) => work),
  hookLimit: ownLimit,
  longCommands: 'sandboxed',
  skillMark: '$',
  install: {
    program: 'codex',
    projectScope: false,
    asksForTrust: true,
    load: () => import('./install.ts').then((module) => module.installer),
  },
  headless: {
    program: 'codex',
    load: () => import('./headless/index.ts').then((module) => module.headless),
  },
};

/** Its SessionStart has no turn yet; Claude Code's may name the model too, but never a permission mode. */
function recognises(payload: Payload): boolean {
  if ('turn_id' in payload) return true;
  if ('prompt_id' in payload || isFromQwen(payload) || isFromDroid(payload)) return false;
  return (
    ('model' in payload && 'permission_mode' in payload) || isRollout(nameField(payload, 'transcript_path'))
  );
}

function isRollout(transcript: string | null): boolean {
  return transcript?.slice(transcript.lastIndexOf('/') + 1).startsWith('rollout-') ?? false;
}
