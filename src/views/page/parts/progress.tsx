// How near a run is to its bound, and how much of something is used up. A bound is where a run has to end, not its goal:
// it has words, and no bar that fills.

import type { Progress } from '../../../view/model.ts';
import { boundInWords } from '../../../view/run-state.ts';

export function Bound({ progress, beside }: { progress: Progress; beside: string }) {
  const words = boundInWords(progress, beside);
  return words === null ? null : <p class="bound">{words}</p>;
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
