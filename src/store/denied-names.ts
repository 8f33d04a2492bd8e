// Names in a project by which a program outside of a sandbox is made to run, or a sandbox is loosened: the clients deny
// them to their agent's shell. What an agent can have us write must not come to lie there either.

/** The client's settings may be anywhere below it, in names of later versions too. */
export const DENIED_FOLDERS = ['.claude', '.vscode', '.idea'];
export const DENIED_FILES = ['.mcp.json', '.gitmodules'];
/** In a home they are read by every shell and every git. */
export const DENIED_IN_HOME = [
  ...['.gitconfig', '.bashrc', '.bash_profile', '.zshrc', '.zprofile', '.profile', '.ripgreprc'],
];
/** Codex's, and what we believe where the home is the project. */
const MORE = ['.codex', '.agents', '.config/holdfast', '.local/state/holdfast'];

const names = [...DENIED_FOLDERS, ...DENIED_FILES, ...DENIED_IN_HOME, ...MORE].map((name) =>
  name.replaceAll('.', '\\.'),
);
/** Of what lies in `.claude` these are the workflows' own. */
const OURS = '(?<=/\\.claude/)(?:claudex|idle-loop\\.local\\.md)/';
// A disk may take `.Claude` for `.claude`.
const DENIED = new RegExp(`/(${names.join('|')})/(?!${OURS})`, 'i');

/** The denied name that the path leads to or into; null: none. `path` is relative to the root. */
export function deniedName(path: string): string | null {
  return DENIED.exec(`/${path}/`)?.[1] ?? null;
}
