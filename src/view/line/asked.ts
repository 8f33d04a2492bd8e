// What a client sends to its status line: its session, and where it was started and is now (Claude Code 2.1.325).

import { isObject, parseJson } from '../../store/json.ts';

export type Asked = { session: string | null; folders: readonly string[] };

/** Anything else counts as nothing sent: then it is about the folder it is run in. */
export function readAsked(input: string): Asked {
  const sent = input === '' ? undefined : parseJson(input);
  if (!isObject(sent)) return { session: null, folders: [] };
  const workspace = isObject(sent.workspace) ? sent.workspace : {};
  const folders = [workspace.project_dir, workspace.current_dir, sent.cwd];
  return {
    session: typeof sent.session_id === 'string' ? sent.session_id : null,
    folders: folders.filter((folder) => typeof folder === 'string'),
  };
}
