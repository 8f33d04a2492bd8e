// Which of Holdfast's hooks Codex knows and trusts, and recording or withdrawing that trust through Codex's
// own API. Codex pins a plugin's hook to its command and to the plugin's content: any change withdraws it.

import path from 'node:path';
import * as v from 'valibot';
import { isObject } from '../../store/json.ts';
import { CORE, pluginId } from '../install/marketplace.ts';
import { ClientFailed } from '../install/program.ts';
import { type Ask, talkToCodex } from './server.ts';

export type CodexHook = {
  key: string;
  event: string;
  command: string;
  /** What Codex compares: the hook's own hash, a slash, the hash of the plugin's content. */
  hash: string;
  trust: 'trusted' | 'untrusted' | 'modified' | 'managed';
  enabled: boolean;
};

/** `problems`: what Codex itself complains of about our hook file. */
export type CodexHooks = { hooks: readonly CodexHook[]; problems: readonly string[] };

const hookList = v.object({
  data: v.array(
    v.object({
      hooks: v.array(
        v.object({
          key: v.string(),
          eventName: v.string(),
          command: v.optional(v.string(), ''),
          pluginId: v.nullish(v.string()),
          enabled: v.boolean(),
          currentHash: v.string(),
          trustStatus: v.picklist(['trusted', 'untrusted', 'modified', 'managed']),
        }),
      ),
      warnings: v.optional(v.array(v.string()), []),
      errors: v.optional(v.array(v.object({ path: v.string(), message: v.string() })), []),
    }),
  ),
});

export function lookAtCodexHooks(cwd: string): Promise<CodexHooks> {
  return talkToCodex(cwd, (ask) => listHooks(ask, cwd));
}

/** Records each hook exactly as Codex shows it now; answers with what Codex says afterwards. */
export function trustCodexHooks(cwd: string): Promise<CodexHooks> {
  return talkToCodex(cwd, async (ask) => {
    const { hooks } = await listHooks(ask, cwd);
    const wanting = hooks.filter((hook) => hook.trust === 'untrusted' || hook.trust === 'modified');
    const value = Object.fromEntries(wanting.map((hook) => [hook.key, { trusted_hash: hook.hash }]));
    if (wanting.length > 0)
      await writeConfig(ask, [{ keyPath: 'hooks.state', value, mergeStrategy: 'upsert' }]);
    return listHooks(ask, cwd);
  });
}

/**
 * Takes every record of our hooks out of the user's config. Codex also keeps a hash of what it once trusted
 * in `.hook-trust/` (0.166.0): that is its own memory, no API reaches it, and it is left alone.
 */
export function forgetCodexHooks(cwd: string): Promise<void> {
  return talkToCodex(cwd, async (ask) => {
    const keys = Object.keys(userHookState(await ask('config/read', { includeLayers: true })));
    const ours = keys.filter((key) => key.startsWith(`${pluginId(CORE)}:`));
    if (ours.length === 0) return;
    const paths =
      ours.length === keys.length ? ['hooks.state'] : ours.map((key) => `hooks.state.${JSON.stringify(key)}`);
    await writeConfig(
      ask,
      paths.map((keyPath) => ({ keyPath, value: null, mergeStrategy: 'replace' })),
    );
  });
}

export function readHookList(answer: unknown): CodexHooks {
  const parsed = v.safeParse(hookList, answer);
  if (!parsed.success) throw new ClientFailed('Codex answered hooks/list with what Holdfast cannot read.');
  const entries = parsed.output.data;
  return {
    hooks: entries
      .flatMap((entry) => entry.hooks)
      .filter((hook) => hook.pluginId === pluginId(CORE))
      .map(({ key, eventName, command, currentHash, trustStatus, enabled }) => ({
        key,
        event: eventName,
        command,
        hash: currentHash,
        trust: trustStatus,
        enabled,
      })),
    problems: entries
      .flatMap((entry) => [
        ...entry.warnings,
        ...entry.errors.map(({ path, message }) => `${path}: ${message}`),
      ])
      .filter((line) => line.includes(path.join('holdfast', 'holdfast'))),
  };
}

async function listHooks(ask: Ask, cwd: string): Promise<CodexHooks> {
  return readHookList(await ask('hooks/list', { cwds: [cwd] }));
}

type Edit = { keyPath: string; value: object | null; mergeStrategy: 'upsert' | 'replace' };

async function writeConfig(ask: Ask, edits: readonly Edit[]): Promise<void> {
  await ask('config/batchWrite', { edits, reloadUserConfig: true });
}

/** `[hooks.state]` of the user's own config.toml, not of the layers above and below it. */
function userHookState(answer: unknown): Readonly<Record<string, unknown>> {
  const layers = isObject(answer) && Array.isArray(answer.layers) ? answer.layers : [];
  const user = layers.find((layer) => isObject(layer) && isObject(layer.name) && layer.name.type === 'user');
  const config = isObject(user) && isObject(user.config) ? user.config : {};
  const hooks = isObject(config.hooks) ? config.hooks : {};
  return isObject(hooks.state) ? hooks.state : {};
}
