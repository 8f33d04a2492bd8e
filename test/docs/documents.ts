// Reads the documents as a reader's browser would: where their links lead, and which anchors their headings make.

import fs from 'node:fs';
import path from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';

/** Files by their path from the repository's top. */
export type Files = Readonly<Record<string, string>>;

/** What is there: a file or a folder. */
export type Exists = (path: string) => boolean;

/** Links of `documents` that lead nowhere, one line each. Those to other sites are not followed. */
export function brokenLinks(documents: Files, exists: Exists): string[] {
  return Object.entries(documents).flatMap(([file, text]) =>
    linksIn(text)
      .filter((link) => !/^[a-z][a-z0-9+.-]*:/i.test(link))
      .flatMap((link) => problemWith(link, file, documents, exists) ?? []),
  );
}

/** Mentions of `docs/…` that are no file or folder, in whatever text. */
export function missingDocs(files: Files, exists: Exists): string[] {
  return Object.entries(files).flatMap(([file, text]) =>
    [...new Set(text.match(/(?<![\w./-])docs\/(?:[\w.-]+\/)*[\w.-]*/g) ?? [])]
      .map((mention) => mention.replace(/[./-]+$/, ''))
      .filter((mention) => !exists(mention))
      .map((mention) => `${file}: there is no ${mention}`),
  );
}

/** The numbers of the decisions that `document` makes, in its order. */
export function decisionsIn(document: string): number[] {
  return Array.from(document.matchAll(/^## Decision (\d+): \S/gm), (match) => Number(match[1]));
}

/** Decisions that are cited and not in the list. `decisions 3, 7 and 14` cites three. */
export function unknownDecisions(files: Files, known: readonly number[]): string[] {
  return Object.entries(files).flatMap(([file, text]) =>
    Array.from(text.matchAll(/\bdecisions? (\d+(?:(?:, | and | to )\d+)*)/gi))
      .flatMap((match) => match[1]?.match(/\d+/g) ?? [])
      .filter((number) => !known.includes(Number(number)))
      .map((number) => `${file}: there is no decision ${number}`),
  );
}

/** As GitHub makes them: lower case, marks taken out, blanks as hyphens, a number after one that was there before. */
export function anchorsIn(markdown: string): string[] {
  const seen = new Map<string, number>();
  return nodesOf(fromMarkdown(markdown))
    .filter((node) => node.type === 'heading')
    .map((heading) => {
      const slug = textOf(heading)
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
        .replaceAll(' ', '-');
      const before = seen.get(slug) ?? 0;
      seen.set(slug, before + 1);
      return before === 0 ? slug : `${slug}-${before}`;
    });
}

/** Files below `folders` of the repository whose name ends in one of `endings`. */
export function readFiles(root: string, folders: readonly string[], endings: readonly string[]): Files {
  const found = folders.flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
      .filter((file) => !file.split(path.sep).includes('node_modules')),
  );
  return Object.fromEntries(found.map((file) => [file, fs.readFileSync(path.join(root, file), 'utf8')]));
}

function problemWith(link: string, file: string, documents: Files, exists: Exists): string | null {
  const [target = '', anchor] = link.split('#', 2);
  const to = target === '' ? file : path.posix.join(path.posix.dirname(file), decodeURIComponent(target));
  if (!exists(to)) return `${file}: ${link} leads nowhere`;
  if (anchor === undefined) return null;
  const text = documents[to];
  if (text === undefined) return `${file}: ${link} has an anchor in something that is no document`;
  return anchorsIn(text).includes(anchor) ? null : `${file}: ${link} names no heading`;
}

type Node = { type: string; value?: string; url?: string; children?: readonly Node[] };

/** Links, images and definitions; what is shown as code is none. */
function linksIn(markdown: string): string[] {
  return nodesOf(fromMarkdown(markdown)).flatMap((node) => node.url ?? []);
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.children ?? []).flatMap(nodesOf)];
}

function textOf(node: Node): string {
  return node.value ?? (node.children ?? []).map(textOf).join('');
}
