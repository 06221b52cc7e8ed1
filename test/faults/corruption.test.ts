import assert from 'node:assert/strict';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
  closeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { checkReadModelIntegrity } from '../../src/read-models/adapters/sqlite/read-model-file.js';
import { openForReading } from '../../src/read-models/adapters/sqlite/read-model-file.js';
import { SqliteReadModelReader } from '../../src/read-models/adapters/sqlite/read-model-reader.js';
import { openEventReader } from '../../src/streams/adapters/sqlite/sqlite-event-reader.js';
import { START } from '../../src/streams/event-store.js';
import { InProcessFeed } from '../../src/streams/live/in-process-feed.js';
import { reportFigures } from '../support/faults/figures.js';
import { cyclesWithinBudget, drawsOfCycle, SEED, timeoutWithinBudget } from '../support/faults/budget.js';
import { Trial } from '../support/faults/trial.js';
import { waitUntil } from '../support/wait-until.js';
import { collectGarbage } from '../unit/streams/adapters/sqlite/log-folder.js';

const READ_MODELS = 'read-models.db';

describe(`file corruption (seed ${SEED})`, function () {
  this.timeout(timeoutWithinBudget(315_000));
  let trial: Trial;

  beforeEach(async () => (trial = await Trial.start()));
  afterEach(() => trial.dispose());

  const warned = (text: RegExp) => trial.service.logLines.some((line) => text.test(line));

  it('a truncated log: the service starts, keeps complete commits, and adjusts the read models', async () => {
    for (const cycle of cyclesWithinBudget('TORN_LOGS', 4, 0.5)) {
      const draws = drawsOfCycle(cycle);
      await trial.load(4, pause(300));
      await waitUntil(async () => (await trial.found()).logs > 0, 'something is projected');
      await trial.service.signal('SIGKILL');
      const wal = trial.file('events.db-wal');
      const { size } = statSync(wal);
      truncateSync(wal, size - draws.below(Math.min(size, 65_536)));
      const eventsBefore = await eventsInCopy();
      await trial.start();
      assert.ok((await eventsInCopy()) >= eventsBefore, `cycle ${cycle}`);
      // Events in the truncated tail are lost; unlike a real sender, this test looks up which.
      trial.ledger.length = 0;
      const before = await stable();
      await trial.load(2, pause(100));
      const added = (signal: 'traces' | 'logs') =>
        trial.ledger.reduce(
          (sum, each) => sum + (each.signal === signal && each.outcome === 'acknowledged' ? each.size : 0),
          0,
        );
      await waitUntil(async () => {
        const now = await trial.found();
        return now.traces === before.traces + added('traces') && now.logs === before.logs + added('logs');
      }, `cycle ${cycle}: what came after the tear is found, once`);
    }
    await trial.verify();
    reportFigures(trial.figures('torn log'));
  });

  it('a log without its header: the service refuses to start and logs the file and the remedy', async () => {
    await trial.load(2, pause(200));
    await trial.service.signal('SIGTERM');
    writeAt(trial.file('events.db'), 0, Buffer.alloc(4096, 0xa5));
    await assert.rejects(trial.service.start(), /events\.db.*restore/s);
  });

  it('a corrupt event: it is reported, and everything else is served', async () => {
    await trial.load(2, pause(200));
    await trial.settle('before the damage');
    const intact = await trial.found();
    await trial.service.signal('SIGTERM');
    const file = trial.file('events.db');
    foldIn(file);
    const events = await trial.events(true);
    const event = events.find(({ type }) => type.startsWith('LogsReceived'))!;
    const others = events.filter((each) => each !== event).flatMap(({ body }) => (body === undefined ? [] : [body]));
    // A split page keeps stale bytes: corrupt all places of bytes that no other event has.
    const places = findOwnPlaces(readFileSync(file), event.body!, others);
    assert.ok(places.length > 0, 'the file has bytes that only this body has');
    for (const at of places) flip(file, at + 20, 3);
    for (const side of ['', '-wal', '-shm']) rmSync(trial.file(READ_MODELS + side), { force: true });
    await trial.start();
    await waitUntil(
      async () => (await trial.found()).logs === intact.logs - (event.data as { accepted: number }).accepted,
      'the rest is there',
      40_000,
    );
    assert.equal((await trial.found()).traces, intact.traces);
    const naming = new RegExp(`${event.position}.*damaged|damaged.*${event.position}`);
    await waitUntil(() => Promise.resolve(warned(naming)), 'the log names it');
  });

  for (const [what, damage] of [
    ['without a head', (file: string) => writeAt(file, 0, Buffer.alloc(4096, 0xa5))],
    ['cut in half', (file: string) => truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096)],
    ['with rotten rows', (file: string) => rotDocuments(file)],
  ] as const) {
    it(`read models ${what}: they are moved aside and rebuilt from the log, with a warning`, async () => {
      await trial.load(4, pause(500));
      await trial.settle('before the damage');
      const intact = await trial.found();
      const { httpPort, otlpHttpPort, otlpGrpcPort } = trial.service.ports;
      await trial.service.signal('SIGTERM');
      damage(trial.file(READ_MODELS));
      await trial.service.start({
        HTTP_PORT: String(httpPort),
        OTLP_HTTP_PORT: String(otlpHttpPort),
        OTLP_GRPC_PORT: String(otlpGrpcPort),
      });
      let wrong: unknown;
      await waitUntil(
        async () => {
          const found = await trial.found().catch(() => undefined); // while the service restarts
          const isRight = found?.traces === intact.traces && found.logs === intact.logs;
          if (found !== undefined && (found.traces ?? 0) > intact.traces) wrong = found;
          return isRight && warned(/rebuilding them from the event log/);
        },
        'the answers of before',
        30_000,
      );
      assert.equal(wrong, undefined);
      assert.ok(existsSync(trial.file(`${READ_MODELS}.damaged`)), 'the damaged store is kept');
      await trial.settle('after the damage');
      await trial.verify();
    });
  }

  it('flipped bits in the read models: none changes a result without being detected', async () => {
    await trial.load(4, pause(800));
    await trial.settle('before the damage');
    await trial.service.signal('SIGTERM');
    const folder = mkdtempSync(join(tmpdir(), 'hindsight-flips-'));
    const intact = trial.file(READ_MODELS);
    foldIn(intact);
    const copy = join(folder, READ_MODELS);
    cpSync(intact, copy);
    const expected = await everything(copy);
    const used = [...readFileSync(intact).entries()].filter(([, byte]) => byte !== 0).map(([at]) => at);
    const outcomes = { harmless: 0, refused: 0, hidden: 0 };
    for (const n of cyclesWithinBudget('READ_MODEL_FLIPS', 150, 0.5)) {
      const draws = drawsOfCycle(n);
      copyFileSync(intact, copy);
      flip(copy, used[draws.below(used.length)], draws.below(8));
      const found = await everything(copy).catch(() => undefined);
      rmSync(`${copy}.is-damaged`, { force: true });
      if (n % 50 === 0) await collectGarbage();
      if (found === undefined) outcomes.refused++;
      else if (found === expected) outcomes.harmless++;
      else {
        outcomes.hidden++;
        assert.notDeepEqual(
          checkReadModelIntegrity(copy),
          [],
          `flip ${n} (seed ${SEED}) shows in answers and is found by nobody`,
        );
      }
    }
    rmSync(folder, { recursive: true, force: true });
    console.log(`flipped bits in the read models: ${JSON.stringify(outcomes)}`);
    assert.ok(outcomes.refused > 0);
  });

  /**
   * Reads the events from a copy of the log: an open connection of this process would keep the WAL index alive across
   * the truncation (closed ones remain until garbage collection), and SQLite would not rebuild it.
   */
  async function eventsInCopy(): Promise<number> {
    const folder = mkdtempSync(join(tmpdir(), 'hindsight-torn-'));
    for (const name of ['events.db', 'events.db-wal']) copyFileSync(trial.file(name), join(folder, name));
    const feed = new InProcessFeed();
    const reader = openEventReader(folder, feed);
    try {
      return (await reader.readAll(START, { limit: Infinity, bodies: false })).length;
    } finally {
      await Promise.all([reader.close(), feed.close()]);
      rmSync(folder, { recursive: true });
    }
  }

  async function stable(): Promise<{ traces: number; logs: number }> {
    let last = await trial.found();
    await waitUntil(async () => {
      await pause(300);
      const next = await trial.found();
      const isStable = next.traces === last.traces && next.logs === last.logs;
      last = next;
      return isStable;
    }, 'the read models have caught up');
    return last;
  }
});

