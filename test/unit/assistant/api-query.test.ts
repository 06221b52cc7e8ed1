import assert from 'node:assert/strict';
import { appendQueries, formatApiQuery, removeQueries } from '../../../src/assistant/api-query.js';
import { normalizeForSpeech, removeSynthesisMarkup } from '../../../src/assistant/speech/speech-text-normalizer.js';
import { getServiceDetail } from '../../../src/assistant/tools/diagnostic-tools.js';
import { TOOLS } from '../../../src/assistant/tools/tool-registry.js';
import { getTraces } from '../../../src/assistant/tools/trace-tools.js';
import { getUsage } from '../../../src/assistant/tools/usage-tools.js';
import { ROUTES } from '../../../src/http/routes.js';

const GRID = '5a0f1c3e-7b1d-4c52-9a44-2f6f0d9e8b17';

describe('queries below an answer', () => {
  it('have method, path and body', () => {
    const args = { rangeStart: '2026-11-20T14:00:00.000Z', tags: { 'customer.tier': 'gold' }, status: undefined };
    assert.equal(
      formatApiQuery(getTraces, args, GRID),
      `POST /apm/traces/${GRID}?api-version=2.0\n{"rangeStart":"2026-11-20T14:00:00.000Z","tags":{"customer.tier":"gold"}}`,
    );
  });

  it('have encoded parameters in path and query', () => {
    assert.equal(
      formatApiQuery(getServiceDetail, { serviceName: 'a/b', asOf: '2026-11-20T14:00:00.000+01:00' }, GRID),
      `GET /apm/diagnostics/${GRID}/service/a%2Fb?api-version=2.0&asOf=2026-11-20T14:00:00.000%2B01:00`,
    );
  });

  it('are calls of the tool where it combines several operations', () => {
    assert.equal(formatApiQuery(getUsage, {}, GRID), 'tool GetUsage {}');
  });

  it('are operations that the API has', () => {
    const operations = ROUTES.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
    const own = TOOLS.flatMap(({ api }) =>
      api === undefined ? [] : [`${api.method} ${api.path.replace(/\{\w+\}/g, '{}')}`],
    );
    assert.ok(own.length > 20);
    assert.deepEqual(
      own.filter((each) => !operations.includes(each)),
      [],
    );
  });

  it('stand below the text, each once, and are not read aloud', () => {
    const shown = appendQueries('2 traces.', ['GET /a', 'GET /b', 'GET /a']);
    assert.equal(shown, '2 traces.\n\nAsked:\n```\nGET /a\nGET /b\n```');
    assert.equal(removeQueries(shown), '2 traces.');
    assert.equal(normalizeForSpeech(shown), '2 traces.');
    assert.equal(removeSynthesisMarkup(shown), '2 traces.');
    assert.equal(appendQueries('Hello!', []), 'Hello!');
  });
});
