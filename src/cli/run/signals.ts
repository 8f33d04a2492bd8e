// ^C once asks the driver to end; twice, everything ends at once: the client's own watcher ends what it runs. A terminal
// or a reader that is gone asks the same: other commands end there with 0, which here would mean completed.

import type { Bell } from '../../driver/clock.ts';
import type { Shown } from './show.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function catchSignals(asked: Bell, shown: Shown, command: () => string): { forget(): void } {
  const listener = (): void => {
    const again = asked.rung;
    shown.say({ event: 'asked-to-end', again });
    if (!again) {
      asked.ring();
      return;
    }
    shown.say({ event: 'left', command: command() });
    shown.line(`To go on: ${command()}`);
    process.exit(5);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  const unread = (): void => asked.ring();
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error');
    stream.on('error', unread);
  }
  return {
    forget() {
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
}
