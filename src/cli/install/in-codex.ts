// Installs Holdfast in Codex and takes it out again. Its hooks run only once they are trusted: they are shown,
// and either that is recorded, or it is said what to press.

import { codexLoadProblems, type CodexState, lookAtCodex, planCodexInstall, planCodexUninstall } from './codex.ts';
import { type CodexHook, type CodexHooks, forgetCodexHooks, lookAtCodexHooks, trustCodexHooks } from './codex-hooks.ts';
import { type Outcome, wouldRun } from './in-claude.ts';
import { asCommand, carryOutSteps } from './program.ts';
import type { Wishes } from './wishes.ts';

export type CodexInstall = { trust: boolean; dryRun: boolean; cli: string };

export async function installInCodex(state: CodexState, wishes: Wishes, how: CodexInstall): Promise<Outcome> {
  const name = `Codex ${state.version}`;
  const steps = planCodexInstall(state, wishes);
  if (how.dryRun) {
    const trusting = how.trust ? ['  then the hooks it lists for holdfast@holdfast would be trusted'] : [];
    return { good: true, lines: [...wouldRun(name, steps.map(asCommand)), ...trusting] };
  }
  await carryOutSteps(steps);
  const problems = codexLoadProblems((await lookAtCodex(wishes.cwd)) ?? state, wishes);
  if (problems.length > 0) return { good: false, lines: problems.map((problem) => `${name}: ${problem}`) };
  const installed = `${name}: installed ${wishes.plugins.join(', ')} for all your projects.`;
  const before = await lookAtCodexHooks(wishes.cwd);
  const after = how.trust ? await trustCodexHooks(wishes.cwd) : before;
  const { good, lines } = describeHooks(after, how);
  return { good, lines: [installed, ...lines] };
}

/** What Codex will run, and what is left to do for it. */
export function describeHooks({ hooks, problems }: CodexHooks, how: Pick<CodexInstall, 'trust' | 'cli'>): Outcome {
  if (hooks.length === 0) return { good: false, lines: [`  ${noHooks(problems)}`] };
  const shown = hooks.map((hook) => `    ${eventLabel(hook).padEnd(12)}  ${hook.command}`);
  const waiting = hooks.filter((hook) => hook.trust === 'untrusted' || hook.trust === 'modified');
  const off = hooks.filter((hook) => !hook.enabled).map(eventLabel);
  const switchedOff = off.length === 0 ? [] : [`  Switched off in Codex: ${off.join(', ')}. /hooks turns them on.`];
  if (waiting.length === 0)
    return { good: off.length === 0, lines: ['  Codex trusts its hooks:', ...shown, ...switchedOff] };
  if (how.trust) return { good: false, lines: ['  Codex did not take the trust in its hooks:', ...shown] };
  return {
    good: true,
    lines: [
      '  Codex does not run these hooks until you trust them; they run outside its sandbox:',
      ...shown,
      `  ${howToTrust(how.cli)}`,
      ...switchedOff,
    ],
  };
}

export function howToTrust(cli: string): string {
  return `To trust them: start codex, and at "Hooks need review" choose "Review hooks" and press t (in an open session: /hooks, then t). Or run: ${cli} install --client codex --trust`;
}

export function noHooks(problems: readonly string[]): string {
  const [problem] = problems;
  return problem === undefined
    ? 'Codex lists none of its hooks: are hooks switched off there? `codex features enable hooks` turns them on.'
    : `Codex cannot use its hooks: ${problem}`;
}

/** stop → Stop, as hooks.json and Codex's own screens spell it. */
export function eventLabel({ event }: CodexHook): string {
  return event.charAt(0).toUpperCase() + event.slice(1);
}

export async function removeFromCodex(
  state: CodexState,
  known: readonly string[],
  cwd: string,
  dryRun: boolean,
): Promise<Outcome> {
  const name = `Codex ${state.version}`;
  const steps = planCodexUninstall(state, known, cwd);
  if (dryRun) return { good: true, lines: wouldRun(name, steps.map(asCommand)) };
  if (steps.length === 0) return { good: true, lines: [`${name}: nothing of Holdfast is installed there.`] };
  await forgetCodexHooks(cwd);
  await carryOutSteps(steps);
  const names = steps.flatMap(({ args }) => (args[1] === 'remove' ? [args[2]?.split('@')[0]] : []));
  return { good: true, lines: [`${name}: removed ${names.join(', ')}, and its trust in the hooks.`] };
}
