/**
 * Characters that change how text looks without being seen: control characters except tab and line feed, and those that
 * override the direction of text (U+202A to U+202E, U+2066 to U+2069).
 */
const CONTROL_CHARACTERS = /(?!\r\n)[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Shows control characters as `\u202e`: stored text was written by anybody, and must not pretend to be other text. */
export function escapeControlCharacters(text: string): string {
  return text.replace(CONTROL_CHARACTERS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Attributes of HTML elements that are displayed or read aloud. The values of inputs are not changed: they are edited. */
const READ_ATTRIBUTES = ['title', 'alt', 'placeholder', 'aria-label', 'aria-description', 'aria-valuetext'] as const;

/**
 * The props of an element with control characters escaped in the texts that it shows: its children and, for HTML
 * elements, the attributes that people read. Returns the same object if there are none.
 */
export function escapeDisplayedText(type: unknown, props: unknown): unknown {
  if (typeof props !== 'object' || props === null) return props;
  const given = props as Readonly<Record<string, unknown>>;
  const changes: Record<string, unknown> = {};
  const names = typeof type === 'string' ? ['children', ...READ_ATTRIBUTES] : ['children'];
  for (const name of names) {
    const escaped = escapeNode(given[name]);
    if (escaped !== given[name]) changes[name] = escaped;
  }
  return Object.keys(changes).length === 0 ? props : { ...given, ...changes };
}

/** Escapes a text, or the texts in lists; elements were escaped when they were created. */
function escapeNode(node: unknown): unknown {
  if (typeof node === 'string') return escapeControlCharacters(node);
  if (!Array.isArray(node)) return node;
  const escaped = node.map(escapeNode);
  return escaped.every((each, at) => each === node[at]) ? node : escaped;
}
