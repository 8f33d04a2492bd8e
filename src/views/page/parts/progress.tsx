// How far a run has come, and how much of something is used up.

import type { Progress } from '../../../view/model.ts';

export function ProgressBar({ progress: { unit, at, of } }: { progress: Progress }) {
  if (of === null || of === 0)
    return (
      <p class="meter-text">
        {unit} {at}
      </p>
    );
  return <Meter share={at / of} text={`${unit} ${at} of ${of}`} kind="progress" />;
}

type MeterProps = { share: number; text: string; kind?: 'progress' | 'budget' };

export function Meter({ share, text, kind = 'budget' }: MeterProps) {
  const filled = Math.min(1, Math.max(0, share));
  const level = kind === 'progress' ? '' : filled >= 1 ? 'spent' : filled >= 0.85 ? 'high' : '';
  return (
    <div class={`meter ${kind} ${level}`}>
      <div class="meter-text">{text}</div>
      <svg class="meter-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="6" />
        <rect class="fill" width={filled * 100} height="6" />
      </svg>
    </div>
  );
}
