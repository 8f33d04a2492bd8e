// How far a run has come, and how much of something is used up.

import type { Progress } from '../../../view/model.ts';

type ProgressProps = {
  progress: Progress;
  /** What stands beside it: where that says the same, it is not said twice. */
  beside: string;
};

export function ProgressBar({ progress: { unit, at, of }, beside }: ProgressProps) {
  const words = of === null ? `${unit} ${at}` : `${unit} ${at} of ${of}`;
  const text = beside.includes(words) ? '' : words;
  if (of === null || of === 0) return text === '' ? null : <p class="meter-text">{text}</p>;
  return <Meter share={at / of} text={text} kind="progress" />;
}

type MeterProps = { share: number; text: string; kind?: 'progress' | 'budget' };

export function Meter({ share, text, kind = 'budget' }: MeterProps) {
  const filled = Math.min(1, Math.max(0, share));
  const level = kind === 'progress' ? '' : filled >= 1 ? 'spent' : filled >= 0.85 ? 'high' : '';
  return (
    <div class={`meter ${kind} ${level}`}>
      {text !== '' && <div class="meter-text">{text}</div>}
      <svg class="meter-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="6" />
        <rect class="fill" width={filled * 100} height="6" />
      </svg>
    </div>
  );
}
