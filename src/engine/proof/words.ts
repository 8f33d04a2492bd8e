// What people and agents read about proof: message files with their slots filled from what is known. What a check
// printed, and every name, may have been written by anybody: no control codes, bounded in length.

import { render } from '../../text/render.ts';
import { shellQuote } from '../../text/shell.ts';
import { ACCEPTED } from './describe.ts';
import { duration, inWords, listOf, shown } from './in-words.ts';
import { isRed, isRefusing } from './judge.ts';
import acceptedRed from './messages/accepted-red.md';
import cannotRun from './messages/cannot-run.md';
import heldForProtected from './messages/held-for-protected.md';
import logNotKept from './messages/log-not-kept.md';
import protectedFiles from './messages/protected.md';
import proven from './messages/proven.md';
import redBefore from './messages/red-before.md';
import refused from './messages/refused.md';
import released from './messages/released.md';
import reviewer from './messages/reviewer.md';
import reviewerRed from './messages/reviewer-red.md';
import trustAhead from './messages/trust-ahead.md';
import trustGiven from './messages/trust-given.md';
import unchanged from './messages/unchanged.md';
import unproven from './messages/unproven.md';
import whyAcceptedRed from './messages/why-accepted-red.md';
import whyCannotRun from './messages/why-cannot-run.md';
import whyChangedSince from './messages/why-changed-since.md';
import whyFailed from './messages/why-failed.md';
import whyFailedBefore from './messages/why-failed-before.md';
import whyNotPinned from './messages/why-not-pinned.md';
import whyRefusedTooOften from './messages/why-refused-too-often.md';
import whySwitchedOff from './messages/why-switched-off.md';
import whyUntrusted from './messages/why-untrusted.md';
import type { ProtectedChange } from './protect.ts';
import { MOST_QUOTED, quote } from './quote.ts';
import type { AcceptedBy, CheckFact, Proof, Unproven } from './types.ts';
import { WHY_NOT } from './why-not.ts';

/** What a check printed, and where all of it lies, as seen from the root. */
export type CheckSaid = { name: string; tail: string; log: string };

const MOST_NAMES = 10;
const MOST_FILES = 20;

/** For the agent, when its claim does not stand. */
export function refusalText(
  proof: Proof,
  outputs: readonly CheckSaid[],
  project: { readonly cli: string },
  changes: readonly ProtectedChange[] = [],
): string {
  const failing = proof.checks.filter(fails);
  const missing = proof.checks.filter(({ end }) => end === 'cannot-run');
  const parts: string[] = [];
  if (failing.length > 0) {
    const slots = {
      what:
        proof.checks.length === 1
          ? 'the check failed'
          : `${failing.length} of ${proof.checks.length} checks failed`,
      failing: [...describeFailing(failing, outputs), ...describeOthers(proof.checks, project.cli)].join(
        '\n\n',
      ),
      check: checkCommand(failing, project.cli),
    };
    parts.push(
      proof.unchanged
        ? render(unchanged, { ...slots, why: `${project.cli} why` }, 'unchanged')
        : render(refused, slots, 'refused'),
    );
  } else if (missing.length > 0)
    parts.push(render(cannotRun, { checks: listOf(missing.map(describeMissing), MOST_NAMES) }, 'cannot-run'));
  if (proof.heldForProtected) parts.push(heldForProtectedText(changes));
  return parts.join('\n\n');
}

/** For the agent: restore or justify. */
export function heldForProtectedText(changes: readonly ProtectedChange[]): string {
  return render(
    heldForProtected,
    { files: listOf(changes.map(describeChange), MOST_FILES) },
    'held-for-protected',
  );
}

/** For the reviewer's prompt; null where nothing protected was changed and the claim stands on nothing red. */
export function reviewerText(
  proof: Proof,
  outputs: readonly CheckSaid[],
  changes: readonly ProtectedChange[],
): string | null {
  const failing = proof.claim === 'stands' ? proof.checks.filter(({ end }) => isRed(end)) : [];
  const parts = [
    ...(failing.length === 0
      ? []
      : [render(reviewerRed, { failing: describeFailing(failing, outputs).join('\n\n') }, 'reviewer-red')]),
    ...(changes.length === 0
      ? []
      : [render(reviewer, { files: listOf(changes.map(describeChange), MOST_FILES) }, 'reviewer')]),
  ];
  return parts.length === 0 ? null : parts.join('\n\n');
}

/** For the user: what refuses nothing in this run, and who said so. */
export function acceptedText(
  checks: readonly { name: string; by: AcceptedBy }[],
  run: string,
  cli = 'holdfast',
): string {
  const names = inWords(
    checks.map(({ name, by }) => `${shown(name)} (${ACCEPTED[by]})`),
    MOST_NAMES,
  );
  return render(acceptedRed, { names, cli, run: shown(run, 200), quoted: shellQuote(run) }, 'accepted-red');
}

