// Changes fields of state.json in its own text: everything else a person wrote there, unknown fields, order,
// indentation, line ends, stays byte for byte as it was.

import type { Json } from '../../store/json.ts';
import { isTaskId } from './names.ts';

export type Fields = Readonly<Record<string, Json>>;

/** A new file, laid out the way people read it. */
export function newStateText(fields: Fields): string {
  return `${JSON.stringify(fields, null, 2)}\n`;
}

/** `text` is a JSON object. Fields in `changed` are set, those in `missing` only added where there is none. */
export function editStateText(text: string, changed: Fields, missing: Fields = {}): string {
  const members = findMembers(text);
  const known = new Set(members.map((member) => member.name));
  const added = Object.entries({ ...missing, ...changed }).filter(([name]) => !known.has(name));
  let edited = addMembers(text, members, added);
  // From the last to the first, so that the places before stay right.
  for (const { name, start, end } of [...members].reverse()) {
    const value = Object.hasOwn(changed, name) ? changed[name] : asWritten(name, text.slice(start, end));
    if (value !== undefined) edited = edited.slice(0, start) + JSON.stringify(value) + edited.slice(end);
  }
  return edited;
}

/** A person may give the task as a number; whoever writes the file makes it the string that it is. */
function asWritten(name: string, value: string): string | undefined {
  if (name !== 'current_task' || !/^[\d.eE+-]+$/.test(value)) return undefined;
  const id = isTaskId(value) ? value : String(Number(value));
  return isTaskId(id) ? id : undefined;
}

/** A field of the outermost object, and where its value stands. */
type Member = { name: string; start: number; end: number };

const TOKEN = /"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** Reads tokens, not grammar: whoever calls has parsed the text already. */
function findMembers(text: string): Member[] {
  const members: Member[] = [];
  let depth = 0;
  let name: string | null = null;
  let start = -1;
  let end = -1;
  for (const token of text.matchAll(TOKEN)) {
    const [word] = token;
    if (word === '}' || word === ']') depth--;
    const ends = depth === 0 || (depth === 1 && word === ',');
    if (ends && name !== null && start >= 0) members.push({ name, start, end });
    if (ends) [name, start] = [null, -1];
    else if (name === null && word.startsWith('"')) name = String(JSON.parse(word));
    else if (name !== null && !(start < 0 && word === ':')) {
      if (start < 0) start = token.index;
      end = token.index + word.length;
    }
    if (word === '{' || word === '[') depth++;
  }
  return members;
}

function addMembers(text: string, members: readonly Member[], added: readonly [string, Json][]): string {
  if (added.length === 0) return text;
  const last = members.at(-1);
  const at = last?.end ?? text.indexOf('{') + 1;
  const before = separatorOf(text, last);
  const texts = added.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const first = last === undefined ? '' : ',';
  return text.slice(0, at) + first + before + texts.join(`,${before}`) + text.slice(at);
}

/** What stands before a field's name in this file: a line end and its indentation, or a blank in a one-line file. */
function separatorOf(text: string, last: Member | undefined): string {
  const before = last === undefined ? '' : text.slice(0, last.start);
  const found = /(\r?\n[ \t]*)"(?:\\.|[^"\\])*"\s*:\s*$/.exec(before)?.[1];
  return found ?? (last === undefined ? '' : ' ');
}
