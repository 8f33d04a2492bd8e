// The journal's line behind a mark, as it stands there.

import { useEffect, useState } from 'preact/hooks';
import type { Position } from '../../../store/journal-forward.ts';
import { ask } from '../live.ts';

export function RawLine({ id, position }: { id: string; position: Position }) {
  const [open, setOpen] = useState(false);
  const mark = `${position.segment}-${position.offset}`;
  // Another mark was chosen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the mark that closes it.
  useEffect(() => setOpen(false), [mark]);
  return (
    <div class="raw">
      <button type="button" class="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Hide the journal line' : 'Journal line'}
      </button>
      {open && <Line id={id} mark={mark} />}
    </div>
  );
}

function Line({ id, mark }: { id: string; mark: string }) {
  const [text, setText] = useState('…');
  useEffect(() => {
    ask<{ text: string }>(`/api/line?run=${encodeURIComponent(id)}&mark=${mark}`).then(
      (answer) => setText(indented(answer.text)),
      (error: Error) => setText(error.message),
    );
  }, [id, mark]);
  return <pre class="tail">{text}</pre>;
}

function indented(line: string): string {
  try {
    return JSON.stringify(JSON.parse(line), null, 2);
  } catch {
    return line;
  }
}
