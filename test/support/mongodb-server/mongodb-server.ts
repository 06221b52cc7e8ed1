import { EventEmitter, once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { BSON } from 'mongodb';
import { Commands } from './commands.js';
import { Faults, type Fault } from './faults.js';
import { CODES, RETRYABLE, ServerError, TRANSIENT } from './server-error.js';
import { Sessions } from './sessions.js';
import { Storage, type Transaction } from './storage.js';
import { answerTo, Frames, requestOf, type Bson, type Request } from './wire.js';

const WRITES = [
  'insert',
  'update',
  'delete',
  'findAndModify',
  'create',
  'drop',
  'createIndexes',
  'dropIndexes',
  'dropDatabase',
];
const WIRE_VERSION = 21; // of MongoDB 7.0

/** No primary: the election is in progress. */
export const NO_PRIMARY = -1;

interface Options {
  /** Number of replica set members; 0: a standalone server. */
  readonly members?: number;
  readonly wireVersion?: number;
  /** Port of the first member, followed by the others; 0: any. */
  readonly port?: number;
  /** Offset of its clock (ms). */
  readonly aheadMs?: number;
  /** False for long-running servers: commands are not recorded in `received`. */
  readonly remembers?: boolean;
}

/**
 * An in-process double of MongoDB for the real driver: a replica set or a standalone server with transactions, retryable
 * writes, cursors, and fault injection. Queries are evaluated by mingo. Differences from MongoDB: data is in memory and
 * shared by the members, so that nothing is rolled back; queries never yield; documents do not expire; there is no
 * authentication; read concerns are validated, but not simulated.
 */
export class MongoServer {
  private readonly storage = new Storage();
  private readonly sessions = new Sessions(this.storage);
  private readonly commands = new Commands();
  private readonly faults = new Faults();
  private readonly servers: Server[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly arrivals = new EventEmitter();
  private ports: number[] = [];
  private members: number;
  private primary = 0;
  private election = 1;
  private isFrozen = false;
  /** Maximum number of concurrent connections. */
  mostConnections = 0;
  /** All received commands in order, except server monitoring. */
  readonly received: Bson[] = [];

  private constructor(private readonly options: Required<Options>) {
    this.members = options.members;
  }

  static async start({
    members = 1,
    wireVersion = WIRE_VERSION,
    port = 0,
    aheadMs = 0,
    remembers = true,
  }: Options = {}): Promise<MongoServer> {
    const server = new MongoServer({ members, wireVersion, port, aheadMs, remembers });
    for (let member = 0; member < Math.max(1, members); member++)
      await server.listen(member, port === 0 ? 0 : port + member);
    return server;
  }

  get url(): string {
    const hosts = this.ports.map((port) => `127.0.0.1:${port}`).join(',');
    return `mongodb://${hosts}/hindsight-test${this.isStandalone ? '' : '?replicaSet=rs'}`;
  }

  /** Resolves with the next command of this name. */
  async whenReceived(name: string): Promise<void> {
    await once(this.arrivals, name);
  }

  /** Waits until no cursor is open, since drivers close cursors without waiting. */
  async whenCursorsAreClosed(): Promise<void> {
    while (this.commands.openCursors > 0) await pause(1);
  }

  get openTransactions(): number {
    return this.storage.open.size;
  }

  /** `meanwhile` is called when the fault occurs. */
  fail(fault: Fault, meanwhile?: () => void): void {
    this.faults.plan(fault, meanwhile);
  }

  heal(): void {
    this.faults.clear();
    this.isFrozen = false;
  }

  /** Like a stopped process: connections stay open without responses. Commands received meanwhile are never performed. */
  freeze(): void {
    this.isFrozen = true;
  }

  /** The primary steps down and the next member, or NO_PRIMARY, is elected. Open transactions are aborted. */
  stepDown(next = (this.primary + 1) % this.ports.length): void {
    this.sessions.abortAll();
    this.primary = next;
    this.election++;
  }

  /** Closes all connections. Transactions stay open, as after a network failure. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Closes all connections and rejects new ones. */
  async goAway(): Promise<void> {
    this.sessions.abortAll();
    this.cut();
    await Promise.all(this.servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  }

  /** Listens on the same port again, with the same documents. */
  async comeBack(): Promise<void> {
    for (const [member, port] of this.ports.entries()) await this.listen(member, port);
  }

  /** Restarts a standalone server on the same port as a replica set of one member, with the same documents. */
  async becomeReplicaSet(): Promise<void> {
    await this.goAway();
    this.members = 1;
    await this.comeBack();
  }

  async stop(): Promise<void> {
    await this.goAway();
  }

  indexesOf(collection: string): Bson[] {
    return [...this.storage.indexesOf(`hindsight-test.${collection}`).values()];
  }

  documentsOf(collection: string): Bson[] {
    return [...this.storage.candidates(`hindsight-test.${collection}`, {})];
  }

  private get isStandalone(): boolean {
    return this.members === 0;
  }

  private async listen(member: number, port: number): Promise<void> {
    const server = createServer((socket) => this.serve(socket, member));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    this.servers.push(server);
    this.ports[member] = (server.address() as AddressInfo).port;
  }

  private serve(socket: Socket, member: number): void {
    const frames = new Frames();
    this.sockets.add(socket);
    this.mostConnections = Math.max(this.mostConnections, this.sockets.size);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      for (const frame of frames.push(bytes)) void this.answer(socket, member, requestOf(frame));
    });
  }

  private async answer(socket: Socket, member: number, request: Request): Promise<void> {
    const [name] = Object.keys(request.command);
    if (this.isFrozen) return;
    const fault = this.faults.next(name);
    if (fault === 'freeze') return;
    if (fault === 'drop-before') return void socket.destroy();
    if (typeof fault === 'object' && 'delayMs' in fault) await pause(fault.delayMs);
    if (this.isFrozen) return;
    const answer = toPlannedAnswer(fault) ?? (await this.perform(name, request.command, member));
    if (fault === 'drop-after') return void socket.destroy();
    if (!request.isSilent && !socket.destroyed) socket.write(answerTo(request, answer));
  }

  private async perform(name: string, command: Bson, member: number): Promise<Bson> {
    if (/^(hello|ismaster)$/i.test(name)) return this.hello(member);
    if (this.options.remembers) this.received.push(command);
    this.arrivals.emit(name);
    try {
      if (name === 'ping' || name === 'endSessions') return { ok: 1 };
      this.assertAllowed(name, command, member);
      if (name === 'killSessions') return (this.sessions.kill(command.killSessions as Bson[]), { ok: 1 });
      if (name === 'commitTransaction') return (this.sessions.commit(command), { ok: 1 });
      if (name === 'abortTransaction') return (this.sessions.abort(command), { ok: 1 });
      return this.sessions.answered(command) ?? (await this.work(name, command));
    } catch (error) {
      if (!(error instanceof ServerError)) return { ok: 0, errmsg: String(error), code: 8, codeName: 'UnknownError' };
      return error.answer;
    }
  }

  /** Any error aborts its transaction. */
  private async work(name: string, command: Bson): Promise<Bson> {
    const transaction = this.sessions.transactionOf(command);
    const isThere = name === 'create' && this.storage.has(`${command.$db}.${command[name]}`);
    if (transaction === undefined && WRITES.includes(name) && !isThere)
      await this.whenFree(`${command.$db}.${command[name]}`);
    const scope = { storage: this.storage, view: transaction ?? this.storage, database: String(command.$db) };
    try {
      const answer = this.commands.run(name, command, scope);
      if (transaction !== undefined && answer.writeErrors !== undefined) this.sessions.abort(command);
      this.sessions.remember(command, answer);
      return answer;
    } catch (error) {
      if (transaction !== undefined) this.sessions.abort(command);
      throw error;
    }
  }

  /** A write outside of a transaction waits for transactions that have written to its collection. */
  private async whenFree(namespace: string): Promise<void> {
    let holder: Transaction | undefined;
    while ((holder = [...this.storage.open].find((each) => each.hasWritten(namespace))) !== undefined)
      await holder.done;
  }

  private assertAllowed(name: string, command: Bson, member: number): void {
    if (command.maxTimeMS !== undefined && !Number.isInteger(command.maxTimeMS))
      throw new ServerError('BadValue', 'maxTimeMS has non-integral value');
    const level = (command.readConcern as Bson | undefined)?.level as string | undefined;
    if (this.isStandalone) {
      if (command.commitQuorum !== undefined)
        throw new ServerError('BadValue', 'commitQuorum is supported only for two phase index builds');
      if (command.txnNumber !== undefined)
        throw new ServerError(
          'IllegalOperation',
          'Transaction numbers are only allowed on a replica set member or mongos',
        );
      if (level === 'snapshot')
        throw new ServerError('IllegalOperation', 'node needs to be a replica set member to use read concern snapshot');
    }
    if (level !== undefined && command.autocommit === false && command.startTransaction !== true)
      throw new ServerError('InvalidOptions', 'only the first command in a transaction may specify a readConcern');
    if (member === this.primary) return;
    const label = command.autocommit === false ? TRANSIENT : RETRYABLE;
    if (WRITES.includes(name) || command.autocommit === false)
      throw new ServerError('NotWritablePrimary', 'not primary', [label]);
    throw new ServerError('NotPrimaryNoSecondaryOk', 'not primary and secondaryOk=false');
  }

  private hello(member: number): Bson {
    const isPrimary = member === this.primary;
    const limits = {
      maxBsonObjectSize: 16_777_216,
      maxMessageSizeBytes: 48_000_000,
      maxWriteBatchSize: 100_000,
      logicalSessionTimeoutMinutes: 30,
    };
    const versions = {
      minWireVersion: 0,
      maxWireVersion: this.options.wireVersion,
      localTime: new Date(Date.now() + this.options.aheadMs),
      readOnly: false,
      helloOk: true,
    };
    const common = { isWritablePrimary: isPrimary, ismaster: isPrimary, ...limits, ...versions, ok: 1 };
    if (this.isStandalone) return common;
    const hosts = this.ports.map((port) => `127.0.0.1:${port}`);
    const elected = isPrimary && { electionId: new BSON.ObjectId(this.election.toString(16).padStart(24, '0')) };
    return {
      ...common,
      setName: 'rs',
      setVersion: 1,
      hosts,
      me: hosts[member],
      primary: hosts[this.primary],
      secondary: !isPrimary,
      ...elected,
    };
  }
}

function toPlannedAnswer(fault: Fault['kind'] | undefined): Bson | undefined {
  if (typeof fault !== 'object') return undefined;
  if ('error' in fault) return new ServerError(fault.error, 'as planned', fault.labels).answer;
  if (!('writeError' in fault)) return undefined;
  return { ok: 1, n: 0, writeErrors: [{ index: 0, code: CODES[fault.writeError], errmsg: 'as planned' }] };
}
