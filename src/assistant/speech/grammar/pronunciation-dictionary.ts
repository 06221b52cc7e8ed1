/** Pronunciations of English words, in CMU dictionary notation: phones separated by blanks. */
export interface PronunciationDictionary {
  /** All pronunciations of a lower-case word; empty if unknown. */
  pronunciations(word: string): readonly string[];
}

/**
 * A dictionary in Sphinx format: `word PH ON ES`, then `word(2) …` for alternatives, sorted by word. The 130,000
 * lines stay one string; a lookup scans those that start with the same two letters.
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
    // Words of one letter are followed by a blank or by a number in brackets.
    const starts = word.length > 1 ? [word.slice(0, 2)] : [`${word} `, `${word}(`];
    return starts.flatMap((start) => this.inSection(start, word));
  }

  private inSection(start: string, word: string): string[] {
    const section = this.sections.get(start);
    if (section === undefined) return [];
    const pronunciations: string[] = [];
    for (let from = section.from; from < section.to; from = endOfLine(this.text, from)) {
      const next = this.text[from + word.length];
      if ((next === ' ' || next === '(') && this.text.startsWith(word, from))
        pronunciations.push(parsePhones(this.text.slice(from, endOfLine(this.text, from))));
    }
    return pronunciations;
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end + 1;
}

function parsePhones(line: string): string {
  return line.slice(line.indexOf(' ') + 1).trim();
}
