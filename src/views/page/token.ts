// The token: it comes in the fragment of the address, which no browser sends to a server, and goes in a header with all
// that the page asks for. This tab alone keeps it, for when it is loaded again.

const KEPT = 'holdfast-token';

let token: string | null = null;
let show: (token: string | null) => void = () => {};

/** Calls back now, and when the tab is given another token or its own is refused (null). */
export function keepToken(changed: (token: string | null) => void): void {
  show = changed;
  // An address that differs in its fragment alone does not load the page again.
  window.addEventListener('hashchange', takeFromAddress);
  token = kept();
  if (!takeFromAddress()) show(token);
}

/** Asks the server with the token; what it refuses is kept no longer. */
export async function request(address: string, init: RequestInit = {}): Promise<Response> {
  const used = token;
  const response = await fetch(address, { ...init, headers: { Authorization: `Bearer ${used ?? ''}` } });
  if (response.status === 401 && used === token) become(null);
  return response;
}

/** Before the address is seen by anyone but the page. */
function takeFromAddress(): boolean {
  const [, given, way] = /^#token=([\w-]+)(\/.*)?$/.exec(window.location.hash) ?? [];
  if (given === undefined) return false;
  window.history.replaceState(null, '', `#${way ?? '/'}`);
  become(given);
  return true;
}

function become(next: string | null): void {
  token = next;
  try {
    if (next === null) window.sessionStorage.removeItem(KEPT);
    else window.sessionStorage.setItem(KEPT, next);
  } catch {
    // A browser that keeps nothing for a site: the token lasts until the tab is loaded again.
  }
  show(next);
}

function kept(): string | null {
  try {
    return window.sessionStorage.getItem(KEPT);
  } catch {
    return null;
  }
}
