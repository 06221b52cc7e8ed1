import type { BSON } from 'mongodb';
import { ServerError, TRANSIENT } from './server-error.js';
import type { Storage, Transaction } from './storage.js';
import type { Bson } from './wire.js';

interface Session {
  /** Of the transaction, or of the retryable write, that came last. */
  number: string;
  transaction?: Transaction;
  outcome?: 'committed' | 'aborted';
  /** What the last retryable write was answered: the same write is not done twice. */
  answer?: Bson;
}

/** Transactions and retryable writes of all sessions. They belong to the deployment: a new primary knows of both. */
export class Sessions {
  private readonly sessions = new Map<string, Session>();

  constructor(private readonly storage: Storage) {}

  /** The transaction that a command belongs to, begun with its first command; undefined outside of one. */
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

  /** Ends what these sessions have open. */
  kill(sessions: readonly Bson[]): void {
    for (const { id } of sessions) this.abort({ lsid: { id: id as BSON.Binary } });
  }

  /** What becomes of open transactions when their primary is gone. */
  abortAll(): void {
    for (const session of this.sessions.values()) {
      session.transaction?.end();
      session.transaction = undefined;
    }
  }

  /** The answer of a retryable write that was done before. */
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
