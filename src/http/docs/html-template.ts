/** Text that is already HTML. The `html` template escapes all other values. */
export class Html {
  constructor(readonly text: string) {}
}

type TemplateValue = Html | string | number | boolean | undefined | readonly TemplateValue[];
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML template tag. Escapes values, so that they are safe in text and in quoted attributes. */
export function html(literals: TemplateStringsArray, ...parts: readonly TemplateValue[]): Html {
  return new Html(literals.map((literal, at) => literal + (at < parts.length ? renderValue(parts[at]) : '')).join(''));
}

function renderValue(part: TemplateValue): string {
  if (part instanceof Html) return part.text;
  if (part === undefined) return '';
  return typeof part === 'object' ? part.map(renderValue).join('') : escapeHtml(String(part));
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Renders the subset of Markdown that descriptions use: paragraphs, `code` and **strong**. */
export function renderMarkdown(text: string): Html {
  return html`${text.split('\n\n').map((paragraph) => html`<p>${renderInlineMarkdown(paragraph)}</p>`)}`;
}

/** Like `renderMarkdown`, without paragraphs. */
export function renderInlineMarkdown(text: string): Html {
  const marked = escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
  return new Html(marked);
}
