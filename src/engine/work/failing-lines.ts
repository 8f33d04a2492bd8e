// Of what a check printed, the lines that say what failed, then the last ones. Pure: text in, text out. The runners whose
// real output this was held against stand in test/fixtures/runners.

/** Whole lines of a text without control codes, in their order; `…` stands where some are left out. */
export function failingLines(text: string, most: number): string {
  if (text.length <= most) return text;
  const lines = text.split('\n').map((line) => cut(line, Math.min(LONGEST, most - GAP.length - 2)));
  const picked = new Picked(lines, most);
  const telling = tellingIn(lines);
  const named = telling.filter((index) => picked.take(index, SHARE_OF_FAILING));
  picked.takeFromEnd(SHARE_OF_FAILING + SHARE_OF_LAST, isNoise);
  for (let below = 1; below <= DETAILS; below++)
    for (const index of named) if (isDetail(lines, index, below)) picked.take(index + below, 1);
  picked.takeFromEnd(1, isNoise);
  if (telling.length === 0) picked.takeFromEnd(1);
  return picked.text();
}

/** How many tests failed, where a summary says so; null: none does. */
export function countFailing(text: string): number | null {
  for (const summary of SUMMARIES) {
    const found = [...text.matchAll(summary)].at(-1);
    const many = (found?.slice(1) ?? []).reduce((sum, digits) => sum + Number(digits ?? 0), 0);
    if (many > 0) return many;
  }
  // go sums nothing up: its failures are counted where all of them are there.
  const named = text.match(/^\s*--- FAIL: [^\s/]+ /gm)?.length ?? 0;
  return named > 0 && !text.split('\n').includes(GAP) ? named : null;
}

const GAP = '…';
const LONGEST = 300;
const SHARE_OF_FAILING = 0.45;
const SHARE_OF_LAST = 0.3;
/** Lines below one that names a failure: what was expected, and where. */
const DETAILS = 8;

class Picked {
  readonly #lines: readonly string[];
  readonly #most: number;
  readonly #taken = new Set<number>();
  #used = 0;

  constructor(lines: readonly string[], most: number) {
    this.#lines = lines;
    this.#most = most;
  }

  /** As long as no more than that share of all is used. */
  take(index: number, share: number): boolean {
    if (this.#taken.has(index)) return true;
    // With a gap before it, as if each stood alone: what is put together is never longer than it may be.
    const cost = (this.#lines[index] ?? '').length + 1 + GAP.length + 1;
    if (this.#used + cost > this.#most * share) return false;
    this.#used += cost;
    this.#taken.add(index);
    return true;
  }

  takeFromEnd(share: number, isLeftOut: (line: string) => boolean = () => false): void {
    for (let index = this.#lines.length - 1; index >= 0; index--)
      if (!isLeftOut(this.#lines[index] ?? '') && !this.take(index, share)) return;
  }

  text(): string {
    const order = [...this.#taken].sort((one, other) => one - other);
    const blocks = order.flatMap((index, position) => {
      const line = this.#lines[index] ?? '';
      const leftOut = this.#lines.slice((order[position - 1] ?? -1) + 1, index);
      if (leftOut.length === 0) return [line];
      return [leftOut.every((each) => each.trim() === '') ? '' : GAP, line];
    });
    return blocks.join('\n').trimEnd();
  }
}

/** Each text once: some runners name a failure where it happens, and again at their end. */
function tellingIn(lines: readonly string[]): number[] {
  const said = new Set<string>();
  return lines.flatMap((line, index) => {
    const text = line.trim();
    if (said.has(text) || !isTelling(text)) return [];
    said.add(text);
    return [index];
  });
}

function isTelling(line: string): boolean {
  return TELLING.some((pattern) => pattern.test(line)) && !/^not ok .*# (?:TODO|SKIP)\b/i.test(line);
}

function isDetail(lines: readonly string[], index: number, below: number): boolean {
  const line = lines[index + below];
  if (line === undefined || line.trim() === '' || isNoise(line)) return false;
  // Another failure begins: what follows is about that one.
  return !lines.slice(index + 1, index + below + 1).some((each) => isTelling(each.trim()));
}

const isNoise = (line: string): boolean => NOISE.some((pattern) => pattern.test(line.trim()));

/** What passed, what runs, and the frame around it. Of a line without the blanks around it. */
const NOISE: readonly RegExp[] = [
  /^[\u2713\u2714] |^ok\b|\bPASSED\b|^test .* \.\.\. ok$|^--- PASS: |^PASS\b/u,
  /^=== (?:RUN|PAUSE|CONT)|^# Subtest: |^\d+\.\.\d+$/,
  /^(?:---|\.\.\.|at:|duration_ms: .*|compare: .*|type: .*)$/,
  // Of a stack: seldom our own code, and its place mostly stands in the failure itself.
  /^at |^node:internal|^(?:async )?[\w.<>]+ \((?:node:|.*\/node_modules\/)/,
];

/** Of a line without the blanks around it. */
const TELLING: readonly RegExp[] = [
  /^not ok\b/, // TAP: node, tap, prove
  /^[\u2717\u2718\u2716\u2715\u00d7] /u, // node, jest, vitest, ava, eslint, phpunit
  /^(?:FAIL|FAILED|ERROR|FAILURES!)(?:$|[\s:])|\bFAILED\b/, // jest, vitest, go, pytest, cargo, ctest, gradle
  /^--- FAIL\b|^panic: |^\w+_test\.go:\d+: /, // go
  /^\u25cf (?!Console\b)/u, // jest
  /^\d+\) \S/, // mocha, rspec, phpunit
  /^\u276f .*\bfailed\b/u, // vitest
  /^E {2,}\S/, // pytest
  /\bpanicked at\b/, // cargo
  /^Failed asserting\b/, // phpunit
  /(?:^|[\s:])(?:fatal )?error(?: TS\d+|\[\w+\])?: /i, // compilers, and most programs
  /\b[A-Z]\w*(?:Error|Exception)(?:$|[\s:[])|\bError(?:$|[\s:[])/, // what is thrown; make
  /\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?)\b/i, // summaries
  /\b(?:Failures|Errors|Failed): +[1-9]/, // phpunit, maven, dotnet
  /^[#\u2139] fail [1-9]/u, // node, tap
];

/** In this order, of each the last one. Several numbers of one are added up. */
const SUMMARIES: readonly RegExp[] = [
  /^\s*[#\u2139] fail (\d+)/gmu, // node
  /^\s*# failed (\d+) of \d+/gm, // tap
  /^\s*# \{[^}]*\bfail: (\d+)/gm, // tap 21
  /^\s*Tests:? +(?:\d+ \w+ \| )?(\d+) failed/gm, // jest, vitest
  /^\s*(\d+) failing\b/gm, // mocha
  /test result: FAILED\. \d+ passed; (\d+) failed/g, // cargo
  /\b\d+ examples?, (\d+) failures?/g, // rspec
  /^\s*Tests: \d+, Assertions: \d+(?:, Errors: (\d+))?(?:, Failures: (\d+))?/gm, // phpunit
  /\b(\d+) failed(?:, (\d+) errors?)?(?:, \d+ \w+)* in [\d.]+s/g, // pytest
];

function cut(line: string, most: number): string {
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
