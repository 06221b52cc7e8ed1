import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { openCheckpointer } from './connection.js';
import type { Connection } from './connection.js';
import { isFailedSync, isUnsyncedDatabase, UnsyncedDatabase } from './disk-faults.js';
import type { Call, CheckpointCalls, Reply } from './messages.js';
import { checkpoint } from './wal-keeper.js';

export interface CheckpointWorkerData {
  readonly file: string;
  readonly passes: MessagePort;
}

const { file, passes } = workerData as CheckpointWorkerData;
let database: Connection | undefined;

/**
 * Stays open as long as the store: closing any descriptor of a file drops the locks that this process holds on it.
 */
let descriptor: number | undefined;

passes.on('message', () => {
  pass();
  passes.postMessage('passed');
});
parentPort!.on('message', (calls: Call<CheckpointCalls>[]) => {
  database?.close();
  if (descriptor !== undefined) closeSync(descriptor);
  passes.close();
  parentPort!.postMessage(calls.map(({ id }): Reply => ({ id, answer: undefined })));
});

/**
 * A pass that cannot write leaves the WAL as it is, and loses nothing: the writer meets the same disk and tells of it.
 * A failed sync ends the worker and with it the service: SQLite counts what earlier passes copied as done, and only a new
 * start copies it again.
 */
function pass(): void {
  try {
    database ??= openCheckpointer(file);
    checkpoint(database, 'PASSIVE');
    // A pass that appends overtook does not sync what it copied: left for later it would all be the writer's to sync.
    descriptor ??= openSync(file, 'r');
    fdatasyncSync(descriptor);
  } catch (error) {
    if (isUnsyncedDatabase(error)) throw error;
    if (isFailedSync(error)) throw new UnsyncedDatabase(error);
    process.emitWarning(`Checkpoint of the event log failed: ${(error as Error).message}`);
    database?.close();
    database = undefined;
  }
}
