// The files of the page, read once: what is served is in this map or is not there.

import path from 'node:path';
import { bytesOfOwn } from '../../store/open.ts';

export type Asset = { type: string; content: Uint8Array<ArrayBuffer> };

const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/page.css': ['page.css', 'text/css; charset=utf-8'],
  '/icon.svg': ['icon.svg', 'image/svg+xml'],
};

export function readAssets(folder: string): ReadonlyMap<string, Asset> {
  return new Map(
    Object.entries(FILES).map(([address, [file, type]]) => [
      address,
      { type, content: new Uint8Array(bytesOfOwn(path.join(folder, file))) },
    ]),
  );
}
