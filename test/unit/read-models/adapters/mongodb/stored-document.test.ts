import assert from 'node:assert/strict';
import { BSON } from 'mongodb';
import fc from 'fast-check';
import {
  fromStoredDocument,
  toStoredDocument,
  type StoredDocument,
} from '../../../../../src/read-models/adapters/mongodb/mongo-storage-format.js';

/** Through the bytes that the driver sends, and back. */
const throughBson = (document: object): unknown =>
  fromStoredDocument(BSON.deserialize(BSON.serialize(toStoredDocument('a', document))) as StoredDocument);

describe('stored document', () => {
  it('comes back as its JSON says, whatever its names and texts are', () => {
    const name = fc.oneof(
      fc.constantFrom(
        '$',
        '$ref',
        '$id',
        '$db',
        '$gt',
        '.',
        'a.b',
        '%',
        '%24',
        '%2E',
        '%25',
        '\0',
        '',
        '__proto__',
        '_id',
        'toBSON',
        '\ud83d',
      ),
      fc.string({ unit: 'binary' }),
    );
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud83d', '\udc00x', '\\ud83d', '\0'));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.double(),
        fc.maxSafeInteger(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 5, noNullPrototype: true }), (document) => {
        assert.deepEqual(throughBson(document), JSON.parse(JSON.stringify(document)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('stores no member that is undefined, and what toJSON says', () => {
    assert.deepEqual(throughBson({ a: undefined, b: { toJSON: () => 'said' }, c: [undefined] }), {
      b: 'said',
      c: [null],
    });
  });

  it('gives MongoDB no name that means something to it', () => {
    const { document, json } = toStoredDocument('a', { $set: { 'a.b': 1 }, '50%': 2, cost$: 3 });
    assert.deepEqual(document, { '%24set': { 'a%2Eb': 1 }, '50%25': 2, cost$: 3 });
    assert.equal(json, undefined);
  });
});
