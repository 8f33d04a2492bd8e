// What came of the mutants, by folder.

import fs from 'node:fs';
import path from 'node:path';

export function printScore(judged, seed) {
  const counted = judged.filter(({ result }) => result !== 'refused');
  console.log(`\nScore by folder (seed ${seed}):`);
  for (const folder of [...new Set(counted.map(folderOf))].sort())
    console.log(
      line(
        folder,
        counted.filter((each) => folderOf(each) === folder),
      ),
    );
  console.log(line('all', counted));
  const survivors = counted.filter(({ result }) => result !== 'caught');
  if (survivors.length > 0) console.log('\nSurvivors:');
  for (const { name, result, ran, of } of survivors)
    console.log(
      `  ${name}${result === 'late' ? ' (no end in time)' : ''}${of === 0 ? ' (no test reaches it)' : ''}${ran < of ? ` (${ran} of ${of} tests run)` : ''}`,
    );
}

/** Written after each mutant, so that a run cut short leaves what it saw. */
export function writeReport(file, seed, judged) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(`${file}.new`, `${JSON.stringify({ seed, judged }, null, 2)}\n`);
  fs.renameSync(`${file}.new`, file);
}

function line(name, mutants) {
  const caught = mutants.filter(({ result }) => result === 'caught').length;
  const percent = mutants.length === 0 ? 0 : Math.round((1000 * caught) / mutants.length) / 10;
  return `  ${name.padEnd(24)} ${String(caught).padStart(4)} of ${String(mutants.length).padStart(4)}  ${percent} %`;
}

function folderOf({ file }) {
  const [top, folder, inner] = file.split('/');
  return folder === 'workflows' && inner?.includes('.') === false
    ? `${top}/${folder}/${inner}`
    : `${top}/${folder}`;
}
