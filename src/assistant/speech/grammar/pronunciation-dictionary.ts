/** Pronunciations of English words, in the notation of the CMU dictionary: phones with blanks between them. */
export interface PronunciationDictionary {
  /** All that are known of a word in lower case: none for an unknown one. */
  pronunciations(word: string): readonly string[];
}

/**
 * The text of a dictionary in the format of Sphinx: `word PH ON ES`, then `word(2) …` for others, words that begin alike beside
 * each other. 130,000 lines stay one string; a look-up reads those that begin with the same two letters.
 */
export class SphinxDictionary implements PronunciationDictionary {
  private readonly sections = new Map<string, { from: number; to: number }>();

  constructor(private readonly text: string) {
    for (let from = 0; from < text.length;) {
      const to = endOfLine(text, from);
      const section = this.sections.get(text.slice(from, from + 2));
      if (section === undefined) this.sections.set(text.slice(from, from + 2), { from, to });
      else section.to = to;
      from = to;
    }
  }

  pronunciations(word: string): readonly string[] {
    // Words of one letter stand among those of the letter and a blank, or of a number in brackets.
    const starts = word.length > 1 ? [word.slice(0, 2)] : [`${word} `, `${word}(`];
    return starts.flatMap((start) => this.inSection(start, word));
  }

  private inSection(start: string, word: string): string[] {
    const section = this.sections.get(start);
    if (section === undefined) return [];
    const found: string[] = [];
    for (let from = section.from; from < section.to; from = endOfLine(this.text, from)) {
      const next = this.text[from + word.length];
      if ((next === ' ' || next === '(') && this.text.startsWith(word, from))
        found.push(parsePhones(this.text.slice(from, endOfLine(this.text, from))));
    }
    return found;
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end + 1;
}

function parsePhones(line: string): string {
  return line.slice(line.indexOf(' ') + 1).trim();
}