/** Where the first 32 bytes from the middle of the body on stand in the file that no other body has. */
function findOwnPlaces(bytes: Buffer, body: Uint8Array, others: readonly Uint8Array[]): readonly number[] {
  const texts = others.map((other) => Buffer.from(other));
  for (let at = Math.floor(body.length / 2); at + 32 <= body.length; at++) {
    const part = Buffer.from(body.subarray(at, at + 32));
    if (texts.some((text) => text.includes(part))) continue;
    const places = placesOf(bytes, part);
    if (places.length > 0) return places;
  }
  return [];
}

function placesOf(bytes: Buffer, part: Uint8Array): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(part); at >= 0; at = bytes.indexOf(part, at + 1)) places.push(at);
  return places;
}

/** Moves the WAL into the database, since the WAL survives the service while a connection of this process is open. */
function foldIn(file: string): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function writeAt(file: string, at: number, bytes: Uint8Array): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, at);
  closeSync(descriptor);
}

function flip(file: string, at: number, bit: number): void {
  const descriptor = openSync(file, 'r+');
  const byte = Buffer.alloc(1);
  readSync(descriptor, byte, 0, 1, at);
  byte[0] ^= 1 << bit;
  writeSync(descriptor, byte, 0, 1, at);
  closeSync(descriptor);
}

