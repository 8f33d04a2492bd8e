// A client for the test beside this file, which puts it into a copy of the tree as src/clients/toybox.ts. It differs
// from the real ones in everything it can: its fields, its answers, its variable, its program.

import type { ClientEntry } from '../../src/clients/client.ts';
import { decodeCommon } from '../../src/clients/decode.ts';
import { textField } from '../../src/clients/fields.ts';
import { passedLimit } from '../../src/clients/hook-limit.ts';
import type { FoundClient } from '../../src/clients/installer.ts';
import { isOnPath } from '../../src/store/on-path.ts';

export const toybox: ClientEntry = {
  name: 'toybox',
  title: 'Toybox',
  sessionVariables: ['TOYBOX_SESSION_ID'],
  recognises: (payload) => 'toybox_version' in payload,
  decode: (payload) => ({
    ...decodeCommon(payload, 'toybox'),
    lastMessage: textField(payload, 'said'),
  }),
  encode: (answer, { session }) => {
    const said = answer.kind === 'hold' ? { go_on: answer.reason, session } : { notice: answer.notice };
    return { stdout: `${JSON.stringify(said)}\n`, stderr: '', exitCode: 0 };
  },
  hookLimit: passedLimit,
  install: {
    program: 'toybox',
    projectScope: false,
    asksForTrust: false,
    load: async () => ({ look: async () => (isOnPath('toybox', process.env) ? found : null) }),
  },
};

const found: FoundClient = {
  source: null,
  hasPlugins: false,
  install: async ({ plugins }, { dryRun }) => ({
    good: true,
    changed: !dryRun,
    lines: [`Toybox ${dryRun ? 'would get' : 'got'} ${plugins.join(', ')}.`],
  }),
  uninstall: async () => ({ good: true, changed: true, lines: ['Toybox: removed.'] }),
  check: async () => [{ result: 'good', what: 'Toybox: the plugin is installed', fix: null }],
};
