// What must be made of a reviewer's findings and of its name, however hostile: the verdict stands, nothing is lost without
// being counted, and no text steers a terminal or a command line.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Findings, Spend } from '../../src/reviewers/findings.ts';
import { brokenText } from './broken.ts';
import * as corpus from './corpus.ts';
import type { Readers } from './readers.ts';
import type { Target } from './targets.ts';

const SEVERITIES = ['high', 'medium', 'low'];
const HOSTILE = {
  severity: 'LOW',
  file: '../../etc/\u001b[2Jpasswd',
  line: '12:3',
  claim: '\u202e$(touch pwned)\n'.repeat(300),
  evidence: null,
};

const anyFinding = fc.record(
  {
    severity: fc.oneof(fc.constantFrom(...SEVERITIES, 'CRITICAL', ''), fc.anything()),
    file: fc.oneof(fc.string({ unit: 'binary', maxLength: 3000 }), fc.anything()),
    line: fc.oneof(fc.double(), fc.string()),
    claim: fc.oneof(fc.string({ unit: 'binary', maxLength: 3000 }), fc.anything()),
    evidence: fc.oneof(fc.string({ unit: 'binary', maxLength: 3000 }), fc.anything()),
  },
  { requiredKeys: [] },
);

/** Controls but for tab and line feed, and marks that turn a line around. */
const STEERS = /(?![\t\n])\p{Cc}|[\u202a-\u202e]/u;

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const oneOf = (value: unknown, ...known: readonly unknown[]): void =>
  assert(known.includes(value), String(value));

export const reviewerTargets: readonly Target[] = [
  {
    name: 'what a reviewer lists',
    input: fc
      .oneof(
        fc.array(fc.oneof(fc.anything(), anyFinding), { maxLength: 5 }),
        fc.constantFrom(1, 199, 200, 201, 5000).map((length) => Array.from({ length }, () => HOSTILE)),
      )
      .map((findings) => JSON.stringify({ verdict: 'FAIL', findings: plain(findings) })),
    check(given, read) {
      const text = JSON.stringify({ type: 'result', structured_output: JSON.parse(given), result: given });
      assert.equal(read.claude.readVerdict(text, 0), 'findings', 'findings cost the verdict');
      const turn = [
        { type: 'item.completed', item: { type: 'agent_message', text: given } },
        { type: 'turn.completed', usage: {} },
      ];
      const lines = turn.map((event) => JSON.stringify(event)).join('\n');
      assert.equal(read.codex.readVerdict(lines, 0), 'findings', 'findings cost the verdict');
      const listed = read.claude.readFindings?.(text) ?? null;
      assert.deepEqual(read.codex.readFindings?.(lines) ?? null, listed, 'the two differ');
      assertListed(listed, read);
      const many = (JSON.parse(given).findings as unknown[]).length;
      assert.equal((listed?.list.length ?? 0) + (listed?.cut ?? 0), many, 'some were lost');
    },
  },
  {
    name: "a reviewer's name",
    input: brokenText([...corpus.names, 'opus', 'codex/gpt-5.2-codex', 'codex/', 'claude/-x']),
    check(text, read) {
      const named = read.parseReviewer(text);
      if (named === null) return;
      assert.match(named.program, /^[a-z][a-z0-9-]{0,31}$/);
      assert.match(named.model, /^(?!-)[\x21-\x7e]{0,200}$/);
      if (read.isReviewerName(text)) oneOf(named.program, 'claude', 'codex');
    },
  },
];

/** What JSON does not have becomes null, as on its way through any program. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? null : each)) ?? 'null');
}

export function assertListed(findings: Findings | null, read: Readers): void {
  if (findings === null) return;
  assert(findings.list.length <= 200 && isCount(findings.cut));
  for (const { severity, file, line, claim, evidence } of findings.list) {
    oneOf(severity, ...SEVERITIES);
    assert(line === null || (isCount(line) && line > 0), String(line));
    assert(claim.trim() !== '', 'a claim that says nothing');
    for (const text of [file, claim, evidence]) {
      if (text === null) continue;
      assert(text.length <= 2000, `${text.length} characters`);
      assert(!STEERS.test(text), 'it steers a terminal');
    }
    assert(file === null || !/[\n\t]/.test(file), 'a file of several lines');
  }
  const counts = read.countListed(findings);
  assert.equal(counts.high + counts.medium + counts.low, findings.list.length + findings.cut);
}

export function assertSpent(spend: Spend | null): void {
  if (spend === null) return;
  assert(spend.usd === null || (Number.isFinite(spend.usd) && spend.usd >= 0), String(spend.usd));
  for (const tokens of Object.values<number>(spend.tokens ?? {}))
    assert(tokens >= 0 && Number.isFinite(tokens));
}
