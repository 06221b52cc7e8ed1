/** Inflated bytes that may lie ready or under way at a time, beside the one that is being read. */
const BYTES_AHEAD = 8 * 1024 * 1024;

/** Something with a body that takes a while to come by. */
export interface Ahead<T> {
  readonly item: T;
  /** Bytes that the body will have. */
  readonly bytes: number;
  body(): Promise<Uint8Array | undefined>;
}

/**
 * The bodies of some things, in their order. While one is being read, the next ones are on their way, as many as fit into
 * the bound. Rejects with the first failure in this order.
 */
export async function* bodiesAhead<T>(wanted: readonly Ahead<T>[]): AsyncGenerator<readonly [item: T, body: Uint8Array | undefined]> {
  const underWay: Promise<Uint8Array | undefined>[] = [];
  let bytes = 0;
  for (let at = 0; at < wanted.length; at++) {
    while (underWay.length < wanted.length && (underWay.length <= at || bytes + wanted[underWay.length].bytes <= BYTES_AHEAD)) {
      const next = wanted[underWay.length];
      bytes += next.bytes;
      const body = next.body();
      // Awaited in its turn; a failure meanwhile is nobody's surprise.
      body.catch(() => undefined);
      underWay.push(body);
    }
    const body = await underWay[at];
    bytes -= wanted[at].bytes;
    yield [wanted[at].item, body];
  }
}
