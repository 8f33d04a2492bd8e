// A part of the page with its heading, and what stands where there is nothing to show.

import type { ComponentChildren } from 'preact';

type SectionProps = {
  title: string;
  id: string;
  /** Beside the heading. */
  aside?: ComponentChildren;
  /** `tall`: beside two others. */
  size?: 'half' | 'wide' | 'tall';
  children: ComponentChildren;
};

export function Section({ title, id, aside, size = 'half', children }: SectionProps) {
  return (
    <section class={`panel ${size}`} aria-labelledby={`${id}-title`} id={id}>
      <div class="panel-head">
        <h2 id={`${id}-title`}>{title}</h2>
        {aside !== undefined && <div class="panel-aside">{aside}</div>}
      </div>
      {children}
    </section>
  );
}

/** What stands there until the first answer came. */
export function Loading({ title }: { title: string }) {
  return (
    <div class="empty" aria-busy="true">
      <p class="empty-title">{title}</p>
    </div>
  );
}

/** Always with a word why. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}
