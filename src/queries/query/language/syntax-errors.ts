import type { SyntaxNode } from '@lezer/common';

/** Offset of the first thing that the grammar does not allow; undefined if there is none. */
export function findErrorPosition(top: SyntaxNode): number | undefined {
  const cursor = top.cursor();
  do if (cursor.type.isError) return cursor.from;
  while (cursor.next());
  return undefined;
}
