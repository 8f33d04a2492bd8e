// A demo's turns, played in a folder without a hook: what the agent does and says, and what the demo's check prints then.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Demo } from '../../src/engine/demo.ts';
import { emptyFolder } from './bare-project.ts';

export type PlayedTurn = { does: string; called: string[]; says: string; check: string };

export async function playedTurns({ turns, config }: Demo): Promise<PlayedTurn[]> {
  const root = emptyFolder();
  const checks = config?.checks as { test?: { run?: string } } | undefined;
  const played: PlayedTurn[] = [];
  for (const { does, act, says } of turns) {
    const called: string[] = [];
    await act({
      root,
      cli: async (args, stdin = '') => {
        called.push([...args, `<${stdin}`].join(' '));
        return '';
      },
      shell: async (line) => {
        called.push(line);
        return '';
      },
      write: (file, content) => fs.writeFileSync(path.join(root, file), content),
      read: (file) => fs.readFileSync(path.join(root, file), 'utf8'),
      lastReason: () => '',
    });
    const ran = spawnSync('sh', ['-c', checks?.test?.run ?? 'exit 99'], { cwd: root, encoding: 'utf8' });
    played.push({ does, called, says, check: `${ran.status}\n${ran.stdout}` });
  }
  return played;
}
