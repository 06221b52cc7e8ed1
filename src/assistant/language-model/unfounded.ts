/** Figures of a text, such as `4,820`, `8.5` or `14:05`, but none that is part of a name or a word: `p95`, `orders-2`, `5xx`, `2nd`. */
const FIGURE = /(?<![\p{L}\p{N}_.,:]|\p{L}-)\d+(?:[.,:]\d+)*(?!\d|xx|(?:st|nd|rd|th)\b)/gu;
/** Numbers of the lines of a list. */
const ORDINAL = /^\s*\d{1,2}[.)]\s/gm;

/** Milliseconds are told in seconds or minutes, shares in percent. */
const SCALES = [1 / 1000, 1 / 60_000, 100];
/** What rounding may make of those: in thousands of numbers there is a match for any single digit. */
const SCALED_ERROR = 0.02;

/**
 * Figures in the text that stand in none of the evidence: neither as they are, nor rounded, nor in another unit, nor as the
 * length of a list. Words for numbers are not looked at.
 */
export function unfoundedIn(text: string, evidence: readonly unknown[]): readonly string[] {
  const known = new Known();
  for (const value of evidence) known.add(value);
  return [...new Set(figuresIn(text.replace(ORDINAL, '')))].filter((figure) => !known.has(figure));
}

class Known {
  private readonly texts = new Set<string>();
  private readonly numbers = new Set<number>();

  add(value: unknown): void {
    if (typeof value === 'string') figuresIn(value).forEach((figure) => this.figure(figure));
    else if (typeof value === 'number') this.numbers.add(Math.abs(value));
    else if (Array.isArray(value)) this.list(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach((member) => this.add(member));
  }

  has(figure: string): boolean {
    if (this.texts.has(figure)) return true;
    // Times are told without their seconds, or without parts of them.
    if (figure.includes(':')) return [...this.texts].some((text) => text.startsWith(`${figure}:`) || text.startsWith(`${figure}.`));
    const value = numberOf(figure);
    const rounding = 0.500_001 * 10 ** -(figure.split('.')[1]?.length ?? 0);
    const isNear = (known: number, most: number): boolean => Math.abs(known - value) <= most;
    return [...this.numbers].some((number) => isNear(number, rounding) || SCALES.some((scale) => isNear(number * scale, Math.min(rounding, SCALED_ERROR * number * scale))));
  }

  private figure(figure: string): void {
    this.texts.add(figure);
    if (!figure.includes(':')) this.numbers.add(numberOf(figure));
  }

  private list(elements: readonly unknown[]): void {
    this.numbers.add(elements.length);
    elements.forEach((element) => this.add(element));
  }
}

function figuresIn(text: string): string[] {
  return text.replace(/(\d)T(?=\d)/g, '$1 ').match(FIGURE) ?? [];
}

function numberOf(figure: string): number {
  return Number(figure.replaceAll(',', ''));
}
