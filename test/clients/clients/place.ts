// Where things are: the pinned clients, the built plugins, and the folders a scenario may write to.

import fs from 'node:fs';
import path from 'node:path';

const suite = path.resolve(import.meta.dirname, '..');
const repository = path.resolve(suite, '../..');

/** Another build or another client can be put in its place, to try a new version before it is pinned. */
export const marketplace = process.env.HOLDFAST_TEST_MARKETPLACE ?? path.join(repository, 'dist');
const installed = process.env.HOLDFAST_TEST_CLIENTS ?? path.join(suite, 'node_modules');

export const clientFolder = path.join(installed, '.bin');
export const claudeProgram = path.join(clientFolder, 'claude');
export const codexProgram = path.join(clientFolder, 'codex');

/** The last version that lets its agent go at a hold said as feedback. */
export const olderClaude = '2.1.162';
export const olderClaudeProgram = path.join(installed, `claude-code-${olderClaude}`, 'bin', 'claude.exe');

export function pluginFolder(name: string): string {
  return path.join(marketplace, name);
}

/** All plugins of the marketplace that are built. */
export function builtPlugins(): string[] {
  const { plugins }: { plugins: { name: string }[] } = JSON.parse(
    fs.readFileSync(path.join(marketplace, '.claude-plugin', 'marketplace.json'), 'utf8'),
  );
  return plugins.map(({ name }) => name);
}

export function installedVersion(packageName: string): string {
  const { version }: { version: string } = JSON.parse(
    fs.readFileSync(path.join(installed, packageName, 'package.json'), 'utf8'),
  );
  return version;
}

/** Not under the system's temp folder: Codex refuses to keep its home there (0.166.0). */
export function newFolder(): string {
  return fs.realpathSync(fs.mkdtempSync('/var/tmp/holdfast-clients-'));
}
