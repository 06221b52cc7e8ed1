/** A table as the docs have it. */
export function renderMarkdownTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')).replaceAll(' ', ''), ...rows.map(line)].join('\n');
}

/** Up to so many significant digits, thousands separated. */
export function formatFigure(value: number, digits = 2): string {
  const rounded = value === 0 ? 0 : Number(value.toPrecision(digits));
  return rounded.toLocaleString('en-US', { maximumFractionDigits: 3 });
}

export const formatSeconds = (ms: number): string => formatFigure(ms / 1000);
export const formatPercent = (part: number): string => `${Math.round(part * 100)} %`;
