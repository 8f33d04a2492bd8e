// `holdfast export`: what stands in the journals of all projects, to a collector that speaks OpenTelemetry.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Call, type Command, type ExitCode, NotNow } from '../engine/workflow-cli.ts';
import type { Otlp } from '../export/encoding.ts';
import { below } from '../store/paths.ts';
import { printable } from '../text/printable.ts';

export const exportCommand: Command = {
  name: 'export',
  summary: 'send the journals of all projects to an OpenTelemetry collector',
  usage:
    '--otlp URL [--follow] [--since TIME] [--signals traces,logs,metrics] [--header NAME=VALUE]… [--paths]',
  help: [
    '--otlp URL      the collector, OTLP over HTTP: http://127.0.0.1:4318; else HOLDFAST_OTLP_ENDPOINT says it',
    '--follow        goes on as lines come in, until it is ended',
    '--since TIME    only what happened since: 2026-11-01, 2026-11-01T08:30, 30m, 12h, 7d, 2w',
    '--signals LIST  only these, for a collector that does not take all three',
    '--header N=V    with every request; HOLDFAST_OTLP_HEADERS="n=v,n=v" does not show them to others on this machine',
    '--paths         also folders, review files, the names of runs and the text of errors: otherwise none of them leaves',
    '',
    'Where it left off is kept per collector, so the same command sends what is new. docs/fleet.md says what is sent.',
  ].join('\n'),
  options: {
    otlp: { type: 'string' },
    follow: { type: 'boolean' },
    since: { type: 'string' },
    signals: { type: 'string' },
    header: { type: 'string', multiple: true },
    paths: { type: 'boolean' },
  },
  writes: false,
  words: { least: 0, most: 0 },
  run: exportAll,
};

async function exportAll(call: Call): Promise<ExitCode> {
  const { exportJournals } = await import('../export/index.ts');
  const warn = (line: string): void => void process.stderr.write(`holdfast: ${printable(line)}\n`);
  return exportJournals({ ...call, warn }, loadOtlp);
}

/** OpenTelemetry's packages: built beside the plugins, in no plugin. */
function loadOtlp(): Otlp {
  const file = below(path.dirname(path.dirname(__dirname)), 'views/otlp.cjs');
  if (!fs.existsSync(file))
    throw new NotNow(
      `OpenTelemetry is not part of the plugin that a client copies, which this is (${path.dirname(__dirname)}). In the clone you installed it from, run \`npx holdfast export\`.`,
    );
  const loaded: { otlp: Otlp } = createRequire(file)(file);
  return loaded.otlp;
}
