// What people and agents read about proof: message files with their slots filled from what is known. What a check
// printed, and every name, may have been written by anybody: no control codes, bounded in length.

import { stripVTControlCharacters } from 'node:util';
import { plainText } from '../../text/printable.ts';
import { render } from '../../text/render.ts';
import { shellQuote } from '../../text/shell.ts';
import cannotRun from './messages/cannot-run.md';
import heldForProtected from './messages/held-for-protected.md';
import protectedFiles from './messages/protected.md';
import proven from './messages/proven.md';
import refused from './messages/refused.md';
import released from './messages/released.md';
import reviewer from './messages/reviewer.md';
import trustGiven from './messages/trust-given.md';
import unchanged from './messages/unchanged.md';
import unproven from './messages/unproven.md';
import whyCannotRun from './messages/why-cannot-run.md';
import whyChangedSince from './messages/why-changed-since.md';
import whyFailedBefore from './messages/why-failed-before.md';
import whyNotPinned from './messages/why-not-pinned.md';
import whyRefusedTooOften from './messages/why-refused-too-often.md';
import whySwitchedOff from './messages/why-switched-off.md';
import whyUntrusted from './messages/why-untrusted.md';
import type { ProtectedChange } from './protect.ts';
import type { CannotRun, CheckFact, Proof, Unproven } from './types.ts';

/** What a check printed, and where all of it lies, as seen from the root. */
export type CheckSaid = { name: string; tail: string; log: string };

/** Of output, over all failing checks. */
const MOST_OUTPUT = 2000;
/** Fewer characters say nothing, so further checks are only named. */
const LEAST_OUTPUT = 200;
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
      failing: [...describeFailing(failing, outputs), ...describeOthers(proof.checks)].join('\n\n'),
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
  return render(heldForProtected, { files: listOf(changes.map(describeChange)) }, 'held-for-protected');
}

/** For the reviewer's prompt; empty where nothing protected was changed. */
export function reviewerText(changes: readonly ProtectedChange[]): string {
  if (changes.length === 0) return '';
  return render(reviewer, { files: listOf(changes.map(describeChange)) }, 'reviewer');
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

const fails = ({ end, failedBefore }: CheckFact): boolean =>
  (end === 'failed' || end === 'timed-out') && !failedBefore;
const passes = ({ end }: CheckFact): boolean => end === 'passed';

function describeFailing(failing: readonly CheckFact[], outputs: readonly CheckSaid[]): string[] {
  const most = Math.floor(MOST_OUTPUT / LEAST_OUTPUT);
  const close = failing.slice(0, most);
  const found = close.map((fact) => outputs.find(({ name }) => name === fact.name));
  const shares = shareOut(found.map((output) => tidy(output?.tail ?? '')));
  const paragraphs = close.map((fact, index) => {
    const log = found[index]?.log;
    const where = log === undefined ? '' : ` All it printed: ${shown(log, 200)}`;
    const tail = shares[index] ?? '';
    return `${shown(fact.name)}: ${describeEnd(fact)}.${where}${tail === '' ? '' : `\n${tail}`}`;
  });
  const others = failing.slice(most);
  const rest = others.length === 0 ? [] : [`Also failed: ${namesOf(others, describeNothing)}.`];
  return [...paragraphs, ...rest];
}

/** What the agent need not fix, or cannot. */
function describeOthers(checks: readonly CheckFact[]): string[] {
  const before = checks.filter(({ failedBefore }) => failedBefore);
  const missing = checks.filter(({ end }) => end === 'cannot-run');
  return [
    ...(before.length > 0
      ? [`Failed before this run too, and does not hold you: ${namesOf(before, describeNothing)}.`]
      : []),
    ...(missing.length > 0 ? [`Could not run: ${namesOf(missing, describeWhy)}.`] : []),
  ];
}

/** The ends of several texts within one bound: what a short one leaves goes to the others. */
function shareOut(texts: readonly string[]): string[] {
  const given = new Map<number, string>();
  let left = MOST_OUTPUT;
  const shortest = texts
    .map((text, index) => ({ text, index }))
    .sort((a, b) => a.text.length - b.text.length);
  for (const [position, { text, index }] of shortest.entries()) {
    const tail = endOf(text, Math.floor(left / (texts.length - position)));
    left -= tail.length;
    given.set(index, tail);
  }
  return texts.map((_, index) => given.get(index) ?? '');
}

/** Begins at a line's start; a last line that is too long by itself loses its end instead. */
function endOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = text.indexOf('\n', text.length - most - 1);
  if (start !== -1 && start + 1 < text.length) return text.slice(start + 1);
  return `${text.slice(text.lastIndexOf('\n') + 1).slice(0, Math.max(0, most - 1))}…`;
}

/** As a terminal would show it in the end: indented, without colours, overwritten progress and empty stretches. */
function tidy(output: string): string {
  const lines = plainText(
    stripVTControlCharacters(output)
      .replace(/\r+\n/g, '\n')
      .replace(/[^\n]*\r(?=[^\n])/g, ''),
  )
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line, index, all) => line !== '' || (all[index - 1] ?? '') !== '');
  while (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n');
}

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

/** What is missing, and what would help. */
const MISSING: Readonly<Record<CannotRun, readonly [string, string]>> = {
  'not-found': ['its program was not found', 'install it, or correct `run` in holdfast.config.json'],
  'not-executable': ['its program may not be executed', 'make it executable with `chmod +x`'],
  'no-folder': ['the folder in its `cwd` is not there', 'correct `cwd` in holdfast.config.json'],
  'no-sandbox': [
    'it must run in a sandbox, and here it cannot be given one',
    'a person can look with `holdfast doctor` at what is missing',
  ],
  'no-time': [
    'its time limit does not fit into what this stop has left',
    "lower its `timeout`, or raise the time limit of the client's Stop hook",
  ],
  'changes-files': [
    'files changed while it ran, each time',
    'have git ignore what it writes, or name in `paths` what it depends on',
  ],
  'too-much-output': ['it printed more than 64 MB and was ended', 'make it print less'],
};

function describeMissing({ name, why }: CheckFact): string {
  if (why === undefined) return shown(name);
  const [what, help] = MISSING[why];
  return `${shown(name)}: ${what}; ${help}`;
}

const describeWhy = ({ why }: CheckFact): string => (why === undefined ? '' : MISSING[why][0]);
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

/** `a, b and c`; of many the first, and how many more there are. */
function inWords(parts: readonly string[], most: number): string {
  const named = parts.slice(0, most);
  const last = parts.length > most ? `${parts.length - most} more` : named.pop();
  return named.length === 0 ? (last ?? '') : `${named.join(', ')} and ${last}`;
}

function listOf(parts: readonly string[], most = MOST_FILES): string {
  const more = parts.length > most ? [`and ${parts.length - most} more`] : [];
  return [...parts.slice(0, most), ...more].map((part) => `- ${part}`).join('\n');
}

function shown(text: string, most = 60): string {
  const line = plainText(text.slice(0, most * 2)).replace(/\s+/g, ' ');
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

/** `0.4 s`, `12 s`, `3 min 20 s`. */
function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  // Never none: it did take some time.
  if (seconds < 9.95) return `${Math.max(0.1, Number(seconds.toFixed(1)))} s`;
  if (seconds < 119.5) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  return whole % 60 === 0 ? `${whole / 60} min` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
