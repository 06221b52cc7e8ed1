/**
 * A process that writes the log as the append worker does, and then is killed. The checkpointer's passes come in between,
 * where the draws put them, or in a thread of their own, as in the service. Its disk records what it does (DISK_TRACE); what it sent and what was acknowledged stands in
 * the same record, as writes to a file beside the log.
 * Arguments: seed, steps, number of this life in its history.
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
import { GroupCommitWriter } from '../../../src/streams/adapters/sqlite/group-commit-writer.js';
import { Random } from '../generator/random.js';
import { EIO, setFaults } from './disk.js';
import { ACCOUNT, type Entry } from './account.js';
import { passesInPlace, passesInThread } from './recorded-passes.js';

const [seed, steps, life] = process.argv.slice(2).map(Number);
const { DATA_DIR: dir, DISK_CONTROL: control } = process.env as Record<string, string>;
const random = new Random(seed);
const file = toEventLogPath(dir);
const account = openSync(join(dir, ACCOUNT), 'a', 0o600);
const disk = openSync(control, 'r+');

/** Small, so that a short history has passes, new starts of the WAL, and new starts that a reader is in the way of. */
const BOUNDS = { passBytes: 96 * 1024, restartBytes: 256 * 1024, limitBytes: 640 * 1024 };
const BODY_BYTES = [0, 300, 5_000, 40_000];

let calls = 0;
let reader: Connection | undefined;
const idsOf = new Map<number, readonly string[]>();

const enter = (entry: Entry): void => void writeSync(account, `${JSON.stringify(entry)}\n`);
const passes = (random.below(2) === 0 ? passesInPlace : passesInThread)(file);
const writer = new EventLogWriter(
  () => openWriter(file),
  () => life * 1_000_000 + calls,
);
const reserve = new DiskReserve(join(dir, 'reserve'), () => performance.now());
let desk = openDesk();

function openDesk(): GroupCommitWriter {
  const keeper = new WalCheckpointer(() => passes.request(), BOUNDS);
  return new GroupCommitWriter(writer, keeper, reserve, (replies: readonly Reply[]) => {
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
  desk.receive([{ id, kind: 'append', request: { stream: `telemetry.${random.below(3)}`, expected: 'any', events } }]);
}

function append(): void {
  for (let group = 1 + random.below(3); group > 0; group--) receiveAppend();
  while (desk.busy) desk.step();
}

/** The next append meets a disk that loses what it was given and says so. */
function appendToFailingDisk(): void {
  setFaults(disk, { match: '-wal', syncErrno: EIO, syncFails: 1 });
  append();
  setFaults(disk, { syncFails: 0 });
}

function pass(): void {
  if (passes.makeOne()) desk.afterCheckpointPass();
  else append();
}

function truncate(): void {
  enter({ truncating: true });
  desk.receive([
    { id: ++calls, kind: 'truncate', request: { prefix: 'telemetry.1', beforeTime: Number.MAX_SAFE_INTEGER } },
  ]);
  for (let slice = 1 + random.below(4); slice > 0; slice--) desk.step();
  append();
}

/** A reader that keeps the WAL from starting over, until it lets go. */
function holdOrLetGo(): void {
  if (reader === undefined) {
    reader = openReaderConnection(file);
    reader.exec('BEGIN; SELECT count(*) FROM events');
  } else {
    reader.close();
    reader = undefined;
  }
}

/** A stop in good order, and a start. */
async function restart(): Promise<void> {
  reader?.close();
  reader = undefined;
  await passes.close();
  desk.receive([{ id: ++calls, kind: 'close', request: undefined }]);
  while (desk.busy) desk.step();
  desk = openDesk();
  await passes.ready();
}

const ACTIONS = [append, append, append, append, pass, pass, appendToFailingDisk, truncate, holdOrLetGo, restart];

reserve.prepare();
append();
await passes.ready();
for (let step = 0; step < steps; step++) await random.pick<() => void | Promise<void>>(ACTIONS)();
process.kill(process.pid, 'SIGKILL');
