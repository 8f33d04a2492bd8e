// `holdfast watch`: the runs in a terminal, redrawn in place when something changes; plain lines where there is none to draw on.

import { render } from 'ink';
import type { Source } from '../source.ts';
import { App } from './app.tsx';
import { printLines } from './lines.ts';

export type WatchOptions = {
  source: Source;
  /** Without NO_COLOR. */
  colours: boolean;
  /** Both null: this may not write. */
  cancel: ((id: string) => Promise<string>) | null;
  dismiss: ((id: string) => Promise<string>) | null;
  /** Opens a run's page; answers with a line for the user. */
  open(id: string | null): Promise<string>;
};

/** Until it is ended. */
export async function watch(options: WatchOptions): Promise<void> {
  const { stdout } = process;
  // A dumb terminal, such as Emacs' shell, has no place to draw on.
  if (!stdout.isTTY || process.env.TERM === 'dumb') return printLines(options.source);
  // What was on the screen is there again afterwards.
  stdout.write('\u001b[?1049h\u001b[2J\u001b[H');
  // However it ends, a crash included.
  const leave = (): void => void stdout.write('\u001b[?1049l\u001b[?25h');
  process.once('exit', leave);
  try {
    const { waitUntilExit, unmount } = render(<App {...options} />);
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => unmount());
    await waitUntilExit();
  } finally {
    process.removeListener('exit', leave);
    leave();
  }
}
