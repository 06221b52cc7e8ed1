import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'nats';
import type { ConnectionOptions, NatsConnection } from 'nats';
import { BehaviorSubject, filter, firstValueFrom, map, merge, timer } from 'rxjs';
import type { Observable } from 'rxjs';
import type { Component, Health } from '../../../component.js';
import { HindsightError } from '../../../errors.js';
import type { Logger } from '../../../self-telemetry/logger.js';
import { parseNatsUrl } from './nats-server-address.js';

/** An unresponsive server is abandoned after about 6 s: two pings 2 s apart, and the wait for the second. */
const PING_INTERVAL_MS = 2_000;
const MAX_UNANSWERED_PINGS = 2;
const CONNECT_TIMEOUT_MS = 2_000;
const CHECK_TIMEOUT_MS = 1_000;
const MAX_BACKOFF_MS = 2_000;

/**
 * The connection of this process to NATS, shared by all users. Connects at first use and reconnects forever with delays
 * of 0.1 to 2 s. Each reconnect creates a new connection on which consumers subscribe again, so that first and later
 * connections take the same code path.
 */
export class SharedNatsConnection implements Component {
  readonly #connections = new BehaviorSubject<NatsConnection | undefined>(undefined);
  readonly #closing = new AbortController();
  readonly #options: ConnectionOptions;
  #connectLoop: Promise<void> | undefined;
  #lastError = 'Not connected to NATS yet';

  /** `name` appears in the server's connection list. Throws for an invalid `url`. */
  constructor(
    url: string,
    name: string,
    private readonly log: Logger,
  ) {
    this.#options = {
      ...parseNatsUrl(url),
      name,
      // The server does not echo our own messages.
      noEcho: true,
      reconnect: false,
      timeout: CONNECT_TIMEOUT_MS,
      pingInterval: PING_INTERVAL_MS,
      maxPingOut: MAX_UNANSWERED_PINGS,
    };
  }

  /** The current connection, each later one, and undefined while there is none; completes when this is closed. */
  get connections(): Observable<NatsConnection | undefined> {
    this.#connectLoop ??= this.#keepConnected();
    return this.#connections;
  }

  /** The current connection, if any. It may just have died. */
  get connection(): NatsConnection | undefined {
    this.#connectLoop ??= this.#keepConnected();
    return this.#connections.value;
  }

  /** Rejects with `unavailable` and the last error if there is no connection within `timeoutMs`. */
  async waitUntilConnected(timeoutMs: number): Promise<void> {
    const connected = firstValueFrom(
      merge(
        this.connections.pipe(filter((connection) => connection !== undefined)),
        timer(timeoutMs).pipe(map(() => undefined)),
      ),
    );
    if ((await connected) === undefined) throw new HindsightError('unavailable', this.#lastError);
  }

  async check(): Promise<Health> {
    const connection = this.connection;
    if (this.#closing.signal.aborted) return { ok: false, reason: 'the NATS connection is closed' };
    if (connection === undefined) return { ok: false, reason: this.#lastError };
    const isAlive = await isResponsive(connection);
    return isAlive ? { ok: true } : { ok: false, reason: `NATS did not respond within ${CHECK_TIMEOUT_MS / 1_000} s` };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connections.value?.close();
    await this.#connectLoop;
    this.#connections.complete();
  }

  async #keepConnected(): Promise<void> {
    for (let failures = 0; !this.#closing.signal.aborted; failures++) {
      if (await this.#connectOnce()) failures = 0;
      await this.#backOff(failures);
    }
  }

  /** Resolves when the connection ends; false if it could not be established. */
  async #connectOnce(): Promise<boolean> {
    try {
      const connection = await connect(this.#options);
      if (this.#closing.signal.aborted) await connection.close();
      else await this.#serve(connection);
      return true;
    } catch (error) {
      this.#recordFailure(`Cannot connect to NATS: ${toErrorMessage(error)}`);
      return false;
    }
  }

  async #serve(connection: NatsConnection): Promise<void> {
    this.log.info('Connected to NATS', { server: connection.info?.server_name, version: connection.info?.version });
    this.#connections.next(connection);
    const error = await connection.closed();
    this.#connections.next(undefined);
    if (this.#closing.signal.aborted) return;
    this.#recordFailure(
      `NATS connection closed: ${error === undefined ? 'the server disconnected or did not respond' : toErrorMessage(error)}`,
    );
  }

  /** Logs each distinct error once, not on every attempt. */
  #recordFailure(failure: string): void {
    if (failure !== this.#lastError) this.log.warn('NATS connection lost; reconnecting', { reason: failure });
    this.#lastError = failure;
  }

  async #backOff(failures: number): Promise<void> {
    const longest = Math.min(MAX_BACKOFF_MS, 100 * 2 ** Math.min(failures, 10));
    // Jitter, so that clients do not reconnect all at once. Ended early only by `close`.
    await delay(longest * (0.5 + Math.random() / 2), undefined, { signal: this.#closing.signal }).catch(
      () => undefined,
    );
  }
}

async function isResponsive(connection: NatsConnection): Promise<boolean> {
  const timeout = new AbortController();
  const timedOut = delay(CHECK_TIMEOUT_MS, false, { signal: timeout.signal }).catch(() => false);
  const answer = connection.flush().then(
    () => true,
    () => false,
  );
  const isAlive = await Promise.race([answer, timedOut]);
  timeout.abort();
  return isAlive;
}

function toErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
