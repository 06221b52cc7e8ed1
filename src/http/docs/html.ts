/** Text that is HTML already: everything else that comes into a page is escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | boolean | undefined | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A template whose values cannot break out of where they stand: in text, or in a quoted attribute. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(literals.map((literal, at) => literal + (at < parts.length ? textOf(parts[at]) : '')).join(''));
}

/** Nothing, where a condition does not hold. */
export const NOTHING = new Html('');

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === undefined) return '';
  return typeof part === 'object' ? part.map(textOf).join('') : escaped(String(part));
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Of Markdown what descriptions use: paragraphs, `code` and **strong**. */
export function prose(text: string): Html {
  return html`${text.split('\n\n').map((paragraph) => html`<p>${phrases(paragraph)}</p>`)}`;
}

/** The same within a line. */
export function phrases(text: string): Html {
  const marked = escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>').replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
  return new Html(marked);
}
