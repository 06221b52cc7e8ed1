/** Formats a Markdown table. */
export function renderMarkdownTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')).replaceAll(' ', ''), ...rows.map(line)].join('\n');
}

/** Formats a number with at most so many significant digits and thousands separators. */
export function formatFigure(value: number, digits = 2): string {
  const rounded = value === 0 ? 0 : Number(value.toPrecision(digits));
  return rounded.toLocaleString('en-US', { maximumFractionDigits: 3 });
}

export const formatSeconds = (ms: number): string => formatFigure(ms / 1000);
export const formatPercent = (part: number): string => `${Math.round(part * 100)} %`;
