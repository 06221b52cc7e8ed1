import { setTimeout as pause } from 'node:timers/promises';
import { areReadModelsEmbedded, isLogEmbedded } from '../engines/engine-settings.js';
import { hasCode } from '../errors.js';
import { Projector, type ProjectorParts } from '../projections/projector.js';
import type { ProjectorFace } from '../projections/shares/projector-host.js';
import { keepInstallation } from '../read-models/installation.js';
import type { ThreadSettings } from './thread-settings.js';

/** What keeps the read models of this process current. */
export interface Projecting {
  readonly projector: ProjectorFace;
  /** Follows the log from now on. Rejects where the read models are not those of this process's settings. */
  readonly start: () => Promise<void>;
  /** Finishes the commits under way, then lets others have the shares. */
  readonly stop: () => Promise<void>;
}

export interface ProjectingParts extends ProjectorParts {
  /** Told which shares this process keeps, each time that they change. */
  readonly onHeld: (shares: readonly number[]) => void;
  /** Told of what a start would have been refused for, where the read store was away then. */
  readonly onRefused: (error: Error) => void;
}

/** How long a start waits for a read store that does not answer (ms): what else the process does needs none. */
const ANSWERED_WITHIN_MS = 5_000;

const ASKED_EVERY_MS = 1_000;

/** Bytes of bodies that the tails of all shares keep together, and one of them at most and at least. */
const TAIL_BYTES = { ofAll: 64 * 1024 * 1024, most: 16 * 1024 * 1024, least: 1024 * 1024 } as const;

/**
 * Embedded read models belong to this process: one projector keeps them all. Those in MongoDB are kept in shares, by whoever has the
 * lease of a share.
 */
export async function projecting(settings: ThreadSettings, parts: ProjectingParts): Promise<Projecting> {
  return areReadModelsEmbedded(settings) ? alone(parts) : sharing(settings, parts);
}

function alone(parts: ProjectingParts): Projecting {
  const projector = new Projector(parts);
  return { projector, start: () => projector.start().then(() => parts.onHeld([0])), stop: () => projector.stop() };
}

async function sharing(settings: ThreadSettings, parts: ProjectingParts): Promise<Projecting> {
  const { openLeases } = await import('../engines/leases.js');
  const { ProjectorHost } = await import('../projections/shares/projector-host.js');
  const { ShareStore } = await import('../read-models/shares/share-store.js');
  const { LogTail } = await import('../streams/log-tail.js');
  const { Shares } = await import('../streams/shares.js');
  const leases = await openLeases(settings, parts.log);
  const projector = new ProjectorHost({
    ...parts,
    shares: new Shares(settings.projectorShares),
    leases,
    storeOf: (share) => new ShareStore(parts.store, share),
    // Many follow the log here: each would ask its servers twice a second, and once more for all that is not its own.
    follow: (prefixes) => {
      if (isLogEmbedded(settings)) return parts;
      const tail = new LogTail(parts.events, { prefixes, maxBytes: tailBytes(settings.projectorShares) });
      return { events: tail, feed: tail.beside(parts.feed) };
    },
  });
  return {
    projector,
    start: () => whenAdmitted(settings, parts, () => projector.start()),
    stop: () => projector.stop().finally(() => leases.close()),
  };
}

/** As if one process had all shares: it may come to that. Who falls behind his tail reads the log. */
export function tailBytes(shares: number): number {
  return Math.min(TAIL_BYTES.most, Math.max(TAIL_BYTES.least, TAIL_BYTES.ofAll / shares));
}

/** Starts once the store has said that it was made for as many shares. A store that is away is asked until it answers. */
async function whenAdmitted({ projectorShares }: ThreadSettings, { store, log, onRefused }: ProjectingParts, start: () => Promise<void>): Promise<void> {
  const started = admitted(() => keepInstallation(store, projectorShares), (error) => log.warn('the read store does not answer yet', { error })).then(start);
  const isLate = await Promise.race([started.then(() => false), pause(ANSWERED_WITHIN_MS, true)]);
  if (isLate) started.catch(onRefused);
}

async function admitted(ask: () => Promise<void>, onAway: (error: unknown) => void): Promise<void> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!hasCode(error, 'unavailable')) throw error;
      onAway(error);
    }
    await pause(ASKED_EVERY_MS);
  }
}
