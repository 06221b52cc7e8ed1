/** Verifications per second of credentials from limited addresses: at most about a tenth of a core. */
const PER_SECOND = 1_000;
const TICK_MS = 10;
/** Waiting verifications of one connection, and of one address. */
const MAX_PER_CONNECTION = 8;
const MAX_PER_ADDRESS = 4_000;

type Waiter = (granted: boolean) => void;

interface AddressQueue {
  waiting: number;
  /** Of connections with waiting verifications. */
  readonly byConnection: Map<object, Waiter[]>;
}

/**
 * Gives turns to verifications of credentials from addresses with many failed attempts: a bounded number per second, by
 * address and within an address by connection. A caller with valid credentials waits for one turn of each neighbour, however
 * many credentials these guess.
 */
export class VerificationQueue {
  private readonly queues = new Map<string, AddressQueue>();
  private timer: NodeJS.Timeout | undefined;

  /** @param perSecond turns per second */
  constructor(private readonly perSecond = PER_SECOND) {}

  /**
   * Resolves to true when it is the turn of this connection, and to false at once if too many are waiting.
   * @param address the unit of counting, see `networkPrefix`
   */
  takeTurn(address: string, connection: object): Promise<boolean> {
    const queue = this.queues.get(address) ?? { waiting: 0, byConnection: new Map<object, Waiter[]>() };
    const waiters = queue.byConnection.get(connection) ?? [];
    if (waiters.length >= MAX_PER_CONNECTION || queue.waiting >= MAX_PER_ADDRESS) return Promise.resolve(false);
    this.queues.set(address, queue);
    queue.byConnection.set(connection, waiters);
    queue.waiting++;
    this.timer ??= setInterval(() => this.grantTurns(Math.ceil((this.perSecond * TICK_MS) / 1000)), TICK_MS).unref();
    return new Promise((resolve) => waiters.push(resolve));
  }

  /** Grants turns to this many waiting verifications; called by a timer. */
  grantTurns(count: number): void {
    for (let n = 0; n < count && this.queues.size > 0; n++) this.grantNext();
    if (this.queues.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** The next address and its next connection; both go to the end of their queues. */
  private grantNext(): void {
    const [address, queue] = takeFirst(this.queues);
    const [connection, waiters] = takeFirst(queue.byConnection);
    const resolve = waiters.shift();
    queue.waiting--;
    if (waiters.length > 0) queue.byConnection.set(connection, waiters);
    if (queue.waiting > 0) this.queues.set(address, queue);
    resolve?.(true);
  }
}

/** Removes the oldest entry. `entries` MUST NOT be empty. */
function takeFirst<Key, Value>(entries: Map<Key, Value>): [Key, Value] {
  const [first] = entries;
  if (first === undefined) throw new RangeError('No entries');
  entries.delete(first[0]);
  return first;
}
