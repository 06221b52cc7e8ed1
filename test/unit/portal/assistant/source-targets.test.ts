import assert from 'node:assert/strict';
import { describeAssistantError } from '../../../../portal/src/pages/assistant/assistant-error-messages.js';
import { resolveSourceTarget } from '../../../../portal/src/pages/assistant/source-targets.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

describe('source target', () => {
  it('is the page that shows the data', () => {
    assert.deepEqual(resolveSourceTarget({ type: 'service-map', description: '7 services' }), {
      kind: 'page',
      page: 'map',
      parameters: {},
    });
  });

  it('is the trace or service in the description', () => {
    assert.deepEqual(resolveSourceTarget({ type: 'trace-logs', description: `3 log entries of trace ${TRACE}` }), {
      kind: 'trace',
      id: TRACE,
    });
    assert.deepEqual(resolveSourceTarget({ type: 'service-detail', description: 'cart, blue, last 15 minutes' }), {
      kind: 'service',
      id: 'cart, blue',
    });
  });

  it('filters logs by the severity and service of the entry', () => {
    assert.deepEqual(resolveSourceTarget({ type: 'log', description: 'Error of cart' }), {
      kind: 'page',
      page: 'logs',
      parameters: { severity: 'Error', service: 'cart' },
    });
  });

  it('is undefined without a page', () => {
    assert.equal(resolveSourceTarget({ type: 'weather', description: '' }), undefined);
    assert.equal(resolveSourceTarget({ type: 'constructor', description: '' }), undefined);
  });
});

describe('assistant error message', () => {
  it('says what to do', () =>
    assert.match(
      describeAssistantError('http://x/problems/energy-exhausted', 'No energy.'),
      /regenerates by 10 every hour/,
    ));

  it('falls back to the message of the service', () => {
    assert.equal(
      describeAssistantError('http://x/problems/speech-unavailable', 'Install espeak-ng.'),
      'Install espeak-ng.',
    );
    assert.equal(describeAssistantError(undefined, 'Broken.'), 'Broken.');
  });
});
