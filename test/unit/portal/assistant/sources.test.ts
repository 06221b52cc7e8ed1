import assert from 'node:assert/strict';
import { faultWords } from '../../../../portal/src/pages/assistant/fault-words.js';
import { placeOf } from '../../../../portal/src/pages/assistant/sources.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

describe('the place of a source', () => {
  it('is the page that shows what was asked', () => {
    assert.deepEqual(placeOf({ type: 'service-map', description: '7 services' }), {
      kind: 'page',
      page: 'map',
      asked: {},
    });
  });

  it('is the trace, or the service, that it names', () => {
    assert.deepEqual(placeOf({ type: 'trace-logs', description: `3 log entries of trace ${TRACE}` }), {
      kind: 'trace',
      id: TRACE,
    });
    assert.deepEqual(placeOf({ type: 'service-detail', description: 'cart, blue, last 15 minutes' }), {
      kind: 'service',
      id: 'cart, blue',
    });
  });

  it('narrows logs to those like the one that was read', () => {
    assert.deepEqual(placeOf({ type: 'log', description: 'Error of cart' }), {
      kind: 'page',
      page: 'logs',
      asked: { severity: 'Error', service: 'cart' },
    });
  });

  it('is nowhere for what has no page', () => {
    assert.equal(placeOf({ type: 'weather', description: '' }), undefined);
    assert.equal(placeOf({ type: 'constructor', description: '' }), undefined);
  });
});

describe('a refusal of the assistant', () => {
  it('says what to do', () =>
    assert.match(faultWords('http://x/problems/energy-exhausted', 'No energy.'), /comes back by itself/));

  it('is told in the words of the service where there are no better ones', () => {
    assert.equal(faultWords('http://x/problems/speech-unavailable', 'Install espeak-ng.'), 'Install espeak-ng.');
    assert.equal(faultWords(undefined, 'Broken.'), 'Broken.');
  });
});
