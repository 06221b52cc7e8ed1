import { HAS_NATS, NatsServer } from '../nats-server.js';
import { ServerProcess } from './server-process.js';

/** The engines of an installation. */
export interface Composition {
  readonly eventStore: 'embedded' | 'eventstoredb';
  readonly readStore: 'embedded' | 'mongodb';
  readonly fanOut: 'in-process' | 'nats';
}

/** The missing requirement of a composition on this machine; undefined if there is none. */
export function missingFor({ fanOut }: Composition): string | undefined {
  return fanOut === 'nats' && !HAS_NATS ? 'nats-server is not on this machine: apt-get install nats-server' : undefined;
}

/** Test title, such as `EventStoreDB protocol × MongoDB protocol × NATS`. */
export function titleOf({ eventStore, readStore, fanOut }: Composition): string {
  return [
    eventStore === 'embedded' ? 'embedded log' : 'EventStoreDB protocol',
    readStore === 'embedded' ? 'embedded read models' : 'MongoDB protocol',
    fanOut === 'nats' ? 'NATS' : 'in-process hints',
  ].join(' × ');
}

/** The servers of a composition: in-memory doubles of EventStoreDB and MongoDB, and a real NATS server. */
export class Engines {
  private constructor(
    readonly eventStore: ServerProcess | undefined,
    readonly readStore: ServerProcess | undefined,
    readonly nats: NatsServer | undefined,
  ) {}

  static async start(composition: Composition): Promise<Engines> {
    const started = await Promise.allSettled([
      where(composition.eventStore === 'eventstoredb', () => ServerProcess.start('eventstoredb')),
      where(composition.readStore === 'mongodb', () => ServerProcess.start('mongodb')),
      where(composition.fanOut === 'nats', () => NatsServer.start()),
    ] as const);
    const failed = started.find((each) => each.status === 'rejected');
    const [eventStore, readStore, nats] = started;
    const engines = new Engines(valueOf(eventStore), valueOf(readStore), valueOf(nats));
    if (failed === undefined) return engines;
    await engines.dispose();
    throw failed.reason as Error;
  }

  /** Environment variables with their addresses. */
  get environment(): Readonly<Record<string, string>> {
    return {
      ...(this.eventStore && { EVENT_STORE_URL: this.eventStore.url }),
      ...(this.readStore && { READ_STORE_URL: this.readStore.url, PROJECTOR_SHARES: String(TEST_SHARDS) }),
      ...(this.nats && { NATS_URL: this.nats.url }),
    };
  }

  async dispose(): Promise<void> {
    for (const server of [this.eventStore, this.readStore, this.nats]) await server?.dispose();
  }
}

/** Fewer than by default: each costs CPU time, which the tests share. */
export const TEST_SHARDS = 4;

const where = async <T>(isWanted: boolean, start: () => Promise<T>): Promise<T | undefined> =>
  isWanted ? start() : undefined;
const valueOf = <T>(outcome: PromiseSettledResult<T>): T | undefined =>
  outcome.status === 'fulfilled' ? outcome.value : undefined;
