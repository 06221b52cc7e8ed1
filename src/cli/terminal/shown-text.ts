/**
 * Control characters and what turns the direction of writing: they come from strangers' telemetry and names,
 * and a terminal would obey them.
 */
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** The text on one line, with nothing in it that a terminal obeys. */
export function shownText(text: string): string {
  return text.replace(OBEYED, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return ' ';
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
