import {
  createOtlpServer,
  type OtlpPorts,
  type OtlpServer,
  type OtlpServerOptions,
} from '../../../../../src/http/otlp/otlp-server.js';
import { FakeAccess } from './fake-access.js';
import { CountingMeters, validateBytes, FixedLoad, InlineValidator, KeptLog, UnreliableStore } from './fakes.js';

/** A server on free ports of this machine, with everything it leans on in reach of the test. */
export interface TestServer {
  readonly server: OtlpServer;
  readonly ports: OtlpPorts;
  readonly store: UnreliableStore;
  readonly access: FakeAccess;
  readonly load: FixedLoad;
  readonly meters: CountingMeters;
  readonly log: KeptLog;
}

/**
 * Without a validator of its own, each byte of a body is one record, of which those of value 255 are rejected. The time for
 * answers is long, so that no busy machine lets a request end with 503.
 */
export async function startServer(changes: Partial<OtlpServerOptions> = {}): Promise<TestServer> {
  const parts = {
    store: new UnreliableStore(),
    access: new FakeAccess(),
    load: new FixedLoad(),
    meters: new CountingMeters(),
    log: new KeptLog(),
  };
  const server = createOtlpServer({
    ...parts,
    backlog: parts.load,
    validator: new InlineValidator(validateBytes),
    now: Date.now,
    bindAddress: '127.0.0.1',
    ports: { http: 0, grpc: 0 },
    ...changes,
    limits: { maxResponseMs: 60_000, ...changes.limits },
  });
  const { ports } = await server.listen();
  return { ...parts, server, ports };
}
