// What comes of the lines that are no stop: a run that begins, a review that ended, a run that is over.

import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_TOKEN_TYPE,
  ATTR_GEN_AI_USAGE_CACHE_CREATION_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_GEN_AI_WORKFLOW_NAME,
  GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT,
  GEN_AI_OPERATION_NAME_VALUE_INVOKE_WORKFLOW,
  GEN_AI_PROVIDER_NAME_VALUE_ANTHROPIC,
  GEN_AI_PROVIDER_NAME_VALUE_OPENAI,
} from '@opentelemetry/semantic-conventions/incubating';
import type { CommandEntry, EndEntry, ReviewEntry } from '../store/journal-lines.ts';
import { countFindings } from './counts.ts';
import type { Attributes, Counted, Emitted, RunLine } from './emitted.ts';
import { spanId } from './ids.ts';
import { withoutWork } from './of-work.ts';
import type { Labels } from './series.ts';
import { cut, durationOf, modelWord, word } from './words.ts';

/** A start, an adoption, a cancel: the last ends the run at once. */
export function ofCommand(line: RunLine<CommandEntry>): Emitted {
  const { entry, labels, run } = line;
  switch (entry.event) {
    case 'start':
      return { spans: [], counts: [['started', 1, labels]], run };
    case 'adopt':
      return { spans: [], counts: [], run };
    case 'cancel':
      return over(line, 'cancelled', 'none');
  }
}

export function ofEnd(line: RunLine<EndEntry>): Emitted {
  const { entry } = line;
  return over(line, entry.outcome ?? 'unknown', entry.proof ?? 'none');
}

/** The part of the run that is over is a span: its id was its children's parent from the first line on. */
function over(line: RunLine<CommandEntry | EndEntry>, outcome: string, proof: string): Emitted {
  const { entry, time, place, about, labels, run } = line;
  // A run that was cancelled in a terminal is over once more at its agent's next stop.
  if (run.over) return { spans: [], counts: [], run };
  const how = { 'holdfast.outcome': outcome, 'holdfast.proof': proof };
  return {
    spans: [
      {
        ...{ trace: place.trace, id: place.parent, parent: null, name: `run ${word(entry.workflow)}` },
        ...{ start: Math.min(run.since, time), end: time, isCall: false },
        attributes: {
          ...about,
          ...how,
          [ATTR_GEN_AI_OPERATION_NAME]: GEN_AI_OPERATION_NAME_VALUE_INVOKE_WORKFLOW,
          [ATTR_GEN_AI_WORKFLOW_NAME]: word(entry.workflow),
        },
        error: outcome === 'released' || outcome === 'stuck' ? outcome : null,
      },
    ],
    counts: [
      ['ended', 1, { ...labels, ...how }],
      ...(outcome === 'released' ? [['releases', 1, labels] as const] : []),
    ],
    run: { ...run, over: true },
  };
}

export function ofReview(line: RunLine<ReviewEntry>): Emitted {
  const { entry, key, time, place, about, labels, run } = line;
  const verdict = entry.verdict === null ? 'none' : word(entry.verdict);
  const agent = agentOf(entry);
  const said = { ...run.said, findings: run.said.findings || entry.listed !== undefined };
  const milliseconds = durationOf(entry.milliseconds);
  // Its line has the time at which the stop began that put it away.
  const start = Object.hasOwn(run.work, entry.attempt) ? (run.work[entry.attempt] ?? time) : time;
  const { input = 0, cacheCreation = 0, output = 0 } = entry.tokens ?? {};
  return {
    spans: [
      {
        ...{ trace: place.trace, id: spanId(place.trace, key, 'review'), parent: place.parent },
        // The conventions' name for it.
        name: `${GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT} ${word(entry.reviewer)}`,
        ...{ start, end: start + milliseconds, isCall: true },
        attributes: {
          ...about,
          ...agent,
          ...usageOf(entry),
          'holdfast.verdict': verdict,
          ...(line.paths ? { 'holdfast.review.file': cut(entry.file) } : {}),
        },
        error: verdict === 'failed' ? 'failed' : null,
      },
    ],
    counts: [
      ['verdicts', 1, { ...labels, ...agent, 'holdfast.verdict': verdict }],
      ...(entry.usd === null ? [] : [['cost', entry.usd, { ...labels, ...agent }] as const]),
      ...countFindings(entry.listed, { ...labels, ...agent }),
      ...countTokens(entry, { ...labels, ...agent }),
      ...(milliseconds === 0
        ? []
        : [['operationDuration', milliseconds / 1000, { ...labels, ...agent }] as const]),
    ],
    run: {
      ...withoutWork(run, entry.attempt),
      said,
      reviewTokens: Math.min(run.reviewTokens + input + cacheCreation + output, Number.MAX_SAFE_INTEGER),
    },
  };
}

function agentOf({ reviewer, model }: ReviewEntry): Record<string, string> {
  const provider = PROVIDERS[reviewer];
  return {
    [ATTR_GEN_AI_OPERATION_NAME]: GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT,
    [ATTR_GEN_AI_AGENT_NAME]: word(reviewer),
    [ATTR_GEN_AI_REQUEST_MODEL]: modelWord(model),
    ...(provider === undefined ? {} : { [ATTR_GEN_AI_PROVIDER_NAME]: provider }),
  };
}

/** Whose models a reviewer's program runs. */
const PROVIDERS: Readonly<Record<string, string>> = {
  claude: GEN_AI_PROVIDER_NAME_VALUE_ANTHROPIC,
  codex: GEN_AI_PROVIDER_NAME_VALUE_OPENAI,
};

/** The conventions count what came from or went into a cache as input too. */
function usageOf({ tokens, usd }: ReviewEntry): Attributes {
  const cost = usd === null ? {} : { 'holdfast.cost.usd': usd };
  if (tokens === null) return cost;
  const { input, cacheCreation, cacheRead, output } = tokens;
  return {
    ...cost,
    [ATTR_GEN_AI_USAGE_INPUT_TOKENS]: input + cacheCreation + cacheRead,
    [ATTR_GEN_AI_USAGE_CACHE_CREATION_INPUT_TOKENS]: cacheCreation,
    [ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS]: cacheRead,
    [ATTR_GEN_AI_USAGE_OUTPUT_TOKENS]: output,
  };
}

/** The histogram has the conventions' two types; the sum tells apart what costs differently. */
function countTokens({ tokens }: ReviewEntry, labels: Labels): Counted[] {
  if (tokens === null) return [];
  const { input, cacheCreation, cacheRead, output } = tokens;
  const sums = { input, cache_creation: cacheCreation, cache_read: cacheRead, output };
  const usage = { input: input + cacheCreation + cacheRead, output };
  return [
    ...Object.entries(sums)
      .filter(([, value]) => value > 0)
      .map(
        ([type, value]): Counted => [
          'tokens',
          value,
          { ...labels, 'holdfast.tokens.by': 'reviewer', [ATTR_GEN_AI_TOKEN_TYPE]: type },
        ],
      ),
    ...Object.entries(usage).map(
      ([type, value]): Counted => ['tokenUsage', value, { ...labels, [ATTR_GEN_AI_TOKEN_TYPE]: type }],
    ),
  ];
}
