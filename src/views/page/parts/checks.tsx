// Each check's results in the order of time: how long it took, and how it ended.

import type { CheckResult, CheckView, RunView } from '../../../view/model.ts';
import { clock, lengthOf } from '../words.ts';
import { Legend, MarkList, useChoice, useWidth } from './chart.tsx';
import { RawLine } from './raw-line.tsx';
import { Section } from './section.tsx';

const HEIGHT = 64;
const STEP = 16;

export const CHECK_ENDS: Readonly<Record<CheckResult['end'], string>> = {
  passed: 'passed',
  failed: 'failed',
  'timed-out': 'took too long',
  'cannot-run': 'cannot be run',
  untrusted: 'not trusted yet',
};

export function ChecksPanel({ id, run, now }: { id: string; run: RunView; now: number }) {
  const checks = run.checks.filter(({ results }) => results.length > 0);
  if (checks.length === 0 && run.proof === null) return null;
  const results = checks.flatMap((check) => check.results);
  return (
    <Section title="Checks" id="checks" size="wide">
      <p class="explained">
        {run.proof?.text}
        {results.length > 0 && ' A bar for each result, as tall as it took long.'}
      </p>
      <Legend items={LEGEND.filter(({ has }) => results.some(has))} />
      <div class="checks">
        {checks.map((check) => (
          <Check key={check.name} id={id} check={check} now={now} />
        ))}
      </div>
    </Section>
  );
}

const LEGEND = [
  { mark: '', kind: 'passed', words: 'passed', has: ({ end }: CheckResult) => end === 'passed' },
  {
    mark: '',
    kind: 'receipt',
    words: 'by its receipt: not run again',
    has: ({ receipt }: CheckResult) => receipt,
  },
  {
    mark: '',
    kind: 'failed',
    words: 'did not pass',
    has: ({ end }: CheckResult) => !/passed|untrusted/.test(end),
  },
  {
    mark: '',
    kind: 'untrusted',
    words: 'not trusted yet',
    has: ({ end }: CheckResult) => end === 'untrusted',
  },
];

function Check({ id, check, now }: { id: string; check: CheckView; now: number }) {
  const [ref, width] = useWidth();
  const results = check.results.slice(-Math.max(1, Math.floor(width / STEP)));
  const choice = useChoice(results.length);
  const { at, choose } = choice;
  const longest = Math.max(...results.map(({ milliseconds }) => milliseconds ?? 0), 1);
  const chosen = results[at];
  return (
    <div class="check">
      <h3>
        {check.name}
        <span class="muted"> longest {lengthOf(longest)}</span>
      </h3>
      <MarkList place={ref} label={`Results of ${check.name}`} name={`check-${check.name}`} choice={choice}>
        <svg width={width} height={HEIGHT + 6} role="presentation">
          <line class="base" x1="0" x2={width} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} />
          {results.map((result, index) => {
            const tall = Math.max(6, ((result.milliseconds ?? 0) / longest) * (HEIGHT - 8));
            return (
              <g
                key={`${result.position.segment}-${result.position.offset}`}
                id={`check-${check.name}-${index}`}
                role="option"
                aria-selected={index === at}
                aria-label={wordsOf(result)}
                class={`result ${result.end} ${result.receipt ? 'receipt' : ''} ${index === at ? 'chosen' : ''}`}
                onMouseEnter={() => choose(index)}
                onClick={() => choose(index)}
              >
                <rect class="hit" x={index * STEP} y="0" width={STEP} height={HEIGHT} />
                <rect x={index * STEP + 2} y={HEIGHT - tall} width={STEP - 5} height={tall} rx="2" />
              </g>
            );
          })}
        </svg>
      </MarkList>
      {chosen !== undefined && (
        <div class="chosen" aria-live="polite">
          <p>
            <span class={`verdict-word ${chosen.end === 'passed' ? 'clean' : 'findings'}`}>
              {wordsOf(chosen)}
            </span>{' '}
            <span class="muted">{clock(chosen.at, now)}</span>
          </p>
          <RawLine id={id} position={chosen.position} />
        </div>
      )}
    </div>
  );
}

function wordsOf({ end, code, milliseconds, receipt, flaky }: CheckResult): string {
  const exit = end === 'failed' && code !== null ? ` with exit code ${code}` : '';
  const took = milliseconds === null ? '' : ` after ${lengthOf(milliseconds)}`;
  return `${CHECK_ENDS[end]}${exit}${receipt ? ', by its receipt for this content' : took}${flaky ? ', on a second try' : ''}`;
}
