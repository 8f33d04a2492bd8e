// Qwen Code, as 0.24.4 behaves: it takes Claude Code's plugins as extensions and sends Claude's fields and a few
// more. The final message is in its transcript when the hook starts.

import type { Client, Payload } from '../client.ts';
import { decodeCommon } from '../decode.ts';
import { encodeAnswer } from '../encode.ts';
import { nameField } from '../fields.ts';
import { CAP_VARIABLE, holdsHonoured } from './cap.ts';
import { isFromQwen } from './mark.ts';
import { readTranscriptLine } from './transcript.ts';

export const qwen: Client = {
  name: 'qwen',
  title: 'Qwen Code',
  sessionVariables: ['QWEN_CODE_SESSION_ID'],
  hookVariables: [
    ...['QWEN_CODE', 'QWEN_CODE_AGENT_ID', 'QWEN_CODE_CLI', 'QWEN_CODE_LAUNCHER_PID', 'QWEN_CODE_MODEL'],
    ...['QWEN_CODE_NO_RELAUNCH', 'QWEN_CODE_PROJECT_DIR', 'QWEN_CODE_PROMPT_ID', 'QWEN_PROJECT_DIR'],
    ...['QWEN_CODE_PRIVATE_RELAUNCH_ENV_PROVENANCE', 'QWEN_CODE_STARTUP_VERSION'],
  ],
  recognises: isFromQwen,
  decode: (payload) => ({
    ...decodeCommon(payload, 'qwen'),
    turn: nameField(payload, 'prompt_id'),
    ...wasHeld(payload),
  }),
  encode: encodeAnswer,
  readTranscriptLine,
  mustBeHeard: { lags: false },
  holdsPerPrompt: {
    most: holdsHonoured,
    more: `With ${CAP_VARIABLE}=100 in its environment it takes more of them.`,
  },
  hookLimit,
  usage: () => import('./usage.ts').then((module) => module.usage),
  work: () => import('./work.ts').then(({ work }) => work),
  install: {
    program: 'qwen',
    projectScope: false,
    asksForTrust: false,
    load: () => import('./install.ts').then((module) => module.installer),
  },
  headless: {
    program: 'qwen',
    allows: (denied) => `"permissions": {"allow": [${JSON.stringify(denied)}]} in .qwen/settings.json`,
    load: () => import('./headless/index.ts').then((module) => module.headless),
  },
};

function wasHeld({ stop_hook_active: active }: Payload): { afterHold?: boolean } {
  return typeof active === 'boolean' ? { afterHold: active } : {};
}

/** From 1000 on it reads a hook's timeout as milliseconds: our 7200 s are 7.2 s there. */
function hookLimit(passed: number | null): number | null {
  return passed !== null && passed >= 1000 ? passed / 1000 : passed;
}
