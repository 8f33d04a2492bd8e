// Puts runs that have ended out of sight: nothing is lost, so it does not ask.

import { useState } from 'preact/hooks';
import { dismiss } from '../live.ts';

type DismissProps = {
  /** Null: all that have ended. */
  id: string | null;
  words: string;
  /** What the run is called, for those who hear the button and do not see where it stands. */
  label?: string;
  done?: () => void;
};

export function DismissButton({ id, words, label, done }: DismissProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const press = () => dismiss(id).then(done, (error: Error) => setFailed(error.message));
  return (
    <>
      <button
        type="button"
        class="dismiss"
        title="Out of sight here and in status, for you alone; `holdfast status --all` still lists it"
        aria-label={label === undefined ? undefined : `${words}: ${label}`}
        onClick={() => void press()}
      >
        {words}
      </button>
      {failed !== null && (
        <span class="failed" role="alert">
          {failed}
        </span>
      )}
    </>
  );
}
