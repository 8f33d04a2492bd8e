// The script the agent runs to have a round reviewed: plain sh, complete in itself, and deaf to whatever the
// prompt holds. It keeps a heartbeat, so that a stop can tell that it runs, and ends in time.

import type { ReviewAccess } from '../../config/config.ts';
import { shellQuote } from '../../text/shell.ts';
import type { LoopFiles, Place } from './place.ts';

export type RunnerTask = {
  /** `Claudex round 1 of 3: Senior-engineer review`; without quotes or line breaks. */
  title: string;
  place: Place;
  files: LoopFiles;
  round: number;
  prompt: string;
  /** What must come out of it. */
  expected: readonly string[];
  access: ReviewAccess;
  deadlineSeconds: number;
};

export function writeRunner(task: RunnerTask): string {
  const { files, place, round, prompt } = task;
  const delimiter = unusedDelimiter(prompt);
  return `#!/bin/sh
# ${task.title}
# Written by Holdfast. It hands the prompt below to Codex, waits for it and keeps its exit code.
echo ${shellQuote(task.title)}

round=${round}
deadline=${task.deadlineSeconds}
self=${shellQuote(files.runner)}
prompt=${shellQuote(files.prompt)}
folder=${shellQuote(files.folder)}
exit_file=${shellQuote(files.exit(round))}
output=${shellQuote(files.output(round))}

finish() {
  printf '%s\\n' "$1" >"$exit_file"
  rm -f "$folder/running"
  echo "Claudex: the reviewer ended with exit code $1."
  exit "$1"
}

cd ${shellQuote(place.root)} || exit 1
# A link in the place of what is written below came with the repository and may lead anywhere.
if [ -L "$folder" ]; then
  echo "Claudex: $folder is a link, so nothing is written there. Remove it, then run this again." >&2
  exit 1
fi
mkdir -p "$folder" || exit 1
rm -f "$exit_file" "$prompt" "$output" "$folder/running"
if ! command -v codex >/dev/null 2>&1; then
  echo 'Claudex: codex was not found on PATH, so nothing was reviewed. Install Codex, then run this again.' >&2
  finish 127
fi

cat >"$prompt" <<'${delimiter}'
${prompt}${delimiter}

# A stop takes the runner for dead when its heartbeat is older than ten seconds.
beat() {
  printf '%s\\n' "$round" >"$folder/running"
}

# Codex and all it started, listed before anything is ended: what lost its parent cannot be found any more.
tree_of() {
  printf '%s ' "$1"
  for child in $(ps -A -o pid= -o ppid= | while read -r pid parent; do [ "$parent" = "$1" ] && echo "$pid"; done); do
    tree_of "$child"
  done
}

end_codex() {
  tree=$(tree_of "$codex" 2>/dev/null)
  kill -s TERM $tree 2>/dev/null
  sleep 1
  kill -s KILL $tree 2>/dev/null
}

# Lives only as long as the runner does; says by its exit code why it ended the review.
watch_over() {
  left=$deadline
  while sleep 2; do
    left=$((left - 2))
    why=0
    kill -0 $$ || why=1
    [ -e "$self" ] || why=125
    [ "$left" -gt 0 ] || why=124
    if [ "$why" -ne 0 ]; then
      trap '' TERM
      end_codex
      [ "$why" -eq 1 ] && rm -f "$folder/running"
      exit "$why"
    fi
    beat
  done
}

interrupted() {
  trap '' INT TERM HUP
  kill -s KILL "$watcher" 2>/dev/null
  end_codex
  finish "$1"
}

beat
${codexCommand(task)} <"$prompt" >"$output" 2>&1 &
codex=$!
watch_over </dev/null >/dev/null 2>&1 &
watcher=$!
trap 'interrupted 130' INT
trap 'interrupted 143' TERM
trap 'interrupted 129' HUP

wait "$codex"
code=$?
kill -s TERM "$watcher" 2>/dev/null
wait "$watcher" 2>/dev/null
case $? in
  124) code=124 && echo "Claudex: the review was ended, since it took longer than $deadline seconds." >&2 ;;
  125) code=125 && echo 'Claudex: the review was ended, since its loop was ended.' >&2 ;;
esac
if [ "$code" -ne 0 ]; then
  echo "Claudex: the last lines of $output:" >&2
  tail -n 15 "$output" >&2
fi
for file in ${task.expected.map(shellQuote).join(' ')}; do
  if [ -s "$file" ]; then echo "Written: $file"; else echo "Not written: $file"; fi
done
finish "$code"
`;
}

/** Hooks are off twice over, so that the reviewer's own stop can never step the loop it reviews. */
function codexCommand({ access, place }: RunnerTask): string {
  const reach = place.shared ? ` --add-dir ${shellQuote(place.folder)}` : '';
  const permission =
    access === 'sandboxed' ? `-s workspace-write${reach}` : '--dangerously-bypass-approvals-and-sandbox';
  return `HOLDFAST_DISABLE=1 codex exec ${permission} --skip-git-repo-check --disable hooks`;
}

/** Quoted, so the shell expands nothing; and not in the prompt, so nothing in it can end the heredoc. */
function unusedDelimiter(prompt: string): string {
  let delimiter = 'PROMPTEOF';
  while (prompt.includes(delimiter)) delimiter += '_';
  return delimiter;
}
