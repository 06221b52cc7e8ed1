/** File in which a recorded process writes its sent and acknowledged appends; the disk records it because of its name. */
export const ACCOUNT = 'events.db-account';

export type Entry =
  { readonly sent: readonly string[] } | { readonly acknowledged: readonly string[] } | { readonly truncating: true };

/** Expected content of the log from the view of its clients, updated along a history. */
export class Account {
  /** Ids in the order of the log. */
  readonly sent: string[] = [];
  readonly acknowledged = new Set<string>();
  /** Truncation has started: earlier events may be present or not. */
  truncatable = new Set<string>();

  enter(text: string): void {
    const entry = JSON.parse(text) as Entry;
    if ('sent' in entry) this.sent.push(...entry.sent);
    else if ('acknowledged' in entry) for (const id of entry.acknowledged) this.acknowledged.add(id);
    else this.truncatable = new Set(this.sent);
  }

  /** The error of a log with these events in order; undefined: none. */
  faultOf(stored: readonly string[]): string | undefined {
    const places = stored.map((id) => this.sent.indexOf(id));
    if (places.includes(-1)) return `holds ${stored[places.indexOf(-1)]}, which nobody sent`;
    const back = places.findIndex((place, n) => n > 0 && place <= places[n - 1]);
    if (back >= 0) return `holds ${stored[back]} twice or out of order`;
    const kept = new Set(stored);
    const lost = [...this.acknowledged].filter((id) => !kept.has(id) && !this.truncatable.has(id));
    return lost.length === 0 ? undefined : `lost ${lost.join(', ')}`;
  }
}
