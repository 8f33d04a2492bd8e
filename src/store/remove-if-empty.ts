// For folders that others may use too: gone with the last thing in them.

import fs from 'node:fs';
import { disk } from './disk.ts';

export function removeIfEmpty(folder: string): void {
  if (fs.existsSync(folder) && fs.readdirSync(folder).length === 0) disk.remove(folder);
}