/** Changes a letter in every document that contains the service name, without damaging the file structure. */
function rotDocuments(file: string): void {
  writeFileSync(
    file,
    Buffer.from(readFileSync(file).toString('latin1').replaceAll('"active":1', '"active":3'), 'latin1'),
  );
}

/** Reads all documents and blobs like queries do. */
async function everything(file: string): Promise<string> {
  const reader = new SqliteReadModelReader(file);
  try {
    const parts: unknown[] = [];
    for (const name of tablesOf(file)) {
      const collection = { name, indexes: [] };
      const documents = await reader.find(collection, {});
      parts.push(name, await reader.count(collection), documents);
      for (const blob of blobNamesOf(file, name)) {
        parts.push(
          (await reader.readBlobs(collection, blob, { prefix: '', limit: 10_000 })).map(({ id, blob: bytes }) => [
            id,
            Buffer.from(bytes).toString('base64'),
          ]),
        );
      }
    }
    return JSON.stringify(parts);
  } finally {
    await reader.close();
  }
}

const known = new Map<string, readonly string[]>();

/** Collections of the intact file, to detect missing tables. */
function tablesOf(file: string): readonly string[] {
  const names =
    known.get('') ??
    query<{ name: string }>(
      file,
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'documents %'`,
    ).map(({ name }) => name.slice('documents '.length));
  known.set('', names);
  return names;
}

function blobNamesOf(file: string, collection: string): readonly string[] {
  const names =
    known.get(collection) ??
    query<{ name: string }>(file, `SELECT DISTINCT name FROM "blobs ${collection}" ORDER BY name`).map(
      ({ name }) => name,
    );
  known.set(collection, names);
  return names;
}

function query<Row>(file: string, sql: string): Row[] {
  const database = openForReading(file)!;
  try {
    return database.prepare(sql).all() as Row[];
  } finally {
    database.close();
  }
}
