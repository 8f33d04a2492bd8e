// Ends a run from the page: the one thing that writes, and it asks.

import { useRef, useState } from 'preact/hooks';
import { cancelRun } from '../live.ts';

export function CancelButton({ id, name }: { id: string; name: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [said, setSaid] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const cancel = async () => {
    setBusy(true);
    try {
      setSaid(await cancelRun(id));
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  return (
    <>
      <button
        type="button"
        class="cancel"
        onClick={() => {
          setSaid(null);
          dialog.current?.showModal();
        }}
      >
        Cancel this run
      </button>
      <dialog ref={dialog} aria-labelledby="cancel-title">
        <h2 id="cancel-title">Cancel {name}?</h2>
        <p>{said ?? 'The agent is let go at its next stop. What it has done so far stays as it is.'}</p>
        <div class="buttons">
          <button type="button" onClick={() => dialog.current?.close()}>
            {said === null ? 'Keep it' : 'Close'}
          </button>
          {said === null && (
            <button type="button" class="danger" disabled={busy} onClick={() => void cancel()}>
              Cancel the run
            </button>
          )}
        </div>
      </dialog>
    </>
  );
}