/** For the user, when a claim stands; null where there is nothing to say. */
export function closingText(
  proof: Proof,
  changes: readonly ProtectedChange[] = [],
  cli = 'holdfast',
): string | null {
  const lines: string[] = [];
  if (proof.worth === 'proven' && proof.checks.some(passes))
    lines.push(render(proven, { passed: describePassed(proof.checks) }, 'proven'));
  if (proof.why.includes('refused-too-often')) lines.push(releasedText(proof, null, cli));
  else if (proof.worth === 'unproven') {
    const passed = proof.checks.some(passes) ? [`Passed: ${describePassed(proof.checks)}.`] : [];
    const reasons = [...proof.why.map((why) => whyText(why, proof.checks, cli)), ...passed].join(' ');
    lines.push(render(unproven, { reasons }, 'unproven'));
  }
  if (changes.length > 0) {
    const files = inWords(changes.map(describeChange), MOST_NAMES);
    lines.push(render(protectedFiles, { files }, 'protected'));
  }
  return lines.length === 0 ? null : lines.join('\n');
}

/** For the user, after the last of too many refusals; null: how many is not known. */
export function releasedText(proof: Proof, refusals: number | null, cli = 'holdfast'): string {
  const failing = proof.checks.filter(fails);
  return render(
    released,
    {
      times: timesOf(refusals),
      names: namesOf(failing.length > 0 ? failing : proof.checks, describeEnd),
      check: checkCommand(failing, cli),
      cli,
    },
    'released',
  );
}

function timesOf(refusals: number | null): string {
  if (refusals === null) return 'too often';
  return refusals === 1 ? 'once' : `${refusals} times in a row`;
}

/** One sentence or two why a claim that stands is not proven, with the next step. */
export function whyText(why: Unproven, checks: readonly CheckFact[], cli = 'holdfast'): string {
  const named = (which: (fact: CheckFact) => boolean, describe = describeNothing) => {
    const found = checks.filter(which);
    return { names: namesOf(found, describe), check: checkCommand(found, cli) };
  };
  switch (why) {
    case 'untrusted':
      return render(whyUntrusted, { names: named(({ end }) => end === 'untrusted').names, cli }, why);
    case 'cannot-run':
      return render(
        whyCannotRun,
        named(({ end }) => end === 'cannot-run', describeWhy),
        why,
      );
    case 'failed':
      return render(whyFailed, named(fails, describeEnd), why);
    case 'accepted-red':
      return render(
        whyAcceptedRed,
        named(({ accepted }) => accepted !== undefined, describeAccepted),
        why,
      );
    case 'failed-before':
      return render(
        whyFailedBefore,
        named(({ failedBefore }) => failedBefore === true, describeEnd),
        why,
      );
    case 'switched-off':
      return render(whySwitchedOff, { cli }, why);
    case 'not-pinned':
      return render(whyNotPinned, { cli }, why);
    case 'changed-since':
      return render(whyChangedSince, { cli }, why);
    case 'refused-too-often':
      return render(whyRefusedTooOften, { cli }, why);
  }
}

/** For the user: commands that somebody trusted since the last notice. */
export function trustGivenText(names: readonly string[], cli = 'holdfast'): string {
  return render(trustGiven, { names: nameList(names), cli }, 'trust-given');
}

/** For a person: trust that does not count, and how it will. */
export function trustAheadText(checks: readonly { name: string }[], cli = 'holdfast'): string {
  return render(trustAhead, { names: nameList(checks.map(({ name }) => name)), cli }, 'trust-ahead');
}

/** For the user: logs that a link or a folder in their place kept from being written. Null: all were. */
export function unkeptText(
  settled: readonly { fact: Pick<CheckFact, 'name'>; unkept?: string }[],
): string | null {
  const lines = settled.flatMap(({ fact, unkept }) =>
    unkept === undefined
      ? []
      : [render(logNotKept, { name: shown(fact.name), why: shown(unkept, 500) }, 'log-not-kept')],
  );
  return lines.length === 0 ? null : [...new Set(lines)].join('\n');
}

const fails = isRefusing;
const passes = ({ end }: CheckFact): boolean => end === 'passed';

function describeFailing(failing: readonly CheckFact[], outputs: readonly CheckSaid[]): string[] {
  const close = failing.slice(0, MOST_QUOTED);
  const found = close.map((fact) => outputs.find(({ name }) => name === fact.name));
  const shares = quote(found.map((output) => output?.tail ?? ''));
  const paragraphs = close.map((fact, index) => {
    const log = found[index]?.log;
    const where = log === undefined ? '' : ` All it printed: ${shown(log, 200)}`;
    const tail = shares[index] ?? '';
    return `${shown(fact.name)}: ${describeEnd(fact)}.${where}${tail === '' ? '' : `\n${tail}`}`;
  });
  const others = failing.slice(MOST_QUOTED);
  const rest = others.length === 0 ? [] : [`Also failed: ${namesOf(others, describeNothing)}.`];
  return [...paragraphs, ...rest];
}

