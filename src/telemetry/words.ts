/** What a body must contain: all words, a word for each prefix, and each phrase as consecutive words. All lower-case. */
export interface TextQuery {
  readonly words: string[];
  readonly prefixes: string[];
  /** Two or more words each; they do not stand in `words` too. */
  readonly phrases: string[][];
}
/** Distinct words of a text. */
export function wordsOf(text: string): string[] { void text; throw new Error('being written'); }
export function parseTextQuery(text: string): TextQuery { void text; throw new Error('being written'); }
export function matchesText(query: TextQuery, bodyText: string): boolean { void query; void bodyText; throw new Error('being written'); }
