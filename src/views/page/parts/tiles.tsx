// The numbers of a run, at a glance.

import type { ComponentChildren } from 'preact';
import type { RunView } from '../../../view/model.ts';
import { describeEnd } from '../../../view/run-state.ts';
import { ago, amount, clock, lengthOf, money, plural } from '../words.ts';
import { Bound } from './progress.tsx';

export function Tiles({ run, now }: { run: RunView; now: number }) {
  const { counts, findings, forecast, startedAt, movedAt, end } = run;
  const until = run.live ? now : (end?.at ?? movedAt ?? now);
  return (
    <dl class="tiles">
      {end === null ? (
        <Tile name="Stage" value={run.stage}>
          {run.progress !== null && <Bound progress={run.progress} beside={run.stage} />}
        </Tile>
      ) : (
        <Tile name="End" value={describeEnd(end)}>
          {end.at !== null && clock(end.at, now)}
        </Tile>
      )}
      <Tile name="Time" value={startedAt === null ? '–' : lengthOf(until - startedAt)}>
        {movedAt === null ? 'nothing happened yet' : `last moved ${ago(movedAt, now)}`}
      </Tile>
      <Tile name="Stops" value={String(counts.stops)}>
        {stopWords(counts)}
      </Tile>
      {findings !== null && (
        <Tile name="Findings" value={String(findings.found)}>
          {findingWords(findings)}
        </Tile>
      )}
      {counts.reviews > 0 && (
        <Tile name="Cost of reviews" value={costOf(counts)}>
          {plural(counts.reviews, 'review')}, {amount(counts.tokens)} tokens
        </Tile>
      )}
      {run.live && forecast !== null && (
        <Tile name="At most still" value={plural(forecast.more, forecast.unit)}>
          {forecast.milliseconds === null
            ? 'by its bound'
            : `about ${lengthOf(forecast.milliseconds)} at this pace`}
        </Tile>
      )}
    </dl>
  );
}

function Tile({ name, value, children }: { name: string; value: string; children: ComponentChildren }) {
  return (
    <div class="tile">
      <dt>{name}</dt>
      <dd>
        <span class={`value ${value.length > 14 ? 'long' : ''}`}>{value}</span>
        <div class="tile-more">{children}</div>
      </dd>
    </div>
  );
}

/** In money where the reviewers' programs say it. */
function costOf({ usd, tokens }: RunView['counts']): string {
  return usd > 0 ? money(usd) : `${amount(tokens)} tokens`;
}

function stopWords({ held, allowed, letGo, failed }: RunView['counts']): string {
  const parts = [
    [held, 'held'],
    [allowed, 'allowed'],
    [letGo, 'let go'],
    [failed, 'failed'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return said.length === 0 ? 'no stop yet' : said.join(', ');
}

function findingWords({ open, fixed, rejected, contested }: NonNullable<RunView['findings']>): string {
  const parts = [
    [open, 'open'],
    [fixed, 'fixed'],
    [rejected, 'rejected'],
    [contested, 'contested'],
  ] as const;
  return parts
    .filter(([count, word]) => count > 0 || word === 'open')
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
}
