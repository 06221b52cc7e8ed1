/** Whose work it is. `ownerId` is the user who created the Grid: all Grids of one user share that user's turns. */
export interface WorkShare {
  readonly ownerId: string;
  readonly gridId: string;
}

export interface QueuedWork<Item> {
  readonly share: WorkShare;
  readonly item: Item;
}

/** Whether work may begin now. */
export type IsEligible<Item> = (work: QueuedWork<Item>) => boolean;

/**
 * Work that waits, in fair order: the owner who has used the least time comes first, of its Grids the one that has used
 * the least, and within a Grid the order of arrival. Time is charged after the work, by what it took. Whoever was idle
 * starts level with those who worked meanwhile: idle time earns no credit.
 */
export class FairQueue<Item extends object> {
  private readonly owners = new Accounts<Accounts<Set<Item>>>(() => new Accounts(() => new Set()));
  private readonly waitingByOwner = new Map<string, number>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** Number of owners with waiting work. */
  get ownerCount(): number {
    return this.waitingByOwner.size;
  }

  /** Number of waiting items of an owner. */
  waitingOf(ownerId: string): number {
    return this.waitingByOwner.get(ownerId) ?? 0;
  }

  /** Appends an item, which MUST NOT be waiting already. */
  push({ ownerId, gridId }: WorkShare, item: Item): void {
    const owner = this.owners.join(ownerId);
    owner.content.join(gridId).content.add(item);
    this.count++;
    this.waitingByOwner.set(ownerId, this.waitingOf(ownerId) + 1);
  }

  /**
   * The item whose turn it is, which stays in the queue.
   * @param isEligible owners are passed over whose next item is not
   * @param isFirstEligible Grids are passed over whose first item is not; the next item of an owner is one of the others
   */
  peek(
    isEligible: IsEligible<Item> = () => true,
    isFirstEligible: IsEligible<Item> = () => true,
  ): QueuedWork<Item> | undefined {
    const isOwnerEligible = (each: Account<Accounts<Set<Item>>>): boolean => {
      const next = findNextWork(each, isFirstEligible);
      return next !== undefined && isEligible(next);
    };
    const owner = this.owners.findLeastUsed(isOwnerEligible);
    return owner && findNextWork(owner, isFirstEligible);
  }

  /** Removes and returns the item whose turn it is. */
  shift(isEligible?: IsEligible<Item>, isFirstEligible?: IsEligible<Item>): QueuedWork<Item> | undefined {
    const next = this.peek(isEligible, isFirstEligible);
    if (next === undefined) return undefined;
    const { ownerId, gridId } = next.share;
    this.owners.beginTurn(ownerId)?.content.beginTurn(gridId);
    this.remove(next.share, next.item);
    return next;
  }

  /** Removes an item that waits; false if it does not. */
  remove({ ownerId, gridId }: WorkShare, item: Item): boolean {
    const owner = this.owners.find(ownerId);
    const grid = owner?.content.find(gridId);
    if (owner === undefined || !grid?.content.delete(item)) return false;
    if (grid.content.size === 0) owner.content.leave(gridId);
    this.count--;
    const left = this.waitingOf(ownerId) - 1;
    if (left > 0) this.waitingByOwner.set(ownerId, left);
    else {
      this.waitingByOwner.delete(ownerId);
      this.owners.leave(ownerId);
    }
    return true;
  }

  /**
   * The item that is dropped for one more item of this share: the newest item of the Grid with most waiting items, of the owner with
   * most if the other owner would have fewer even with one more, else of the other owner itself if the same holds for its
   * Grids; else undefined.
   */
  findExcess(other: WorkShare): QueuedWork<Item> | undefined {
    const [largest, most] = findLargest(this.waitingByOwner);
    const ownerId = this.waitingOf(other.ownerId) + 1 < most ? largest : other.ownerId;
    const grids = this.owners.find(ownerId)?.content.waitingSizes(({ size }) => size) ?? new Map<string, number>();
    const [gridId, mostOfGrid] = findLargest(grids);
    if (ownerId === other.ownerId && (grids.get(other.gridId) ?? 0) + 1 >= mostOfGrid) return undefined;
    const item = [...this.owners.find(ownerId)!.content.find(gridId)!.content].at(-1)!;
    return { share: { ownerId, gridId }, item };
  }

  /**
   * Work of this share begins that did not wait. It counts as a turn: otherwise the time that somebody used while nobody
   * waited would put all who come later before them.
   */
  beginAtOnce({ ownerId, gridId }: WorkShare): void {
    this.owners.beginAtOnce(ownerId).content.beginAtOnce(gridId);
  }

