// A claim whose check runs in a sandbox that bubblewrap makes, from the config to the notice.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMPLETE, newUser } from '../proof/user.ts';

describe('a check in a sandbox', () => {
  /** Reads the network's devices, and tries to write beside the project. */
  const PROBE = 'cat /proc/net/dev | grep -c : ; touch ../escaped; touch inside; true';

  it('that is asked for always: it reaches neither the network nor what lies beside the project', async () => {
    const user = newUser();
    user.write('.gitignore', 'inside\n');
    user.config({ checks: { test: { run: PROBE } }, proof: { sandbox: 'always' } });
    user.commit();
    await user.person('yes');
    await user.starts();
    const answer = await user.stop(COMPLETE);
    expect(answer.systemMessage).toContain('done and proven: test');
    // The loopback device and no other.
    expect(user.read('.holdfast/checks/test.log')).toMatch(/^1\n/);
    expect(user.exists('inside')).toBe(true);
    expect(user.exists('../escaped')).toBe(false);
  });

  it('of a session that is sandboxed, by what its transcript says', async () => {
    const user = newUser();
    user.write('.gitignore', 'inside\n');
    user.config({ checks: { test: { run: PROBE } } });
    user.commit();
    await user.person('yes');
    await user.starts();
    const recorded = path.resolve(
      import.meta.dirname,
      '../fixtures/recorded/claude-code/transcript-sandboxed-2.1.325.jsonl',
    );
    const transcript = path.join(path.dirname(user.root), 'transcript.jsonl');
    fs.copyFileSync(recorded, transcript);
    await user.stop(COMPLETE, { transcript_path: transcript });
    expect(user.read('.holdfast/checks/test.log')).toMatch(/^1\n/);
    expect(user.exists('inside')).toBe(true);
    expect(user.exists('../escaped')).toBe(false);
  });
});
