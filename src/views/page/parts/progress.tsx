// How near a run is to its bound, and how much of something is used up. A bound is where a run has to end, not its goal:
// it has words, and no bar that fills.

import type { Progress } from '../../../view/model.ts';

/** `beside`: what stands beside it; where that says the same, it is not said twice. */
export function Bound({ progress: { unit, at, of }, beside }: { progress: Progress; beside: string }) {
  if (new RegExp(`${unit} ${at}\\b`, 'i').test(beside)) return null;
  return (
    <p class="bound">
      {unit} {at}
      {of !== null && ` of at most ${of}`}
    </p>
  );
}

/** What is used up of a limit, which is the line at its end. */
export function Meter({ share, text }: { share: number; text: string }) {
  const filled = Math.min(1, Math.max(0, share));
  const level = filled >= 1 ? 'spent' : filled >= 0.85 ? 'high' : '';
  return (
    <div class={`meter ${level}`}>
      <div class="meter-text">{text}</div>
      <svg class="meter-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="2" y="3" />
        <rect class="fill" width={filled * 100} height="2" y="3" />
        <rect class="limit" width="0.8" height="8" x="99.2" />
      </svg>
    </div>
  );
}
