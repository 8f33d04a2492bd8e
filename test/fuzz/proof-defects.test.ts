// The proof that the scenes of claims can fail: defects planted into the source, one at a time.

import { afterAll, expect, test } from 'vitest';
import type { Defect } from '../crash/plant.ts';
import { pluginWith, removePlanted } from './planting.ts';
import * as scenes from './proof-scenes.ts';
import { OUTPUTS, type ProofScene, prints } from './proof-scenes.ts';

afterAll(removePlanted);

const defects: readonly (Defect & { foundBy: ProofScene })[] = [
  {
    name: 'a receipt is taken for other content',
    file: 'engine/proof/receipts.ts',
    from: 'each.definition === definition && each.content === content)',
    to: "each.definition === definition && content !== '')",
    foundBy: scenes.otherContent,
  },
  {
    name: 'a receipt is taken for another definition',
    file: 'engine/proof/receipts.ts',
    from: 'each.definition === definition && each.content === content)',
    to: "definition !== '' && each.content === content)",
    foundBy: scenes.otherDefinition,
  },
  {
    name: 'trust is not asked for',
    file: 'engine/proof/trust.ts',
    from: "if (check.from === 'user') return true;",
    to: "if (check.name !== '') return true;",
    foundBy: scenes.untrusted,
  },
  {
    name: 'trust given after the start counts',
    file: 'engine/proof/trust.ts',
    from: 'known.definition === definition && known.at < before,',
    to: 'known.definition === definition && known.at < before + 1e9,',
    foundBy: scenes.trustedLate,
  },
  {
    name: 'an agent’s own check is kept',
    file: 'cli/check.ts',
    from: "said.end !== 'cannot-run' && !isInsideClient(env);",
    to: "said.end !== 'cannot-run';",
    foundBy: scenes.agentsOwnCheck,
  },
  {
    name: 'the pin is read from the config again',
    file: 'engine/proof/prove.ts',
    from: 'return await proveWith(pin, wanted, notes, stopped);',
    to: 'return await proveWith({ ...pin, checks: stopped.project.config.checks }, wanted, notes, stopped);',
    foundBy: scenes.easierConfig,
  },
  {
    name: 'refusals are not counted',
    file: 'engine/proof/judge.ts',
    from: 'memory: { ...memory, refusals: memory.refusals + 1 }',
    to: 'memory',
    foundBy: scenes.refusedForEver,
  },
  {
    name: 'a check that was killed has passed',
    file: 'engine/work/run.ts',
    from: 'code: code ?? codeOf(signal)',
    to: 'code: code ?? (codeOf(signal), 0)',
    foundBy: scenes.killed,
  },
  {
    name: 'the sandbox of the session is ignored',
    file: 'engine/proof/checking.ts',
    from: "if (sandbox === 'never') return { kind: 'none' };",
    to: "if (sandbox !== 'always') return { kind: 'none' };",
    foundBy: scenes.sandboxed,
  },
  {
    name: 'a check sees what is secret of the client',
    file: 'engine/work/environment.ts',
    from: '    ...(client.secretVariables ?? []),\n',
    to: '',
    foundBy: scenes.environment,
  },
  {
    name: 'what a check prints goes out as it is',
    file: 'engine/work/tail.ts',
    from: "const text = plainText(lines.join('\\n'))",
    to: "const text = (void plainText, lines.join('\\n'))",
    foundBy: prints(OUTPUTS['codes that steer a terminal'] ?? ''),
  },
  {
    name: 'the repository’s git folder is asked',
    file: 'engine/proof/git.ts',
    from: '      ...isolated(env, empty),\n      GIT_WORK_TREE: top,',
    to: '      ...isolated(env, empty),\n      GIT_DIR: folders.own,\n      GIT_WORK_TREE: top,',
    foundBy: scenes.gitSettings,
  },
  {
    name: 'what a check prints has no end',
    file: 'engine/work/run.ts',
    from: "return end.kind === 'exited' && hasFlooded(run) ? FLOODED : end;",
    to: "return end.kind === 'flooded' ? { kind: 'exited', code: 0 } : end;",
    foundBy: scenes.floods,
  },
];

test.each(defects.map((defect) => [defect.name, defect.file, defect] as const))(
  'is found: %s (%s)',
  async (_, __, defect) => {
    expect(await defect.foundBy(await pluginWith(defect))).not.toEqual([]);
  },
);
