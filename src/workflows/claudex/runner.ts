// The script the agent runs to have a round reviewed: plain sh, complete in itself, and deaf to whatever the
// prompt holds. It keeps a heartbeat, so that a stop can tell that it runs, and ends in time.

import type { ReviewAccess } from '../../config/settings.ts';
import { shellQuote } from '../../text/shell.ts';
import type { LoopFiles, StateDir } from './files.ts';
import type { Targets } from './links.ts';
import { type LoopReviewer, limitWords, reviewerCommand, whyUnwritable } from './reviewer.ts';

export type RunnerTask = {
  /** `Claudex round 1 of 3: Senior-engineer review`; without quotes or line breaks. */
  title: string;
  dir: StateDir;
  files: LoopFiles;
  round: number;
  prompt: string;
  /** What it and its reviewer write: none of it may be a link. */
  targets: Targets;
  /** What must come out of it. */
  expected: readonly string[];
  access: ReviewAccess;
  reviewer: LoopReviewer;
  deadlineSeconds: number;
};

export function writeRunner(task: RunnerTask): string {
  const { files, dir, round, prompt, reviewer } = task;
  const { program, title, install } = reviewer;
  const unwritable = whyUnwritable(task);
  const delimiter = unusedDelimiter(prompt);
  return `#!/bin/sh
# ${task.title}
# Written by Holdfast. It hands the prompt below to ${title}, waits for it and keeps its exit code.
echo ${shellQuote(task.title)}

round=${round}
deadline=${task.deadlineSeconds}
self=${shellQuote(files.runner)}
prompt=${shellQuote(files.prompt)}
folder=${shellQuote(files.folder)}
exit_file=${shellQuote(files.exit(round))}
output=${shellQuote(files.output(round))}

# Nothing that is there is written over: what is to be new is removed first.
set -C

finish() {
  rm -f "$exit_file"
  printf '%s\\n' "$1" >"$exit_file"
  rm -f "$folder/running"
  echo "Claudex: the reviewer ended with exit code $1."
  exit "$1"
}

# A link in the place of what is written here came with the repository, or was put there since, and may lead anywhere.
link_among() {
  for place in "$@"; do
    if [ -L "$place" ]; then
      printf 'Claudex: %s is a link, so nothing was reviewed. Remove it, then run this again.\\n' "$place" >&2
      return 0
    fi
  done
  return 1
}

refuse_linked_folders() {
  if link_among ${list(task.targets.folders)}; then exit ${LINKED}; fi
}

refuse_linked_files() {
  if link_among ${list(task.targets.files)}; then finish ${LINKED}; fi
}

cd ${shellQuote(dir.root)} || exit 1
refuse_linked_folders
mkdir -p "$folder" || exit 1
refuse_linked_files
rm -f "$exit_file" "$prompt" "$output" "$folder/running"
if ! command -v ${program} >/dev/null 2>&1; then
  echo 'Claudex: ${program} was not found on PATH, so nothing was reviewed. Install it with \`${install}\`, then run this again.' >&2
  finish 127
fi
${unwritable === null ? '' : `echo ${shellQuote(`Claudex: nothing was reviewed: ${unwritable}.`)} >&2\nfinish ${UNWRITABLE}\n`}
cat >"$prompt" <<'${delimiter}' || finish ${LINKED}
${prompt}${delimiter}

# A stop takes the runner for dead when its heartbeat is older than ten seconds.
beat() {
  [ -L "$folder/running" ] || printf '%s\\n' "$round" >|"$folder/running"
}

# The reviewer and all it started, listed before anything is ended: what lost its parent cannot be found any more.
tree_of() {
  printf '%s ' "$1"
  for child in $(ps -A -o pid= -o ppid= | while read -r pid parent; do [ "$parent" = "$1" ] && echo "$pid"; done); do
    tree_of "$child"
  done
}

end_reviewer() {
  tree=$(tree_of "$reviewer" 2>/dev/null)
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
      end_reviewer
      [ "$why" -eq 1 ] && rm -f "$folder/running"
      exit "$why"
    fi
    beat
  done
}

interrupted() {
  trap '' INT TERM HUP
  kill -s KILL "$watcher" 2>/dev/null
  end_reviewer
  finish "$1"
}

refuse_linked_folders
refuse_linked_files
beat
${reviewerCommand(task)} <"$prompt" >"$output" 2>&1 &
reviewer=$!
watch_over </dev/null >/dev/null 2>&1 &
watcher=$!
trap 'interrupted 130' INT
trap 'interrupted 143' TERM
trap 'interrupted 129' HUP

wait "$reviewer"
code=$?
kill -s TERM "$watcher" 2>/dev/null
wait "$watcher" 2>/dev/null
case $? in
  124) code=124 && echo "Claudex: the review was ended, since it took longer than $deadline seconds." >&2 ;;
  125) code=125 && echo 'Claudex: the review was ended, since its loop was ended.' >&2 ;;
esac
# Its own words; it ends with 1 whatever its trouble was.
if [ "$code" -eq 1 ] && tail -n 15 "$output" | grep -qE ${shellQuote(limitWords(reviewer))}; then
  code=${LIMITED} && echo 'Claudex: ${title} is at its usage limit, so nothing was reviewed. Once that has ended, run this again.' >&2
fi
if [ "$code" -ne 0 ]; then
  printf 'Claudex: the last lines of %s:\\n' "$output" >&2
  tail -n 15 "$output" >&2
fi
for file in ${list(task.expected)}; do
  if [ -s "$file" ]; then printf 'Written: %s\\n' "$file"; else printf 'Not written: %s\\n' "$file"; fi
done
finish "$code"
`;
}

/** The exit code for "cannot create" (sysexits): no reviewer's own. */
export const LINKED = 73;
/** The one for "unavailable": another program may have it too, but no reviewer of ours has any but 1. */
export const LIMITED = 69;
/** The one for "configured wrongly". */
export const UNWRITABLE = 78;

const list = (files: readonly string[]): string => files.map(shellQuote).join(' ');

/** Quoted, so the shell expands nothing; and not in the prompt, so nothing in it can end the heredoc. */
function unusedDelimiter(prompt: string): string {
  let delimiter = 'PROMPTEOF';
  while (prompt.includes(delimiter)) delimiter += '_';
  return delimiter;
}
