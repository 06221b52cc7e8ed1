/**
 * Figures in a text, such as `4,820`, `8.5` or `14:05`, but not those within names or words: `p95`, `orders-2`,
 * `5xx`, `2nd`.
 */
const FIGURE = /(?<![\p{L}\p{N}_.,:]|\p{L}-)\d+(?:[.,:]\d+)*(?!\d|xx|(?:st|nd|rd|th)\b)/gu;
/** Numbering of list items. */
const LIST_NUMBER = /^\s*\d{1,2}[.)]\s/gm;

/** Allowed conversions: ms to seconds or minutes, fractions to percent. */
const SCALES = [1 / 1000, 1 / 60_000, 100];
/** Tolerance for rounding after conversion: among thousands of numbers any single digit has a match. */
const SCALED_TOLERANCE = 0.02;

/**
 * Figures in the text that are not supported by the evidence: not as they are, rounded, converted to another unit, or
 * as the length of a list. Numbers in words are not checked.
 */
export function findUngroundedFigures(text: string, evidence: readonly unknown[]): readonly string[] {
  const grounded = new GroundedFigures();
  for (const value of evidence) grounded.add(value);
  return [...new Set(extractFigures(text.replace(LIST_NUMBER, '')))].filter((figure) => !grounded.has(figure));
}

class GroundedFigures {
  private readonly texts = new Set<string>();
  private readonly numbers = new Set<number>();
  /**
   * Sorted ascending for binary search, because checking a long answer against large evidence must not block the
   * thread.
   */
  private sorted: Float64Array | undefined;

  add(value: unknown): void {
    if (typeof value === 'string') extractFigures(value).forEach((figure) => this.figure(figure));
    else if (typeof value === 'number') this.numbers.add(Math.abs(value));
    else if (Array.isArray(value)) this.list(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach((member) => this.add(member));
  }

  has(figure: string): boolean {
    if (this.texts.has(figure)) return true;
    const value = parseFigure(figure);
    const rounding = 0.500_001 * 10 ** -(figure.split('.')[1]?.length ?? 0);
    const [low, high] = [
      Math.max(value - rounding, value / (1 + SCALED_TOLERANCE)),
      Math.min(value + rounding, value / (1 - SCALED_TOLERANCE)),
    ];
    return (
      this.hasBetween(value - rounding, value + rounding) ||
      SCALES.some((scale) => this.hasBetween(low / scale, high / scale))
    );
  }

  private figure(figure: string): void {
    // Times may be quoted without seconds or date.
    for (let prefix = figure; prefix !== ''; prefix = prefix.includes(':') ? prefix.replace(/(?:^|[:.])\d+$/, '') : '')
      this.texts.add(prefix);
    const value = parseFigure(figure);
    if (!Number.isNaN(value)) this.numbers.add(value);
  }

  private list(elements: readonly unknown[]): void {
    this.numbers.add(elements.length);
    elements.forEach((element) => this.add(element));
  }

  private hasBetween(low: number, high: number): boolean {
    this.sorted ??= Float64Array.from(this.numbers).sort();
    let [from, to] = [0, this.sorted.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.sorted[middle] < low) from = middle + 1;
      else to = middle;
    }
    return from < this.sorted.length && this.sorted[from] <= high;
  }
}

function extractFigures(text: string): string[] {
  return text.replace(/(\d)T(?=\d)/g, '$1 ').match(FIGURE) ?? [];
}

/** NaN for times and for versions with three parts. */
function parseFigure(figure: string): number {
  return Number(figure.replaceAll(',', ''));
}
