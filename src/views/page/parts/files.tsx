// The run's own files: reviews and plans rendered, logs and the rest as they are.

import { useEffect, useState } from 'preact/hooks';
import type { FileText } from '../../shown.ts';
import { ask } from '../live.ts';
import { Markdown } from './markdown.tsx';
import { Section } from './section.tsx';

export function FilesPanel({ id, files }: { id: string; files: readonly string[] }) {
  const [open, setOpen] = useState<string | null>(null);
  if (files.length === 0) return null;
  return (
    <Section title="Files" id="files" size="wide">
      <ul class="files">
        {files.map((file, place) => (
          <li key={file}>
            <button
              type="button"
              class="file"
              aria-expanded={open === file}
              onClick={() => setOpen(open === file ? null : file)}
            >
              {file}
            </button>
            {open === file && <File id={id} file={file} place={place} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function File({ id, file, place }: { id: string; file: string; place: number }) {
  const [read, setRead] = useState<FileText | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  useEffect(() => {
    ask<FileText>(
      `/api/file?run=${encodeURIComponent(id)}&place=${place}&name=${encodeURIComponent(file)}`,
    ).then(setRead, (error: Error) => setFailed(error.message));
  }, [id, file, place]);
  if (failed !== null) return <p class="muted">{failed}</p>;
  if (read === null) return <p class="muted">Reading …</p>;
  return (
    <div class="file-text">
      {read.cut && <p class="muted">Only its end is shown: it is long.</p>}
      {read.text.trim() === '' ? (
        <p class="muted">It is empty.</p>
      ) : /\.md$/i.test(file) ? (
        <Markdown text={read.text} />
      ) : (
        <pre class="tail">{read.text}</pre>
      )}
    </div>
  );
}
