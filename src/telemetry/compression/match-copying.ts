/**
 * Copies `length` bytes that lie `offset` bytes before `to`, as formats of the LZ77 family do: where the ranges overlap, the
 * copied bytes repeat. The caller checks the bounds.
 */
export function copyMatch(output: Uint8Array, to: number, offset: number, length: number): void {
  if (offset >= length) output.copyWithin(to, to - offset, to - offset + length);
  else if (offset === 1) output.fill(output[to - 1], to, to + length);
  else for (let index = 0; index < length; index++) output[to + index] = output[to + index - offset];
}
