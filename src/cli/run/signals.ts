// ^C once asks the driver to end; twice, everything ends at once: the client's own watcher ends what it runs.

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
  return {
    forget() {
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
}
