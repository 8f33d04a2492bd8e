// How many runs need their person, in the title and the icon of the tab: to be seen while another tab is open.

import { titleOf } from './card.tsx';
import type { Live } from './live.ts';
import { shortened } from './words.ts';

export function showAttention(overview: Live['overview'], page: Live['page']): void {
  const needing = overview?.cards.filter(({ status }) => status === 'needs-you').length ?? 0;
  const run = page === null || page === 'gone' ? null : page.run;
  const words = run === null || run.status === 'needs-you' ? 'needs you · ' : '';
  const task = run === null ? '' : `${shortened(titleOf(run), 50)} · `;
  document.title = `${needing === 0 ? '' : `(${needing}) ${words}`}${task}Holdfast`;
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  const address = needing === 0 ? '/icon.svg' : `data:image/svg+xml,${encodeURIComponent(counted(needing))}`;
  if (icon !== null && icon.getAttribute('href') !== address) icon.href = address;
}

/** Large enough to be read at 16 pixels. */
function counted(count: number): string {
  const text = count > 9 ? '9+' : String(count);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1d6b72"/><path d="M9 5v13M9 21c-4 0-6-3-6-6" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/><circle cx="19" cy="18" r="13" fill="#f0a93b"/><text x="19" y="24" font-family="sans-serif" font-weight="bold" font-size="${text.length > 1 ? 14 : 18}" text-anchor="middle" fill="#1f2328">${text}</text></svg>`;
}
