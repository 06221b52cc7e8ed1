/** One measured figure. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Comparison or method. */
  readonly note?: string;
}

/** Three significant digits, thousands separated. */
function formatFigure(value: number): string {
  const rounded = value === 0 ? 0 : Number(value.toPrecision(3));
  return rounded.toLocaleString('en-US', { maximumFractionDigits: 3 });
}

/** Formats the figures as an aligned table. */
export function formatMeasurements(title: string, rows: readonly Measurement[]): string {
  const cells = rows.map(({ name, value, unit, note }) => [name, formatFigure(value), unit, note ?? '']);
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column].length)));
  const lines = cells.map(([name, value, unit, note]) =>
    `  ${name.padEnd(widths[0])}  ${value.padStart(widths[1])} ${unit.padEnd(widths[2])}  ${note}`.trimEnd(),
  );
  return [`\n${title}`, ...lines].join('\n');
}

/** Nearest-rank percentile of samples, p in 0–100. */
export function percentile(samples: readonly number[], p: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)] ?? 0;
}
