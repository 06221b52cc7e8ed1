interface FoldableRow {
  readonly span: { readonly spanId: string };
  readonly parentId: string | undefined;
  readonly below: number;
}

/** Effect of a key in the waterfall: selects a span, or collapses or expands it. */
export interface KeyAction {
  readonly span: string;
  readonly fold?: boolean;
}

/** Keys of a tree: up and down move; right expands, then moves to the first child; left collapses, then moves to the parent. */
export function resolveKeyAction(
  key: string,
  rows: readonly FoldableRow[],
  current: number,
  folded: ReadonlySet<string>,
): KeyAction | undefined {
  const moveTo = (index: number): KeyAction | undefined =>
    rows[index] === undefined ? undefined : { span: rows[index].span.spanId };
  const row = rows[current];
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return moveTo(Math.min(current + 1, rows.length - 1));
    case 'ArrowUp':
    case 'k':
      return moveTo(Math.max(0, current - 1));
    case 'Home':
      return moveTo(0);
    case 'End':
      return moveTo(rows.length - 1);
    case 'ArrowRight': {
      if (row === undefined || row.below === 0) return undefined;
      return folded.has(row.span.spanId) ? { span: row.span.spanId, fold: false } : moveTo(current + 1);
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
