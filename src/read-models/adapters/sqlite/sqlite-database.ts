import type { DatabaseSync, StatementSyncInstance } from '@photostructure/sqlite';

const MAX_CACHED_STATEMENTS = 256;

/** A connection with its prepared statements. */
export class SqliteDatabase {
  private readonly statements = new Map<string, StatementSyncInstance>();

  constructor(private readonly connection: InstanceType<typeof DatabaseSync>) {}

  prepare(sql: string): StatementSyncInstance {
    let statement = this.statements.get(sql);
    if (statement === undefined) {
      if (this.statements.size >= MAX_CACHED_STATEMENTS) this.statements.clear();
      this.statements.set(sql, (statement = this.connection.prepare(sql)));
    }
    return statement;
  }

  exec(sql: string): void {
    this.connection.exec(sql);
  }

  /** Runs `work` in a write transaction; rolls back if it throws. */
  transaction<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.connection.isTransaction) this.exec('ROLLBACK');
      throw error;
    }
  }

  /** Call after schema changes: prepared statements keep the old schema. */
  forgetStatements(): void {
    this.statements.clear();
  }

  close(): void {
    this.statements.clear();
    if (this.connection.isOpen) this.connection.close();
  }
}
