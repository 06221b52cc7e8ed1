const ROWS_PER_BLOCK = 2 ** 16;

/** A span of a search as one number: the index of its block, and its row. */
export function addressOf(block: number, row: number): number {
  return block * ROWS_PER_BLOCK + row;
}

export function blockAt(address: number): number {
  return Math.floor(address / ROWS_PER_BLOCK);
}

export function rowAt(address: number): number {
  return address % ROWS_PER_BLOCK;
}
