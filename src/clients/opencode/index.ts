// opencode (1.18.33), which has no stop hook of its own: our plugin in it (extensions/opencode) calls the hook and writes
// the transcript. What both say is therefore ours; a turn that was aborted or failed never comes here.

import type { Client } from '../client.ts';
import { decodeCommon } from '../decode.ts';
import { encodeAnswer } from '../encode.ts';
import { passedLimit } from '../hook-limit.ts';
import { readTranscriptLine } from './transcript.ts';

export const opencode: Client = {
  name: 'opencode',
  title: 'opencode',
  sessionVariables: ['OPENCODE_SESSION_ID'],
  shellMark: 'OPENCODE=1',
  pidVariable: 'OPENCODE_PID',
  recognises: (payload) => payload.opencode === 1,
  decode: (payload) => decodeCommon(payload, 'opencode'),
  encode: encodeAnswer,
  readTranscriptLine,
  usage: () => import('./usage.ts').then(({ usage }) => usage),
  work: () => import('./work.ts').then(({ work }) => work),
  hookLimit: passedLimit,
  install: {
    program: 'opencode',
    projectScope: false,
    asksForTrust: false,
    load: () => import('./install.ts').then((module) => module.installer),
  },
  headless: {
    program: 'opencode',
    load: () => import('./headless/index.ts').then((module) => module.headless),
  },
};
