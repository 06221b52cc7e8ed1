import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'nats';
import type { ConnectionOptions, NatsConnection } from 'nats';
import { BehaviorSubject, filter, firstValueFrom, map, merge, timer } from 'rxjs';
import type { Observable } from 'rxjs';
import type { Component, Health } from '../../../component.js';
import { HindsightError } from '../../../errors.js';
import type { Logger } from '../../../self-telemetry/logger.js';
import { parseNatsUrl } from './nats-server-address.js';

/** A server that does not answer for some 6 s is given up: two pings, 2 s apart, and the wait for the second. */
const PING_INTERVAL_MS = 2_000;
const MAX_UNANSWERED_PINGS = 2;
const CONNECT_TIMEOUT_MS = 2_000;
const CHECK_TIMEOUT_MS = 1_000;
const MAX_BACKOFF_MS = 2_000;

/**
 * The connection of this process to NATS, shared by all that need one. It connects when first asked for, and again for ever, with
 * pauses of 0.1 to 2 s. Each connection is a new one: who listens subscribes anew on each, so that there is one path for the
 * first and for every later one.
 */
export class SharedNatsConnection implements Component {
  readonly #connections = new BehaviorSubject<NatsConnection | undefined>(undefined);
  readonly #closing = new AbortController();
  readonly #options: ConnectionOptions;
  #keeping: Promise<void> | undefined;
  #failure = 'NATS has not been reached yet';

  /** `name` shows in the server's list of connections. Throws where `url` is none of NATS. */
  constructor(
    url: string,
    name: string,
    private readonly log: Logger,
  ) {
    this.#options = {
      ...parseNatsUrl(url),
      name,
      // Nobody hears by way of the server what he said himself.
      noEcho: true,
      reconnect: false,
      timeout: CONNECT_TIMEOUT_MS,
      pingInterval: PING_INTERVAL_MS,
      maxPingOut: MAX_UNANSWERED_PINGS,
    };
  }

  /** The connection now, each later one, and undefined while there is none; completes when the link is closed. */
  get connections(): Observable<NatsConnection | undefined> {
    this.#keeping ??= this.#keepConnected();
    return this.#connections;
  }

  /** The connection, where there is one. It may have just died. */
  get connection(): NatsConnection | undefined {
    this.#keeping ??= this.#keepConnected();
    return this.#connections.value;
  }

  /** Rejects with `unavailable` where there is no connection within so long, with why. */
  async waitUntilConnected(timeoutMs: number): Promise<void> {
    const found = firstValueFrom(
      merge(
        this.connections.pipe(filter((connection) => connection !== undefined)),
        timer(timeoutMs).pipe(map(() => undefined)),
      ),
    );
    if ((await found) === undefined) throw new HindsightError('unavailable', this.#failure);
  }

  async check(): Promise<Health> {
    const connection = this.connection;
    if (this.#closing.signal.aborted) return { ok: false, reason: 'the link to NATS is closed' };
    if (connection === undefined) return { ok: false, reason: this.#failure };
    const answered = await isResponsive(connection);
    return answered ? { ok: true } : { ok: false, reason: `NATS does not answer within ${CHECK_TIMEOUT_MS / 1_000} s` };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connections.value?.close();
    await this.#keeping;
    this.#connections.complete();
  }

  async #keepConnected(): Promise<void> {
    for (let failures = 0; !this.#closing.signal.aborted; failures++) {
      if (await this.#connectOnce()) failures = 0;
      await this.#backOff(failures);
    }
  }

  /** Lasts as long as the connection does. False where there was none. */
  async #connectOnce(): Promise<boolean> {
    try {
      const connection = await connect(this.#options);
      if (this.#closing.signal.aborted) await connection.close();
      else await this.#serve(connection);
      return true;
    } catch (error) {
      this.#recordFailure(`NATS cannot be reached: ${toErrorMessage(error)}`);
      return false;
    }
  }

  async #serve(connection: NatsConnection): Promise<void> {
    this.log.info('connected to NATS', { server: connection.info?.server_name, version: connection.info?.version });
    this.#connections.next(connection);
    const error = await connection.closed();
    this.#connections.next(undefined);
    if (this.#closing.signal.aborted) return;
    this.#recordFailure(
      `the connection to NATS ended: ${error === undefined ? 'the server went away or did not answer' : toErrorMessage(error)}`,
    );
  }

  /** Told once, not with each attempt. */
  #recordFailure(failure: string): void {
    if (failure !== this.#failure) this.log.warn('NATS is away', { reason: failure });
    this.#failure = failure;
  }

  async #backOff(failures: number): Promise<void> {
    const longest = Math.min(MAX_BACKOFF_MS, 100 * 2 ** Math.min(failures, 10));
    // Spread, so that a server that returns is not met by everybody at once. Ended early by `close` alone.
    await delay(longest * (0.5 + Math.random() / 2), undefined, { signal: this.#closing.signal }).catch(
      () => undefined,
    );
  }
}

async function isResponsive(connection: NatsConnection): Promise<boolean> {
  const waiting = new AbortController();
  const late = delay(CHECK_TIMEOUT_MS, false, { signal: waiting.signal }).catch(() => false);
  const answer = connection.flush().then(
    () => true,
    () => false,
  );
  const answered = await Promise.race([answer, late]);
  waiting.abort();
  return answered;
}

function toErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
