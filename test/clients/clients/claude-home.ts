// Claude Code's own home: the plugins installed from the marketplace, by the client's own commands.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { builtPlugins, claudeProgram, marketplace } from './place.ts';
import type { Stage } from './stage.ts';

/** Like a user who ran `claude plugin install` once: every client with this HOME has the plugins, reviewers too. */
export function installForUser(stage: Stage): void {
  claudePlugin(stage, 'marketplace', 'add', marketplace);
  for (const name of builtPlugins()) claudePlugin(stage, 'install', `${name}@holdfast`);
}

export function claudePlugin(stage: Stage, ...args: string[]): string {
  return execFileSync(claudeProgram, ['plugin', ...args], {
    cwd: stage.root,
    env: stage.env,
    encoding: 'utf8',
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Answers beforehand what the client asks a new user: colours, the key, whether the folder is trusted. */
export function acceptOnboarding(stage: Stage): void {
  const key = stage.env.ANTHROPIC_API_KEY ?? '';
  const answers = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    bypassPermissionsModeAccepted: true,
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: { [stage.root]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  fs.writeFileSync(path.join(stage.home, '.claude.json'), JSON.stringify(answers));
}
