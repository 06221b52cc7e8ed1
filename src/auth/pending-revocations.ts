import type { GridEvent, MemberKind, Role } from '../streams/events/grid-events.js';
import type { Position } from '../streams/event-store.js';

/** What the log says of a key now: the hash of its secret; none where it was revoked. */
interface PendingKeyChange {
  readonly position: Position;
  readonly secretHash: string | undefined;
}

/** What the log says of a membership now: its role; none where it has ended. */
interface PendingMemberChange {
  readonly position: Position;
  readonly role: Role | undefined;
  readonly kind?: MemberKind;
}

/** An event of the stream of a Grid. */
export interface GridStreamEvent {
  readonly type: string;
  readonly data: unknown;
  readonly position: Position;
}

/**
 * What the log says about who may do what, and the read models do not know yet: where the projector is in another process, that
 * may be for as long as nobody takes its place. Only what takes something away, or changes it, is news: who is new waits.
 */
export class PendingRevocations {
  private readonly keys = new Map<string, PendingKeyChange>();
  private readonly members = new Map<string, PendingMemberChange>();
  private shown: Position | undefined;

  /** The next event of the log. True where it says something about who may do what. */
  apply({ type, data, position }: GridStreamEvent): boolean {
    if (this.shown !== undefined && position <= this.shown) return false;
    const event = { type, data } as GridEvent;
    switch (event.type) {
      case 'ApiKeyRevoked.v1':
        this.keys.set(event.data.keyId, { position, secretHash: undefined });
        return true;
      case 'ApiKeyRegenerated.v1':
        this.keys.set(event.data.keyId, { position, secretHash: event.data.secretHash });
        return true;
      case 'MemberSet.v1':
        this.members.set(memberKey(event.data.gridId, event.data.userId), {
          position,
          role: event.data.role,
          ...(event.data.kind && { kind: event.data.kind }),
        });
        return true;
      case 'MemberRemoved.v1':
        this.members.set(memberKey(event.data.gridId, event.data.userId), { position, role: undefined });
        return true;
      default:
        return false;
    }
  }

  /** The read models have all up to this position: that is no news any more. */
  discardUpTo(position: Position): void {
    this.shown = position;
    for (const news of [this.keys, this.members]) {
      for (const [id, each] of news) if (each.position <= position) news.delete(id);
    }
  }

  key(keyId: string): Omit<PendingKeyChange, 'position'> | undefined {
    return this.keys.get(keyId);
  }

  member(gridId: string, userId: string): Omit<PendingMemberChange, 'position'> | undefined {
    return this.members.get(memberKey(gridId, userId));
  }
}

function memberKey(gridId: string, userId: string): string {
  return `${gridId}/${userId}`;
}
