// A user who is signed in with a subscription: only for them has Claude Code a usage limit that it waits for.

import fs from 'node:fs';
import path from 'node:path';
import type { Stage } from './stage.ts';

/** The tokens are made up, and only the scripted model ever sees them. To be called before the client starts. */
export function subscribe(stage: Stage): void {
  delete stage.env.ANTHROPIC_API_KEY;
  const folder = path.join(stage.home, '.claude');
  const claudeAiOauth = {
    accessToken: 'sk-ant-oat01-scripted',
    refreshToken: 'sk-ant-ort01-scripted',
    expiresAt: Date.now() + 7 * 24 * 3600_000,
    scopes: ['user:inference', 'user:profile'],
    subscriptionType: 'max',
  };
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, '.credentials.json'), JSON.stringify({ claudeAiOauth }), {
    mode: 0o600,
  });
}
