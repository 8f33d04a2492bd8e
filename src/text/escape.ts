// Text of others made fit to stand in a document: as what it is, never as markup.

/** Neither markup nor HTML, and nothing that a forge makes a link of or calls somebody by. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>|~!&$]/g, '\\$&')
    .replace(/@|#(?=\d)|:(?=\/\/)|\bwww(?=\.)|\bGH(?=-)/gi, '$&<!-- -->');
}

/** Fit for an element's text and for an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
