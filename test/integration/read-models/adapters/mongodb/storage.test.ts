import assert from 'node:assert/strict';
import { MongoClient } from 'mongodb';
import { CHUNK_BYTES } from '../../../../../src/read-models/adapters/mongodb/mongo-storage-format.js';
import { MongoReadModelReader } from '../../../../../src/read-models/adapters/mongodb/read-model-reader.js';
import { MongoReadModelStore } from '../../../../../src/read-models/adapters/mongodb/read-model-store.js';
import { eq, has, oneOf, prefix, range, type Scalar } from '../../../../../src/read-models/document-filter.js';
import type { Collection } from '../../../../../src/read-models/read-model-store.js';
import { MongoServer } from '../../../../support/mongodb-server/mongodb-server.js';

const THINGS: Collection<Record<string, unknown>> = { name: 'things.v1', indexes: [['name'], ['gridId', 'seq']] };

describe('storage of read models in MongoDB', () => {
  let server: MongoServer;
  let store: MongoReadModelStore;

  beforeEach(async () => {
    server = await MongoServer.start();
    store = new MongoReadModelStore(server.url);
  });
  afterEach(async () => {
    await store.close();
    await server.stop();
  });
  const save = (id: string, document: object, blobs?: Record<string, Uint8Array>) =>
    store.commit([{ kind: 'put', collection: THINGS, id, document, blobs }], []);

  it('stores blobs that exceed the document size, and leaves no cursor behind', async () => {
    const large = new Uint8Array(2 * CHUNK_BYTES + 5).map((_, i) => i * 31);
    await save('a', {}, { column: large, small: Uint8Array.of(1) });
    await save('b', {}, { column: large.subarray(0, CHUNK_BYTES) });
    await save('c', {}, { column: Uint8Array.of(3) });
    assert.deepEqual(
      server.documentsOf('blobs.things.v1').map(({ id, name, part, of }) => [id, name, part, of]),
      [
        ['a', 'column', 0, 3],
        ['a', 'column', 1, 3],
        ['a', 'column', 2, 3],
        ['a', 'small', 0, 1],
        ['b', 'column', 0, 1],
        ['c', 'column', 0, 1],
      ],
    );
    assert.ok(Buffer.from(large).equals((await store.readBlob(THINGS, 'a', 'column'))!));
    const page = await store.readBlobs(THINGS, 'column', { prefix: '', limit: 2 });
    assert.deepEqual(
      page.map(({ id, blob }) => [id, blob.length]),
      [
        ['a', large.length],
        ['b', CHUNK_BYTES],
      ],
    );
    assert.deepEqual(
      (await store.readBlobs(THINGS, 'column', { prefix: '', after: 'b', limit: 2 })).map(({ id }) => id),
      ['c'],
    );
    await server.whenCursorsAreClosed();
  });

  it('reads more than fits into one response', async () => {
    const ids = Array.from({ length: 250 }, (_, n) => String(n).padStart(3, '0'));
    await store.commit(
      ids.map((id) => ({ kind: 'put', collection: THINGS, id, document: {}, blobs: { column: Uint8Array.of(1) } })),
      [],
    );
    assert.deepEqual(
      (await store.find(THINGS, {})).map(({ id }) => id),
      ids,
    );
    assert.deepEqual(
      (await store.readBlobs(THINGS, 'column', { prefix: '', limit: 2 ** 40 })).map(({ id }) => id),
      ids,
    );
    assert.ok(server.received.some((command) => command.getMore !== undefined));
  });

  it('makes the indexes that a collection names, each way, mends those that differ, and leaves an operator his own', async () => {
    const client = new MongoClient(server.url);
    const documents = client.db().collection('documents.things.v1');
    await documents.createIndex({ 'document.other': 1 }, { name: 'seq up' });
    await documents.createIndex({ 'document.other': 1 }, { name: 'name up' });
    await documents.createIndex({ 'document.other': 1 }, { name: 'of the operator' });
    await documents.createIndex({ 'document.gridId': 1, 'document.seq': 1, _id: 1 }, { name: 'the same' });
    await client.close();
    await save('a', {});
    await save('b', {});
    const found = server.indexesOf('documents.things.v1').map(({ name, key }) => [
      name,
      Object.entries(key as object)
        .flat()
        .join(' '),
    ]);
    assert.deepEqual(found, [
      ['_id_', '_id 1'],
      ['of the operator', 'document.other 1'],
      ['the same', 'document.gridId 1 document.seq 1 _id 1'],
      ['name up', 'document.name 1 _id 1'],
      ['name down', 'document.name -1 _id 1'],
      ['gridId seq down', 'document.gridId 1 document.seq -1 _id 1'],
    ]);
    assert.deepEqual(
      server.indexesOf('blobs.things.v1').map(({ name, unique }) => [name, unique]),
      [
        ['_id_', undefined],
        ['blob', true],
      ],
    );
  });

  it('treats operators as text wherever they come from', async () => {
    const hostile = {
      $where: 'sleep(1e9)',
      name: '$name',
      $set: { a: 1 },
      'a.$b': [{ $ref: 'x', $id: 'y' }],
      _id: 'mine',
      ['__proto__']: { $gt: '' },
    };
    await save('$where', hostile);
    await save('{"$gt":""}', { name: { $gt: '' } });
    assert.deepEqual(await store.get(THINGS, '$where'), hostile);
    assert.deepEqual(
      (await store.find(THINGS, { filter: eq('name', '$name') })).map(({ id }) => id),
      ['$where'],
    );
    const smuggled = { $gt: '' } as unknown as Scalar;
    const filters = [
      () => eq('name', smuggled),
      () => oneOf('name', [smuggled]),
      () => range('name', smuggled),
      () => range('name', undefined, smuggled),
      () => has('name', smuggled),
    ];
    for (const filter of filters) await assert.rejects(store.find(THINGS, { filter: filter() }), TypeError);
    for (const field of ['$where', 'a.b', ''])
      await assert.rejects(store.find(THINGS, { filter: eq(field, 1) }), TypeError);
    await assert.rejects(store.find(THINGS, { sort: [{ field: '$natural' }] }), TypeError);
    await assert.rejects(store.count({ name: 'a$b', indexes: [] }), TypeError);
  });

  it('answers ids, prefixes and names that are no text of the store for what they are', async () => {
    await save('a\0b', { name: 'x\0y' }, { 'c\0d': Uint8Array.of(1) });
    assert.deepEqual(
      (await store.find(THINGS, { filter: prefix('name', 'x\0') })).map(({ id }) => id),
      ['a\0b'],
    );
    assert.deepEqual([...(await store.readBlob(THINGS, 'a\0b', 'c\0d'))!], [1]);
  });

  it('finds present fields whatever they hold, and arrays by no condition but "has"', async () => {
    await save('null', { name: null });
    await save('absent', {});
    await save('array', { name: ['x', null] });
    await save('empty', { name: [] });
    await save('object', { name: { x: 1 } });
    await save('text', { name: 'x' });
    const ids = async (filter: Parameters<typeof store.count>[1]) =>
      (await store.find(THINGS, { filter })).map(({ id }) => id);
    assert.deepEqual(await ids(range('name')), ['array', 'empty', 'object', 'text']);
    assert.deepEqual(await ids(range('name', 'a', 'z')), ['text']);
    assert.deepEqual(await ids(eq('name', 'x')), ['text']);
    assert.deepEqual(await ids(oneOf('name', ['x'])), ['text']);
    assert.deepEqual(await ids(prefix('name', '')), ['text']);
    assert.deepEqual(await ids(has('name', 'x')), ['array']);
  });

  it('names the database after the address, or hindsight', async () => {
    const reader = new MongoReadModelReader(server.url.replace('/hindsight-test', '/'));
    await reader.readCheckpoint('x');
    await reader.close();
    assert.equal(server.received.find((command) => command.find === 'checkpoints')?.$db, 'hindsight');
    await store.readCheckpoint('x');
    assert.equal(server.received.findLast((command) => command.find === 'checkpoints')?.$db, 'hindsight-test');
  });

  it('rejects servers without snapshots, and invalid URLs', async () => {
    const old = await MongoServer.start({ wireVersion: 12 });
    const reader = new MongoReadModelReader(old.url);
    await assert.rejects(reader.readCheckpoint('x'), {
      code: 'unavailable',
      message: 'MongoDB 5.0 or later is required',
    });
    await reader.close();
    await old.stop();
    assert.throws(
      () => new MongoReadModelReader('postgres://user:secret@db/x'),
      (error: Error) => !error.message.includes('secret'),
    );
  });

  it('reveals no password', async () => {
    const reader = new MongoReadModelReader('mongodb://user:hunter2@127.0.0.1:1/x');
    const reported = await reader.readCheckpoint('x').catch((error: Error) => error);
    assert.ok(reported instanceof Error && !reported.message.includes('hunter2'), String(reported));
    const { ok, ...rest } = await reader.check();
    assert.ok(!ok && !JSON.stringify(rest).includes('hunter2'));
    await reader.close();
  });
});
