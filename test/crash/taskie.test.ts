// Taskie's stops, crashed and failed at every step.

import { describe, expect, it, vi } from 'vitest';
import { crashEverywhere, failEverywhere } from './scenario.ts';
import { failed, findings, firstClean, owed, released, secondClean, skipped, withoutFile } from './taskie.ts';

vi.setConfig({ testTimeout: 300_000 });

describe('taskie, killed at every step', () => {
  it('a review with findings is neither lost nor run twice', async () => {
    const { problems, points } = await crashEverywhere(findings);
    expect(problems).toEqual([]);
    expect(points).toBeGreaterThan(40);
  });
});
