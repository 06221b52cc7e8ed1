import type { GridEvent, MemberKind, Role } from '../streams/events/grid-events.js';
import type { Position } from '../streams/event-store.js';

/** Current state of a key in the log: the hash of its secret; undefined if revoked. */
interface PendingKeyChange {
  readonly position: Position;
  readonly secretHash: string | undefined;
}

/** Current state of a membership in the log: its role; undefined if it has ended. */
interface PendingMemberChange {
  readonly position: Position;
  readonly role: Role | undefined;
  readonly kind?: MemberKind;
}

/** An event of a Grid's stream. */
export interface GridStreamEvent {
  readonly type: string;
  readonly data: unknown;
  readonly position: Position;
}

/**
 * Changes of keys and memberships that are in the log but not in the read models yet: if the projector runs in another
 * process, that can last until a new process takes over. Contains only changes that revoke or modify access; additions
 * wait for the read models.
 */
export class PendingRevocations {
  private readonly keys = new Map<string, PendingKeyChange>();
  private readonly members = new Map<string, PendingMemberChange>();
  private projectedUpTo: Position | undefined;

  /** Applies the next event of the log. Returns whether it concerns access. */
  apply({ type, data, position }: GridStreamEvent): boolean {
    if (this.projectedUpTo !== undefined && position <= this.projectedUpTo) return false;
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

  /** Drops changes up to this position, because the read models now contain them. */
  discardUpTo(position: Position): void {
    this.projectedUpTo = position;
    for (const changes of [this.keys, this.members]) {
      for (const [id, change] of changes) if (change.position <= position) changes.delete(id);
    }
  }

  findKeyChange(keyId: string): Omit<PendingKeyChange, 'position'> | undefined {
    return this.keys.get(keyId);
  }

  findMemberChange(gridId: string, userId: string): Omit<PendingMemberChange, 'position'> | undefined {
    return this.members.get(memberKey(gridId, userId));
  }
}

function memberKey(gridId: string, userId: string): string {
  return `${gridId}/${userId}`;
}
