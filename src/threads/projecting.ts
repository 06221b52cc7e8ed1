import { areReadModelsEmbedded } from '../engines/engine-settings.js';
import { Projector, type ProjectorParts } from '../projections/projector.js';
import type { ProjectorFace } from '../projections/shares/projector-host.js';
import type { ThreadSettings } from './thread-settings.js';

/** What keeps the read models of this process current. */
export interface Projecting {
  readonly projector: ProjectorFace;
  /** Lets others have the shares. Call when the projector has stopped. */
  readonly close: () => Promise<void>;
}

/**
 * Embedded read models belong to this process: one projector keeps them all. Those in MongoDB are kept in shares, by whoever has the
 * lease of a share.
 * @param onHeld told which shares this process keeps, each time that they change
 */
export async function projecting(settings: ThreadSettings, parts: ProjectorParts, onHeld: (shares: readonly number[]) => void): Promise<Projecting> {
  if (areReadModelsEmbedded(settings)) return alone(parts, onHeld);
  const { openLeases } = await import('../engines/leases.js');
  const { ProjectorHost } = await import('../projections/shares/projector-host.js');
  const { ShareStore } = await import('../read-models/shares/share-store.js');
  const { Shares } = await import('../streams/shares.js');
  const leases = await openLeases(settings, parts.log);
  const projector = new ProjectorHost({ ...parts, shares: new Shares(settings.projectorShares), leases, storeOf: (share) => new ShareStore(parts.store, share), onHeld });
  return { projector, close: () => leases.close() };
}

function alone(parts: ProjectorParts, onHeld: (shares: readonly number[]) => void): Projecting {
  const projector = new Projector(parts);
  const start = projector.start.bind(projector);
  return { projector: Object.assign(projector, { start: () => start().then(() => onHeld([0])) }), close: () => Promise.resolve() };
}
