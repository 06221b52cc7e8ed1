import assert from 'node:assert/strict';
import {
  mayNameException,
  readExceptionWords,
} from '../../../../../src/assistant/analyst/question-query/exception-words.js';
import { MarkedText } from '../../../../../src/assistant/analyst/question-query/marked-text.js';

const TYPES = [
  'Error',
  'BadRequestError',
  'order.Failed',
  'FeatureStoreTimeout',
  'PoolTimeoutError',
  'TypeError',
  'java.net.SocketException',
  'ScannerOffline',
];

function read(question: string): readonly string[] {
  const text = new MarkedText(question);
  readExceptionWords(text, TYPES);
  return text.remaining('condition').flatMap((each) => (each.kind === 'in' ? each.values : []));
}

describe('exceptions by the words of their type', () => {
  it('reads a type as words, in the singular or plural', () => {
    assert.deepEqual(read('feature store timeouts per plan'), ['FeatureStoreTimeout']);
    assert.deepEqual(read('pool timeouts of inventory'), ['PoolTimeoutError']);
    assert.deepEqual(read('how many scanner offline errors'), ['ScannerOffline']);
    assert.deepEqual(read('pool-timeout exceptions'), ['PoolTimeoutError']);
  });

  it('reads a type as it is written, whatever its case', () => {
    assert.deepEqual(read('TypeErrors since noon'), ['TypeError']);
    assert.deepEqual(read('at which site did scanneroffline happen'), ['ScannerOffline']);
    assert.deepEqual(read('java.net.SocketException'), ['java.net.SocketException']);
  });

  it('are worth a look-up only where a word may be of an exception', () => {
    for (const word of ['timeouts', 'offline', 'ScannerOffline', 'KeyRejectedError', 'keyrejectederror'])
      assert.equal(mayNameException(['a', word]), true, word);
    assert.equal(mayNameException(['collab-v3', 'gold', 'revenue']), false);
  });

  it('reads no words that mean any failure, or a status', () => {
    for (const question of ['errors by region', 'error rate', 'failed requests', 'bad requests'])
      assert.deepEqual(read(question), [], question);
    assert.deepEqual(read('BadRequestError by region'), ['BadRequestError']);
  });

  it('reads no single word of a type, nor a part of another word', () => {
    assert.deepEqual(read('timeouts of the pool'), []);
    assert.deepEqual(read('types of errors on sockets'), []);
    assert.deepEqual(read('my-feature-store-timeouts'), []);
  });
});
