/**
 * A process that writes the log like the append worker and then is killed. Checkpoints run in between, at random points,
 * or in a separate thread as in the service. Its disk records all operations (DISK_TRACE); sent and acknowledged appends
 * are part of the same record, as writes to a file next to the log.
 * Arguments: seed, steps, number of this process in its history.
 */
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import {
  openReaderConnection,
  openWriter,
  type Connection,
} from '../../../src/streams/adapters/sqlite/event-log-connection.js';
import { DiskReserve } from '../../../src/streams/adapters/sqlite/disk-reserve.js';
import { toEventLogPath } from '../../../src/streams/adapters/sqlite/data-folder.js';
import { EventLogWriter } from '../../../src/streams/adapters/sqlite/event-log-writer.js';
import type { Reply } from '../../../src/streams/adapters/sqlite/worker-protocol.js';
import { WalCheckpointer } from '../../../src/streams/adapters/sqlite/wal-checkpointer.js';
import { GroupCommitScheduler } from '../../../src/streams/adapters/sqlite/group-commit-scheduler.js';
import { Random } from '../generator/random.js';
import { EIO, setFaults } from './faulty-disk.js';
import { ACCOUNT, type Entry } from './append-account.js';
import { createSynchronousPasses, createThreadPasses } from './checkpoint-passes.js';

const [seed, steps, life] = process.argv.slice(2).map(Number);
const { DATA_DIR: dir, DISK_CONTROL: control } = process.env as Record<string, string>;
const random = new Random(seed);
const file = toEventLogPath(dir);
const account = openSync(join(dir, ACCOUNT), 'a', 0o600);
const disk = openSync(control, 'r+');

/** Small, so that a short history has checkpoints, WAL restarts, and restarts blocked by a reader. */
const BOUNDS = { passBytes: 96 * 1024, restartBytes: 256 * 1024, limitBytes: 640 * 1024 };
const BODY_BYTES = [0, 300, 5_000, 40_000];

let calls = 0;
let reader: Connection | undefined;
const idsOf = new Map<number, readonly string[]>();

const enter = (entry: Entry): void => void writeSync(account, `${JSON.stringify(entry)}\n`);
const passes = (random.below(2) === 0 ? createSynchronousPasses : createThreadPasses)(file);
const writer = new EventLogWriter(
  () => openWriter(file),
  () => life * 1_000_000 + calls,
);
const reserve = new DiskReserve(join(dir, 'reserve'), () => performance.now());
let appender = startWriter();

function startWriter(): GroupCommitScheduler {
  const checkpointer = new WalCheckpointer(() => passes.request(), BOUNDS);
  return new GroupCommitScheduler(writer, checkpointer, reserve, (replies: readonly Reply[]) => {
    for (const reply of replies)
      if ('answer' in reply && idsOf.has(reply.id)) enter({ acknowledged: idsOf.get(reply.id)! });
  });
}

function receiveAppend(): void {
  const id = ++calls;
  const events = Array.from({ length: 1 + random.below(2) }, (_, n) => ({
    id: `${life}-${id}-${n}`,
    type: 'Numbered.v1',
    data: JSON.stringify({ n: id }),
    body: random.bytes(random.pick(BODY_BYTES)),
  }));
  idsOf.set(
    id,
    events.map((event) => event.id),
  );
  enter({ sent: idsOf.get(id)! });
  appender.receive([
    { id, kind: 'append', request: { stream: `telemetry.${random.below(3)}`, expected: 'any', events } },
  ]);
}

function append(): void {
  for (let group = 1 + random.below(3); group > 0; group--) receiveAppend();
  while (appender.busy) appender.step();
}

/** The next append has a disk that discards data and reports an error. */
function appendToFailingDisk(): void {
  setFaults(disk, { match: '-wal', syncErrno: EIO, syncFails: 1 });
  append();
  setFaults(disk, { syncFails: 0 });
}

function pass(): void {
  if (passes.makeOne()) appender.afterCheckpointPass();
  else append();
}

function truncate(): void {
  enter({ truncating: true });
  appender.receive([
    { id: ++calls, kind: 'truncate', request: { prefix: 'telemetry.1', beforeTime: Number.MAX_SAFE_INTEGER } },
  ]);
  for (let slice = 1 + random.below(4); slice > 0; slice--) appender.step();
  append();
}

/** Opens or closes a reader that blocks WAL restarts. */
function toggleReader(): void {
  if (reader === undefined) {
    reader = openReaderConnection(file);
    reader.exec('BEGIN; SELECT count(*) FROM events');
  } else {
    reader.close();
    reader = undefined;
  }
}

/** A graceful stop and a start. */
async function restart(): Promise<void> {
  reader?.close();
  reader = undefined;
  await passes.close();
  appender.receive([{ id: ++calls, kind: 'close', request: undefined }]);
  while (appender.busy) appender.step();
  appender = startWriter();
  await passes.ready();
}

const ACTIONS = [append, append, append, append, pass, pass, appendToFailingDisk, truncate, toggleReader, restart];

reserve.prepare();
append();
await passes.ready();
for (let step = 0; step < steps; step++) await random.pick<() => void | Promise<void>>(ACTIONS)();
process.kill(process.pid, 'SIGKILL');