  /** Adds time (ms) that work of this share took. */
  charge({ ownerId, gridId }: WorkShare, ms: number): void {
    const owner = this.owners.open(ownerId);
    owner.usedMs += ms;
    owner.content.open(gridId).usedMs += ms;
  }
}

/** The first of the largest entries; the map may be empty. */
function findLargest(sizes: ReadonlyMap<string, number>): readonly [id: string, size: number] {
  let largest: readonly [string, number] = ['', 0];
  for (const entry of sizes) if (entry[1] > largest[1]) largest = entry;
  return largest;
}

/** The first item of the least used Grid of an owner, among Grids whose first item is eligible. */
function findNextWork<Item>(
  { id: ownerId, content }: Account<Accounts<Set<Item>>>,
  isFirstEligible: IsEligible<Item>,
): QueuedWork<Item> | undefined {
  const getFirst = (grid: Account<Set<Item>>): QueuedWork<Item> => {
    const [item] = grid.content;
    return { share: { ownerId, gridId: grid.id }, item };
  };
  const next = content.findLeastUsed((grid) => isFirstEligible(getFirst(grid)));
  return next && getFirst(next);
}

interface Account<Content> {
  readonly id: string;
  readonly content: Content;
  /** Time used, on a scale that all accounts of a level share. */
  usedMs: number;
}

/** Accounts from which idle ones are dropped. */
const MIN_ACCOUNTS = 64;
/** Idle accounts beyond this number are dropped even if they are ahead of the others. */
const MAX_IDLE_ACCOUNTS = 10_000;

/** The time used by each participant of one level. */
class Accounts<Content> {
  private readonly accounts = new Map<string, Account<Content>>();
  /** Those with waiting work. */
  private readonly waiting = new Map<string, Account<Content>>();
  /** Usage at the latest turn: where those start who were idle. */
  private levelMs = 0;
  private dropFrom = MIN_ACCOUNTS;

  constructor(private readonly createContent: () => Content) {}

  find(id: string): Account<Content> | undefined {
    return this.accounts.get(id);
  }

  open(id: string): Account<Content> {
    let account = this.accounts.get(id);
    if (account !== undefined) return account;
    if (this.accounts.size >= this.dropFrom) this.dropIdle();
    account = { id, content: this.createContent(), usedMs: this.levelMs };
    this.accounts.set(id, account);
    return account;
  }

  /** Opens the account of a participant whose work waits from now on. */
  join(id: string): Account<Content> {
    const account = this.open(id);
    if (this.waiting.has(id)) return account;
    account.usedMs = Math.max(account.usedMs, this.levelMs);
    this.waiting.set(id, account);
    return account;
  }

  /** No more work of this participant waits. */
  leave(id: string): void {
    this.waiting.delete(id);
  }

  /** Of equal ones the first that has joined. */
  findLeastUsed(isEligible: (account: Account<Content>) => boolean = () => true): Account<Content> | undefined {
    let least: Account<Content> | undefined;
    for (const account of this.waiting.values())
      if ((least === undefined || account.usedMs < least.usedMs) && isEligible(account)) least = account;
    return least;
  }

  /** Sizes of what waits, by participant. */
  waitingSizes(sizeOf: (content: Content) => number): ReadonlyMap<string, number> {
    return new Map([...this.waiting].map(([id, { content }]) => [id, sizeOf(content)]));
  }

  beginTurn(id: string): Account<Content> | undefined {
    const account = this.accounts.get(id);
    this.levelMs = Math.max(this.levelMs, account?.usedMs ?? 0);
    return account;
  }

  /** The turn of a participant that had no need to wait. */
  beginAtOnce(id: string): Account<Content> {
    const account = this.open(id);
    if (!this.waiting.has(id)) account.usedMs = Math.max(account.usedMs, this.levelMs);
    this.levelMs = Math.max(this.levelMs, account.usedMs);
    return account;
  }

  /** Idle accounts at or below the level are as good as new. */
  private dropIdle(): void {
    let excess = this.accounts.size - this.waiting.size - MAX_IDLE_ACCOUNTS;
    for (const { id, usedMs } of this.accounts.values()) {
      if (this.waiting.has(id) || (usedMs > this.levelMs && excess <= 0)) continue;
      this.accounts.delete(id);
      excess--;
    }
    this.dropFrom = Math.max(MIN_ACCOUNTS, 2 * this.accounts.size);
  }
}
