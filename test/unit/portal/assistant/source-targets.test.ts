import assert from 'node:assert/strict';
import { describeAssistantError } from '../../../../portal/src/pages/assistant/assistant-error-messages.js';
import { resolveSourceTarget } from '../../../../portal/src/pages/assistant/source-targets.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

describe('the place of a source', () => {
  it('is the page that shows what was asked', () => {
    assert.deepEqual(resolveSourceTarget({ type: 'service-map', description: '7 services' }), {
      kind: 'page',
      page: 'map',
      asked: {},
    });
  });

  it('is the trace, or the service, that it names', () => {
    assert.deepEqual(resolveSourceTarget({ type: 'trace-logs', description: `3 log entries of trace ${TRACE}` }), {
      kind: 'trace',
      id: TRACE,
    });
    assert.deepEqual(resolveSourceTarget({ type: 'service-detail', description: 'cart, blue, last 15 minutes' }), {
      kind: 'service',
      id: 'cart, blue',
    });
  });

  it('narrows logs to those like the one that was read', () => {
    assert.deepEqual(resolveSourceTarget({ type: 'log', description: 'Error of cart' }), {
      kind: 'page',
      page: 'logs',
      asked: { severity: 'Error', service: 'cart' },
    });
  });

  it('is nowhere for what has no page', () => {
    assert.equal(resolveSourceTarget({ type: 'weather', description: '' }), undefined);
    assert.equal(resolveSourceTarget({ type: 'constructor', description: '' }), undefined);
  });
});

describe('a refusal of the assistant', () => {
  it('says what to do', () =>
    assert.match(describeAssistantError('http://x/problems/energy-exhausted', 'No energy.'), /comes back by itself/));

  it('is told in the words of the service where there are no better ones', () => {
    assert.equal(
      describeAssistantError('http://x/problems/speech-unavailable', 'Install espeak-ng.'),
      'Install espeak-ng.',
    );
    assert.equal(describeAssistantError(undefined, 'Broken.'), 'Broken.');
  });
});
