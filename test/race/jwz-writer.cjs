// Posts once to `loop:current` as the jwz tool does: under flock on `.jwz/lock` (the test starts it through util-linux's
// `flock`), reads the latest state, changes it, and appends the message in two writes with a pause in between.
//   flock -x .jwz/lock node jwz-writer.cjs <pause in ms>
const fs = require('node:fs');

const LOG = '.jwz/messages.jsonl';
const entries = fs
  .readFileSync(LOG, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));
const topic = entries.find(({ type, name }) => type === 'topic' && name === 'loop:current').id;
const state = JSON.parse(entries.filter(({ topic_id }) => topic_id === topic).at(-1).body);
state.posted = (state.posted ?? 0) + 1;
const id = `01JBF9X00000000000000${String(process.pid).padStart(5, '0')}`;
const body = JSON.stringify(state);
const line = JSON.stringify({ type: 'message', id, topic_id: topic, parent_id: null, body, created_at: 1 });
const log = fs.openSync(LOG, 'a');
fs.writeSync(log, line.slice(0, 40));
process.stdout.write('half\n');
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(process.argv[2]));
fs.writeSync(log, `${line.slice(40)}\n`);
