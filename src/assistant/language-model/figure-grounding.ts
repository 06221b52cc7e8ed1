/** Figures of a text, such as `4,820`, `8.5` or `14:05`, but none that is part of a name or a word: `p95`, `orders-2`, `5xx`, `2nd`. */
const FIGURE = /(?<![\p{L}\p{N}_.,:]|\p{L}-)\d+(?:[.,:]\d+)*(?!\d|xx|(?:st|nd|rd|th)\b)/gu;
/** Numbers of the lines of a list. */
const LIST_NUMBER = /^\s*\d{1,2}[.)]\s/gm;

/** Milliseconds are told in seconds or minutes, shares in percent. */
const SCALES = [1 / 1000, 1 / 60_000, 100];
/** What rounding may make of those: in thousands of numbers there is a match for any single digit. */
const SCALED_TOLERANCE = 0.02;

/**
 * Figures in the text that stand in none of the evidence: neither as they are, nor rounded, nor in another unit, nor as the
 * length of a list. Words for numbers are not looked at.
 */
export function findUngroundedFigures(text: string, evidence: readonly unknown[]): readonly string[] {
  const known = new GroundedFigures();
  for (const value of evidence) known.add(value);
  return [...new Set(extractFigures(text.replace(LIST_NUMBER, '')))].filter((figure) => !known.has(figure));
}

class GroundedFigures {
  private readonly texts = new Set<string>();
  private readonly numbers = new Set<number>();
  /** The numbers, ascending: a long answer over large evidence must not keep everybody waiting. */
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
    // Times are told without their seconds, or without parts of them.
    for (let told = figure; told !== ''; told = told.includes(':') ? told.replace(/(?:^|[:.])\d+$/, '') : '')
      this.texts.add(told);
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

/** NaN for a time, and for a version of three parts. */
function parseFigure(figure: string): number {
  return Number(figure.replaceAll(',', ''));
}
