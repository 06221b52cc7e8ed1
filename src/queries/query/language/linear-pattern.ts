import { RE2JS } from 're2js';
import { measurePattern } from './pattern-size.js';

/** A regular expression that takes time linear in the text. */
export interface LinearPattern {
  /** True if the pattern matches anywhere in the first MAX_MATCHED_LENGTH characters of the text. */
  matches(text: string): boolean;
}

const MAX_PATTERN_LENGTH = 512;
/** Patterns of a condition, and their size in all: compiling them and matching one character takes time in proportion. */
const MAX_PATTERNS = 32;
const MAX_SIZE = 1_000;
/** Characters of a value that patterns are matched against: with the bound of the size, one value takes 1 s at most. */
const MAX_MATCHED_LENGTH = 32_768;

/** Compiles a pattern in RE2 syntax: no back-references and no look-around, so no text makes it slow. */
export function compilePattern(pattern: string): LinearPattern {
  const compiled = RE2JS.compile(pattern);
  return { matches: (text) => compiled.matcher(text.slice(0, MAX_MATCHED_LENGTH)).find() };
}

/** Checks the patterns of one condition. */
export class PatternChecker {
  private patterns = 0;
  private size = 0;

  /** What is wrong with a further pattern; undefined if it compiles. */
  findFault(pattern: string): string | undefined {
    if (pattern.length > MAX_PATTERN_LENGTH) return `it is longer than ${MAX_PATTERN_LENGTH} characters`;
    if (++this.patterns > MAX_PATTERNS) return `a condition has at most ${MAX_PATTERNS} of them`;
    this.size += measurePattern(pattern);
    if (this.size > MAX_SIZE)
      return `the patterns of a condition have at most ${MAX_SIZE} characters once repeats such as {100} are written out`;
    try {
      compilePattern(pattern);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
