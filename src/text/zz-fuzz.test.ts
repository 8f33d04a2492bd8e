import fc from 'fast-check';
import { test } from 'vitest';
import { findSignal, findSignalByScan } from '/work/main/src/text/signals.ts';
const S = '<loop-done>COMPLETE</loop-done>';
const pieces = ['```','````','~~~','~~~~','``` js','`','``','    ','  ',' ','\t','> ','>','- ','-','* ','1. ','2. ','10) ','+','<!--','-->','<!-->','---','***','# h','a','text','\\','===',S,S+' x', '`code`','-'];
test('fuzz', async () => {
  let n=0;
  await fc.assert(fc.asyncProperty(fc.array(fc.tuple(fc.array(fc.constantFrom(...pieces),{maxLength:4}), fc.constantFrom('\n','\n','\n','\n\n','\r\n')),{maxLength:9}), async (lines) => {
    const text = lines.map(([p,e])=>p.join('')+e).join('') + S + '\n' + '';
    const a = await findSignal(text,[S]); const b = findSignalByScan(text,[S]);
    if (a!==b) throw new Error(`parser ${a} scan ${b}`);
  }),{numRuns: Number(process.env.RUNS??20000), verbose:0, seed: process.env.SEED?Number(process.env.SEED):undefined});
}, 300000);
