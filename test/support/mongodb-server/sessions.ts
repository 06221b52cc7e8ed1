import type { BSON } from 'mongodb';
import { ServerError, TRANSIENT } from './server-error.js';
import type { Storage, Transaction } from './storage.js';
import type { Bson } from './wire.js';

interface Session {
  /** Number of the latest transaction or retryable write. */
  number: string;
  transaction?: Transaction;
  outcome?: 'committed' | 'aborted';
  /** Response to the last retryable write, returned if it is repeated. */
  answer?: Bson;
}

/** Transactions and retryable writes of all sessions, shared by all members of the deployment. */
export class Sessions {
  private readonly sessions = new Map<string, Session>();

  constructor(private readonly storage: Storage) {}

  /** The transaction of a command, started by its first command; undefined outside of a transaction. */
  transactionOf(command: Bson): Transaction | undefined {
    if (command.autocommit !== false) return undefined;
    const session = this.sessionOf(command);
    const number = String(command.txnNumber);
    if (command.startTransaction === true) {
      session.transaction?.end();
      Object.assign(session, { number, transaction: this.storage.begin(), outcome: undefined, answer: undefined });
    }
    if (session.number !== number || session.transaction === undefined) throw noSuchTransaction(number);
    return session.transaction;
  }

  commit(command: Bson): void {
    const session = this.sessionOf(command);
    if (session.number === String(command.txnNumber) && session.outcome === 'committed') return;
    this.transactionOf(command)?.commit();
    Object.assign(session, { transaction: undefined, outcome: 'committed' });
  }

  abort(command: Bson): void {
    const session = this.sessionOf(command);
    session.transaction?.end();
    if (session.transaction !== undefined) Object.assign(session, { transaction: undefined, outcome: 'aborted' });
  }

  /** Aborts the open transactions of these sessions. */
  kill(sessions: readonly Bson[]): void {
    for (const { id } of sessions) this.abort({ lsid: { id: id as BSON.Binary } });
  }

  /** Aborts all open transactions after the loss of the primary. */
  abortAll(): void {
    for (const session of this.sessions.values()) {
      session.transaction?.end();
      session.transaction = undefined;
    }
  }

  /** The response of a retryable write that was performed before. */
  answered(command: Bson): Bson | undefined {
    if (command.txnNumber === undefined || command.autocommit === false) return undefined;
    const session = this.sessionOf(command);
    return session.number === String(command.txnNumber) ? session.answer : undefined;
  }

  remember(command: Bson, answer: Bson): void {
    if (command.txnNumber === undefined || command.autocommit === false) return;
    Object.assign(this.sessionOf(command), { number: String(command.txnNumber), answer });
  }

  private sessionOf({ lsid }: Bson): Session {
    const id = ((lsid as Bson).id as BSON.Binary).toString('hex');
    const known = this.sessions.get(id) ?? { number: '' };
    this.sessions.set(id, known);
    return known;
  }
}

function noSuchTransaction(number: string): ServerError {
  return new ServerError(
    'NoSuchTransaction',
    `Given transaction number ${number} does not match any in-progress transactions`,
    [TRANSIENT],
  );
}
