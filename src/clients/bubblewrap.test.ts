// Where our own sandbox can be had; its words, and that it keeps what it says, are the Linux suite's.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { programs } from '../../test/support/programs.ts';
import { bubblewrap } from './bubblewrap.ts';

const isLinux = process.platform === 'linux';

describe('our own sandbox', () => {
  it('is not known where bubblewrap is not installed, or no Linux is', () => {
    const { project } = programs({});
    expect(bubblewrap(project, { PATH: '/nonexistent' })).toEqual({
      kind: 'unknown',
      why: isLinux
        ? 'bubblewrap is not installed (its program `bwrap` is not on PATH)'
        : 'no sandbox for checks is known on this system',
    });
  });

  it('is never a program of the project’s own', () => {
    const { project } = programs({});
    fs.writeFileSync(path.join(project, 'bwrap'), '#!/bin/sh\n', { mode: 0o755 });
    expect(bubblewrap(project, { PATH: project }).kind).toBe('unknown');
  });
});
