// What `doctor` says about each client that Holdfast can be installed in.

import type { ClientFinding } from '../../clients/installer.ts';
import type { Call } from '../../engine/workflow-cli.ts';
import { cliCommand } from '../../hook/runtime.ts';
import { messageOf } from '../../text/message-of.ts';
import type { Finding } from '../finding.ts';
import { type InstallableClient, installable, titlesOf } from './clients.ts';

export async function checkClients(call: Call): Promise<Finding[]> {
  const checked = await Promise.all(
    installable.map(async (client) => ({ client, findings: await check(client, call) })),
  );
  const absent = checked.flatMap(({ client, findings }) => (findings === null ? [client] : []));
  return [...oneIsEnough(checked.flatMap(({ findings }) => findings ?? [])), ...notThere(absent)];
}

/** One line for all of them: nobody has every client. */
function notThere(absent: readonly InstallableClient[]): Finding[] {
  if (absent.length === 0) return [];
  const what = `${titlesOf(absent)} ${absent.length === 1 ? 'is' : 'are'} not on PATH`;
  return [{ result: 'fair', what, fix: null }];
}

/** Not installed in a client is a fault only when it is installed in none: not everyone uses all of them. */
function oneIsEnough(findings: readonly ClientFinding[]): Finding[] {
  const installed = findings.some((finding) => finding.absent !== true);
  return findings.map(({ absent, ...finding }) =>
    absent === true && finding.result === 'bad' && installed ? { ...finding, result: 'fair' } : finding,
  );
}

/** Null: it is not on PATH. */
async function check(
  { title, install }: InstallableClient,
  call: Call,
): Promise<readonly ClientFinding[] | null> {
  try {
    const installer = await install.load();
    const found = await installer.look(call.cwd);
    if (found === null) return null;
    return await found.check({ cwd: call.cwd, env: call.env, cli: cliCommand() });
  } catch (error) {
    const why = messageOf(error);
    return [{ result: 'fair', what: `${title}: what is installed could not be read: ${why}`, fix: null }];
  }
}
