// The proof that the scenes of claims can fail: defects planted into the source, one at a time.

import { afterAll, expect, test } from 'vitest';
import type { Defect } from '../crash/plant.ts';
import { pluginWith, removePlanted } from './planting.ts';
import * as scenes from './proof-scenes.ts';
import { OUTPUTS, type ProofScene, prints } from './proof-scenes.ts';

afterAll(removePlanted);

const defects: readonly (Defect & { foundBy: ProofScene; says: RegExp })[] = [
  {
    name: 'a receipt is taken for other content',
    file: 'engine/proof/receipts.ts',
    from: 'each.definition === definition && each.content === content)',
    to: "each.definition === definition && content !== '')",
    foundBy: scenes.otherContent,
    says: /not refused: .*done and proven/,
  },
  {
    name: 'a receipt is taken for another definition',
    file: 'engine/proof/receipts.ts',
    from: 'each.definition === definition && each.content === content)',
    to: "definition !== '' && each.content === content)",
    foundBy: scenes.otherDefinition,
    says: /not refused: .*done and proven/,
  },
  {
    name: 'trust is not asked for',
    file: 'engine/proof/trust.ts',
    from: "if (check.from === 'user') return true;",
    to: "if (check.name !== '') return true;",
    foundBy: scenes.untrusted,
    says: /the check ran 1 times/,
  },
  {
    name: 'trust given after the start counts',
    file: 'engine/proof/trust.ts',
    from: 'known.definition === definition && known.at < before)',
    to: 'known.definition === definition && known.at < before + 1e9)',
    foundBy: scenes.trustedLate,
    says: /the check ran 1 times/,
  },
  {
    name: 'an agent’s own check is kept',
    file: 'cli/check.ts',
    from: "said.end !== 'cannot-run' && !isInsideClient(env);",
    to: "said.end !== 'cannot-run';",
    foundBy: scenes.agentsOwnCheck,
    says: /a false program proved/,
  },
  {
    name: 'the pin is read from the config again',
    file: 'engine/proof/prove.ts',
    from: 'return await proveWith(pin, wanted, notes, stopped);',
    to: 'return await proveWith({ ...pin, checks: stopped.project.config.checks }, wanted, notes, stopped);',
    foundBy: scenes.easierConfig,
    says: /not refused/,
  },
  {
    name: 'refusals are not counted',
    file: 'engine/proof/judge.ts',
    from: 'memory: { ...memory, refusals: memory.refusals + 1 }',
    to: 'memory',
    foundBy: scenes.refusedForEver,
    says: /held: true,true,true,true/,
  },
  {
    name: 'a check that was killed has passed',
    file: 'engine/work/run.ts',
    from: 'code: 128 + os.constants.signals[signal]',
    to: 'code: 0 * os.constants.signals[signal]',
    foundBy: scenes.killed,
    says: /not refused: .*done and proven/,
  },
  {
    name: 'the sandbox of the session is ignored',
    file: 'engine/proof/checking.ts',
    from: "if (sandbox === 'never') return { kind: 'none' };",
    to: "if (sandbox !== 'always') return { kind: 'none' };",
    foundBy: scenes.sandboxed,
    says: /the check ran 1 times/,
  },
  {
    name: 'a check sees what is secret of the client',
    file: 'clients/headless/environment.ts',
    from: ' ...secretVariables,',
    to: '',
    foundBy: scenes.environment,
    says: /a check sees CLAUDE_CODE_MESSAGING/,
  },
  {
    name: 'what a check prints goes out as it is',
    file: 'text/printable.ts',
    from: 'return cleaned(text, false);',
    to: 'return text;',
    foundBy: prints(OUTPUTS['codes that steer a terminal'] ?? ''),
    says: /a control code goes out/,
  },
  {
    name: 'the repository’s git folder is asked',
    file: 'engine/proof/git.ts',
    from: `      ...settings.flatMap((each) => ['-c', each]),
      ...args,
    ];
    const repository = {`,
    to: `      ...args,
    ];
    void settings;
    const repository = {
      GIT_DIR: folders.own,`,
    foundBy: scenes.gitSettings,
    says: /pwned was started/,
  },
  {
    name: 'what a check prints has no end',
    file: 'engine/work/run.ts',
    from: "return end.kind === 'exited' && hasFlooded(run) ? FLOODED : end;",
    to: "return end.kind === 'flooded' ? { kind: 'exited', code: 0 } : end;",
    foundBy: scenes.floods,
    says: /not refused/,
  },
];

test.each(defects.map((defect) => [defect.name, defect.file, defect] as const))(
  'is found: %s (%s)',
  async (_, __, defect) => {
    expect((await defect.foundBy(await pluginWith(defect))).join('\n')).toMatch(defect.says);
  },
);
