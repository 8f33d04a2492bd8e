// docs/unattended.md: what a reader copies into a unit, a CI job or a cluster is what those can read.

import fs from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseCommandLine } from '../../src/cli/arguments.ts';
import { run } from '../../src/cli/run.ts';

const page = fs.readFileSync(new URL('../../docs/unattended.md', import.meta.url), 'utf8');

/** The indented lines after this paragraph, as a file would have them. */
function blockAfter(title: string): string {
  const [, text = ''] = page.split(`**${title}**`);
  const lines = text.slice(text.indexOf('\n    ') + 1).split('\n');
  const end = lines.findIndex((line) => line !== '' && !line.startsWith('    '));
  return lines
    .slice(0, end)
    .map((line) => line.slice(4))
    .join('\n');
}

/** Every end that the run itself came to. Our own bug (3) and a signal are worth another start. */
const ENDS = [1, 2, 4, 5, 6, 7];

it('has a unit with its sections, which starts only after a crash again', () => {
  const unit = blockAfter('A systemd user unit.');
  expect(unit.match(/^\[\w+\]$/gm)).toEqual(['[Unit]', '[Service]', '[Install]']);
  expect(/^RestartPreventExitStatus=(.*)$/m.exec(unit)?.[1]?.split(' ').map(Number)).toEqual(ENDS);
});

it('has a CI job whose steps are commands', () => {
  const steps: unknown = parse(blockAfter('A CI job.'));
  expect(steps).toEqual([
    { run: expect.stringMatching(/^holdfast run --json --unattended /) },
    { run: expect.stringMatching(/^git push /) },
  ]);
});

it('has a job for a cluster that fails at the same ends', () => {
  const { spec } = parse(blockAfter('A Kubernetes Job.')) as {
    spec: { podFailurePolicy: { rules: { onExitCodes: { values: number[] } }[] }; template: object };
  };
  expect(spec.podFailurePolicy.rules.map(({ onExitCodes }) => onExitCodes.values)).toEqual([ENDS]);
  expect(spec.template).toMatchObject({
    spec: { restartPolicy: 'Never', containers: [{ command: ['holdfast', 'run', '--continue', '--json'] }] },
  });
});

it('has commands that the command line takes', () => {
  const commands = [...page.matchAll(/^ {4}.*?\bholdfast run (.*)$/gm)].map(([, words = '']) =>
    words
      .replace(/ *(?:[|>&;]|\\$).*$/, '')
      .match(/"[^"]*"|\S+/g)
      ?.map((word) => word.replaceAll('"', '')),
  );
  expect(commands.length).toBeGreaterThan(7);
  for (const words of commands)
    expect(() => parseCommandLine(run.arrange?.(words ?? []) ?? [], run, 'run')).not.toThrow();
});
