// The proof that the suites on flows can fail: defects planted into the source, one at a time.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
// @ts-expect-error a build script, without types
import { bundle } from '../../scripts/bundle.mjs';
import { type Defect, writePlanted } from '../crash/plant.ts';
import { parts as healthy, type Parts } from './parts.ts';
import { type Probe, probes } from './probes.ts';

const builds = path.resolve(import.meta.dirname, '../../.test-build');
const made: string[] = [];
afterAll(() => {
  for (const folder of made) fs.rmSync(folder, { recursive: true, force: true });
});

async function partsWith(defect: Defect): Promise<Parts> {
  fs.mkdirSync(builds, { recursive: true });
  const folder = fs.mkdtempSync(path.join(builds, 'flow-'));
  made.push(folder);
  const [file, planted] = writePlanted(defect, folder);
  const options = { define: { HOLDFAST_VERSION: '"planted"' }, replace: { [file]: planted } };
  await bundle({ parts: 'test/flow/parts.ts' }, folder, options);
  return createRequire(import.meta.url)(path.join(folder, 'parts.cjs')).parts;
}

const FLOW = 'workflows/flow';
const MISTAKES = 'each mistake is refused with its place';
const WALKS = 'walks end within the bound';
const BOUNDS = 'the bounds of the built-in ones';
const RUN = 'a run as it is written down';
const ASKED = 'what is asked for';

type Planted = Defect & { foundBy: keyof typeof probes };

const planted = (
  name: string,
  file: string,
  from: string,
  to: string,
  foundBy: Planted['foundBy'],
): Planted => ({
  ...{ name, file: `${FLOW}/${file}`, from, to, foundBy },
});

const defects: readonly Planted[] = [
  planted(
    'a visit lasts one hold longer',
    'decide.ts',
    'state.stay >= state.limit.holds',
    'state.stay > state.limit.holds',
    RUN,
  ),
  planted(
    'the run has no limit',
    'decide.ts',
    'if (state.held >= state.most) return atLimit(state, facts);\n  const change',
    'const change',
    WALKS,
  ),
  planted(
    'visits are counted one too few',
    'decide.ts',
    'state.visits >= condition.least',
    'state.visits > condition.least',
    RUN,
  ),
  planted(
    'a check that times out passed',
    'decide.ts',
    "return is === 'failed';",
    "return is === 'passed';",
    ASKED,
  ),
  planted(
    'the same content is reviewed again',
    'decide.ts',
    'facts.reviewed?.content === facts.content',
    'false',
    ASKED,
  ),
  planted(
    'a review is tried for ever',
    'decide.ts',
    'if (failures < MOST_FAILURES)',
    'if (failures < 99)',
    ASKED,
  ),
  planted('nobody waits for a person', 'decide.ts', 'state.pause && facts.waitsForPerson', 'false', ASKED),
  planted('another definition is taken', 'decide.ts', "if (facts.pinned === 'differs')", 'if (false)', ASKED),
  planted(
    'an untrusted check is one that failed',
    'decide.ts',
    '// Nobody knows any more which way it goes.\n',
    "if (state.held >= 0) return is === 'failed';\n",
    ASKED,
  ),
  planted(
    'the entry is no hold of the visit',
    'state-format.ts',
    '[to]: visits + 1 }, stay: Number(held)',
    '[to]: visits + 1 }, stay: 0',
    RUN,
  ),
  planted('an entry is no visit', 'state-format.ts', '[to]: visits + 1', '[to]: Math.max(1, visits)', RUN),
  planted(
    'holds are not counted',
    'state-format.ts',
    'held: state.held + Number(held)',
    'held: state.held',
    RUN,
  ),
  planted(
    'the costly parts come first',
    'language/conditions.ts',
    'COST.indexOf(one.kind) - COST.indexOf(other.kind)',
    'COST.indexOf(other.kind) - COST.indexOf(one.kind)',
    RUN,
  ),
  planted('a pattern may lead out', 'language/names.ts', ".includes('..')", ".includes('...')", MISTAKES),
  planted(
    'anchors are let pass',
    'language/read-yaml.ts',
    'isAlias(node) || known.anchor !== undefined',
    'isAlias(node)',
    MISTAKES,
  ),
  planted(
    'an unknown key is let pass',
    'language/reader.ts',
    'known !== null && !known.includes(entry.key)',
    'known === null',
    MISTAKES,
  ),
  planted('a bound of zero is let pass', 'language/reader.ts', 'value < 1', 'value < 0', MISTAKES),
  planted(
    'a trap is let pass',
    'checker/check.ts',
    'if (ending.has(index) ||',
    'if (ending.size > 0 ||',
    MISTAKES,
  ),
  planted(
    'dead lines are let pass',
    'checker/dead-lines.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source
    'if (taken.has(`${name} ${index}`)) return [];',
    'return [];',
    MISTAKES,
  ),
  planted(
    'nothing is too far',
    'checker/graph.ts',
    'fewest[to] = holds + Number(hold);',
    'fewest[to] = 0;',
    MISTAKES,
  ),
  planted(
    'the bound is one too low',
    'checker/bounds.ts',
    'Math.min(most, definition.holds)',
    'Math.min(most, definition.holds) - 1',
    BOUNDS,
  ),
  planted(
    'the explorer forgets holds',
    'checker/model.ts',
    'stay: stay + Number(change.held)',
    'stay',
    BOUNDS,
  ),
  planted(
    'the stop that ends it asks nothing',
    'checker/bounds.ts',
    'const most = (withProgress + 1) * tries;',
    'const most = withProgress * tries;',
    BOUNDS,
  ),
  planted(
    'a stop without a verdict starts nothing',
    'checker/bounds.ts',
    '? MOST_FAILURES : 1',
    '? 1 : 1',
    BOUNDS,
  ),
];

describe('planted into flows', () => {
  it.each(Object.entries<Probe>(probes))('nothing is wrong with the healthy parts: %s', (_, probe) => {
    expect(probe(healthy)).toBeNull();
  });

  test.each(defects)('$name is found', async (defect) => {
    const found: Probe = probes[defect.foundBy];
    const parts = await partsWith(defect);
    let problem: string | null;
    try {
      problem = found(parts);
    } catch (error) {
      problem = String(error);
    }
    expect(problem).not.toBeNull();
  });
});
