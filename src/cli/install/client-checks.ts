// What `doctor` says about each client that Holdfast can be installed in.

import type { ClientFinding } from '../../clients/installer.ts';
import type { Call } from '../../engine/workflow-cli.ts';
import { cliCommand } from '../../hook/runtime.ts';
import { messageOf } from '../../text/message-of.ts';
import type { Finding } from '../finding.ts';
import { type InstallableClient, installable } from './clients.ts';

export async function checkClients(call: Call): Promise<Finding[]> {
  return oneIsEnough((await Promise.all(installable.map((client) => check(client, call)))).flat());
}

/** Not installed in a client is a fault only when it is installed in none: not everyone uses all of them. */
function oneIsEnough(findings: readonly ClientFinding[]): Finding[] {
  const installed = findings.some((finding) => finding.absent !== true);
  return findings.map(({ absent, ...finding }) =>
    absent === true && finding.result === 'bad' && installed ? { ...finding, result: 'fair' } : finding,
  );
}

async function check({ title, install }: InstallableClient, call: Call): Promise<readonly ClientFinding[]> {
  try {
    const installer = await install.load();
    const found = await installer.look(call.cwd);
    if (found === null) return [{ result: 'fair', what: `${title} is not on PATH`, fix: null, absent: true }];
    return await found.check({ cwd: call.cwd, env: call.env, cli: cliCommand() });
  } catch (error) {
    const why = messageOf(error);
    return [{ result: 'fair', what: `${title}: what is installed could not be read: ${why}`, fix: null }];
  }
}
