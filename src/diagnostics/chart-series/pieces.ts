/** A result that is computed piece by piece, each of a few ms at most: between two of them others may have the thread. */
export type Pieces<T> = Generator<undefined, T, undefined>;

/** The same for who is alone. */
export function atOnce<T>(pieces: Pieces<T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}
