interface FoldableRow {
  readonly span: { readonly spanId: string };
  readonly parentId: string | undefined;
  readonly below: number;
}

/** What a key does in the waterfall: choose a span, or fold or unfold it. */
export interface KeyAction {
  readonly span: string;
  readonly fold?: boolean;
}

/** As in a tree: up and down move; right unfolds, then goes to the first child; left folds, then goes to the parent. */
export function resolveKeyAction(
  key: string,
  rows: readonly FoldableRow[],
  current: number,
  folded: ReadonlySet<string>,
): KeyAction | undefined {
  const to = (index: number): KeyAction | undefined =>
    rows[index] === undefined ? undefined : { span: rows[index].span.spanId };
  const row = rows[current];
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return to(Math.min(current + 1, rows.length - 1));
    case 'ArrowUp':
    case 'k':
      return to(Math.max(0, current - 1));
    case 'Home':
      return to(0);
    case 'End':
      return to(rows.length - 1);
    case 'ArrowRight': {
      if (row === undefined || row.below === 0) return undefined;
      return folded.has(row.span.spanId) ? { span: row.span.spanId, fold: false } : to(current + 1);
    }
    case 'ArrowLeft': {
      if (row === undefined) return undefined;
      if (row.below > 0 && !folded.has(row.span.spanId)) return { span: row.span.spanId, fold: true };
      return row.parentId === undefined ? undefined : { span: row.parentId };
    }
    default:
      return undefined;
  }
}
