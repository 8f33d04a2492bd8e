// Where our own sandbox can be had; its words, and that it keeps what it says, are the Linux suite's.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { programs } from '../../test/support/programs.ts';
import { bubblewrap } from './bubblewrap.ts';

function on(platform: string): void {
  const { platform: own } = process;
  Object.defineProperty(process, 'platform', { value: platform });
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: own }));
}

describe('our own sandbox', () => {
  it('is not known on another system, whatever is installed there', () => {
    const { project, env } = programs({ bwrap: {} });
    on('darwin');
    const why = 'no sandbox for checks is known on this system';
    expect(bubblewrap(project, env)).toEqual({ kind: 'unknown', why });
  });

  it('is not known where bubblewrap is not installed; a program of the project’s own is none', () => {
    const { project } = programs({});
    on('linux');
    fs.writeFileSync(path.join(project, 'bwrap'), '#!/bin/sh\n', { mode: 0o755 });
    const why = 'bubblewrap is not installed (its program `bwrap` is not on PATH)';
    expect(bubblewrap(project, { PATH: project })).toEqual({ kind: 'unknown', why });
  });

  it('cannot be had where it could not deny what it has to', () => {
    const { project, env } = programs({ bwrap: {} });
    on('linux');
    fs.symlinkSync('/etc/hosts', path.join(project, '.mcp.json'));
    const why = `${path.join(project, '.mcp.json')} is a link, and a check could put something else in its place`;
    expect(bubblewrap(project, env)).toEqual({ kind: 'unknown', why });
  });
});
