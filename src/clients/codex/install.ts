// Installs Holdfast in Codex, takes it out again and checks it. Its hooks run only once they are trusted: they are shown,
// and either that is recorded, or it is said what to press.

import type { Environment } from '../../store/environment.ts';
import { removeIfEmpty } from '../../store/remove-if-empty.ts';
import { messageOf } from '../../text/message-of.ts';
import {
  forAllProjects,
  installerOf,
  namesOrMarketplace,
  nothingInstalled,
  wouldBeChanged,
} from '../install/by-steps.ts';
import { CORE, pluginId } from '../install/marketplace.ts';
import { carryOutSteps, type Step } from '../install/program.ts';
import type { FoundClient, Outcome, Removal, Surroundings, Wishes } from '../installer.ts';
import { checkCodex } from './check.ts';
import { type CodexHooks, forgetCodexHooks, lookAtCodexHooks, trustCodexHooks } from './hooks.ts';
import { codexCache, OldVersions } from './old-versions.ts';
import {
  type CodexState,
  codexLoadProblems,
  codexPlugins,
  lookAtCodex,
  planCodexInstall,
  planCodexUninstall,
} from './plugins.ts';
import { eventLabel, howToTrust, noHooks, PRESS } from './words.ts';

export const installer = installerOf(lookAtCodex, foundCodex);

function foundCodex(state: CodexState): FoundClient {
  return {
    source: state.source.kind === 'folder' ? state.source.folder : null,
    hasPlugins: state.plugins.length > 0,
    install: (wishes, how) => installInCodex(state, wishes, how),
    uninstall: (how) => removeFromCodex(state, how),
    check: (here) => checkCodex(state, here),
  };
}

type CodexInstall = Surroundings & { trust: boolean; dryRun: boolean };

async function installInCodex(state: CodexState, wishes: Wishes, how: CodexInstall): Promise<Outcome> {
  const name = `Codex ${state.version}`;
  const steps = planCodexInstall(state, wishes);
  if (how.dryRun) {
    const planned = wouldBeChanged({ name, steps });
    const trusting = how.trust ? ['  then the hooks it lists for holdfast@holdfast would be trusted'] : [];
    return { ...planned, lines: [...planned.lines, ...trusting] };
  }
  const lost = await carryOutAndKeepOldPaths(steps, wishes, how.env);
  const problems = codexLoadProblems(await codexPlugins(wishes.cwd), wishes);
  if (problems.length > 0)
    return { good: false, changed: true, lines: problems.map((problem) => `${name}: ${problem}`) };
  const before = wishes.plugins.every((each) =>
    state.plugins.some((other) => other.pluginId === pluginId(each)),
  );
  const done = before ? 'brought up to date' : 'installed';
  const installed = `${name}: ${done} ${forAllProjects(wishes)}.`;
  const { good, lines } = await settleTrust(wishes.cwd, how);
  return { good, changed: true, lines: [installed, ...lost, ...lines] };
}

/**
 * Step by step, so that an open session finds its plugin again as soon as that one is renewed. Answers with a line for
 * each version whose sessions lose theirs.
 */
async function carryOutAndKeepOldPaths(
  steps: readonly Step[],
  { source, plugins }: Wishes,
  env: Environment,
): Promise<string[]> {
  const old = new OldVersions(codexCache(env), source.version);
  const lost = old.higher(CORE);
  try {
    old.save(plugins);
    for (const step of steps) {
      await carryOutSteps([step]);
      old.putBack();
    }
  } finally {
    old.forgetCopies();
  }
  return lost.map(
    (version) =>
      `  Sessions that are open with Holdfast ${version} are no longer held: start them again with \`codex resume\`.`,
  );
}

type Settled = Omit<Outcome, 'changed'>;

/** An older Codex may not answer here: the plugin is installed all the same, and its own screen can trust it. */
async function settleTrust(cwd: string, how: CodexInstall): Promise<Settled> {
  try {
    return describeHooks(await (how.trust ? trustCodexHooks(cwd) : lookAtCodexHooks(cwd)), how);
  } catch (error) {
    const why = messageOf(error);
    const lines = [
      `  Whether Codex trusts its hooks could not be read: ${why}`,
      `  To trust them: ${PRESS}.`,
    ];
    return { good: !how.trust, lines };
  }
}

/** What Codex will run, and what is left to do for it. */
export function describeHooks(
  { hooks, problems }: CodexHooks,
  how: Pick<CodexInstall, 'trust' | 'cli'>,
): Settled {
  if (hooks.length === 0) return { good: false, lines: [`  ${noHooks(problems)}`] };
  const shown = hooks.map((hook) => `    ${eventLabel(hook).padEnd(12)}  ${hook.command}`);
  const waiting = hooks.filter((hook) => hook.trust === 'untrusted' || hook.trust === 'modified');
  const off = hooks.filter((hook) => !hook.enabled).map(eventLabel);
  const switchedOff =
    off.length === 0 ? [] : [`  Switched off in Codex: ${off.join(', ')}. /hooks turns them on.`];
  if (waiting.length === 0)
    return { good: off.length === 0, lines: ['  Codex trusts its hooks:', ...shown, ...switchedOff] };
  if (how.trust) return { good: false, lines: ['  Codex did not take the trust in its hooks:', ...shown] };
  return {
    good: true,
    lines: [
      '  Codex does not run these hooks until you trust them; they run outside its sandbox:',
      ...shown,
      `  To trust them: ${howToTrust(how.cli)}`,
      ...switchedOff,
    ],
  };
}

async function removeFromCodex(state: CodexState, how: Removal): Promise<Outcome> {
  const name = `Codex ${state.version}`;
  const steps = planCodexUninstall(state, how.known, how.cwd);
  if (how.dryRun) return wouldBeChanged({ name, steps });
  if (steps.length === 0) return nothingInstalled(name);
  const trustLeft = await forgetTrust(how.cwd);
  await carryOutSteps(steps);
  removeIfEmpty(codexCache(how.env));
  const names = steps.flatMap(({ args }) => (args[1] === 'remove' ? (args[2]?.split('@')[0] ?? []) : []));
  const removed = `${name}: removed ${namesOrMarketplace(names)}`;
  return trustLeft === null
    ? { good: true, changed: true, lines: [`${removed}, and the trust in its hooks.`] }
    : { good: false, changed: true, lines: [`${removed}.`, `  ${trustLeft}`] };
}

/** Null when it is done; else what is left, where. */
async function forgetTrust(cwd: string): Promise<string | null> {
  try {
    await forgetCodexHooks(cwd);
    return null;
  } catch (error) {
    const why = messageOf(error);
    return `The trust in its hooks is still in Codex's config.toml, under [hooks.state]: ${why}`;
  }
}