/** What the agent may not take for somebody else's, need not fix, or cannot. */
function describeOthers(checks: readonly CheckFact[], cli: string): string[] {
  const known = checks.filter((fact) => fails(fact) && fact.redBefore);
  const accepted = checks.filter((fact) => fact.accepted !== undefined);
  const before = checks.filter(({ failedBefore }) => failedBefore);
  const missing = checks.filter(({ end }) => end === 'cannot-run');
  const accept = known.map(({ name }) => `${cli} check --accept-red ${shellQuote(name)}`)[0] ?? '';
  return [
    ...(known.length > 0
      ? [render(redBefore, { names: namesOf(known, describeNothing), accept }, 'red-before')]
      : []),
    ...(accepted.length > 0
      ? [`Red, and accepted, so it does not hold you: ${namesOf(accepted, describeNothing)}.`]
      : []),
    ...(before.length > 0
      ? [`Failed before this run too, and does not hold you: ${namesOf(before, describeNothing)}.`]
      : []),
    ...(missing.length > 0 ? [`Could not run: ${namesOf(missing, describeWhy)}.`] : []),
  ];
}

const describeAccepted = (fact: CheckFact): string =>
  `${describeEnd(fact)}${fact.accepted === undefined ? '' : `; ${ACCEPTED[fact.accepted]}`}`;

function describeEnd({ end, code, milliseconds }: CheckFact): string {
  const time = milliseconds === null ? '' : ` after ${duration(milliseconds)}`;
  if (end === 'timed-out') return `ended at its time limit${time}`;
  return code === null ? `ended by a signal${time}` : `exit code ${code}${time}`;
}

function describePassed(checks: readonly CheckFact[]): string {
  const passed = checks.filter(passes);
  if (passed.length <= MOST_NAMES)
    return inWords(
      passed.map((fact) => `${shown(fact.name)}${inBrackets(passedHow(fact))}`),
      MOST_NAMES,
    );
  const total = passed.reduce(
    (sum, fact) => sum + (fact.from === 'receipt' ? 0 : (fact.milliseconds ?? 0)),
    0,
  );
  const kept = passed.filter(({ from }) => from === 'receipt').length;
  const flaky = passed.filter((fact) => fact.flaky);
  return [
    `${passed.length} checks in ${duration(total)}`,
    ...(kept > 0 ? [`${kept} of them taken from receipts`] : []),
    ...(flaky.length > 0 ? [`flaky: ${namesOf(flaky, describeNothing)}`] : []),
  ].join(', ');
}

function passedHow({ milliseconds, from, flaky }: CheckFact): string[] {
  return [
    ...(milliseconds === null ? [] : [duration(milliseconds)]),
    ...(from === 'receipt' ? ['from its receipt: nothing it depends on changed'] : []),
    ...(flaky ? ['flaky: passed only when run again'] : []),
  ];
}

function describeMissing({ name, why }: CheckFact): string {
  if (why === undefined) return shown(name);
  const { what, help } = WHY_NOT[why];
  return `${shown(name)}: ${what}; ${help}`;
}

const describeWhy = ({ why }: CheckFact): string => (why === undefined ? '' : WHY_NOT[why].what);
const describeNothing = (_: CheckFact): string => '';

function describeChange({ file, how, skips }: ProtectedChange): string {
  const more = skips > 0 ? `; skips or focuses ${skips} more ${skips === 1 ? 'test' : 'tests'}` : '';
  return `${shown(file, 200)} (${how}${more})`;
}

/** For one check its own command; for several the one that runs them all. */
function checkCommand(checks: readonly CheckFact[], cli: string): string {
  const [only] = checks;
  return only === undefined || checks.length > 1 ? `${cli} check` : `${cli} check ${shellQuote(only.name)}`;
}

function namesOf(checks: readonly CheckFact[], describe: (fact: CheckFact) => string): string {
  return inWords(
    checks.map((fact) => {
      const more = describe(fact);
      return `${shown(fact.name)}${inBrackets(more === '' ? [] : [more])}`;
    }),
    MOST_NAMES,
  );
}

const nameList = (names: readonly string[]): string =>
  inWords(
    names.map((name) => shown(name)),
    MOST_NAMES,
  );

const inBrackets = (parts: readonly string[]): string => (parts.length === 0 ? '' : ` (${parts.join('; ')})`);
