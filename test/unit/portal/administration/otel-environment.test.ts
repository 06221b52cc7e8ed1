import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  ENDPOINT_PLACEHOLDER,
  renderEnvironment,
  findNewSignals,
} from '../../../../portal/src/pages/administration/otel-environment.js';
import { LANGUAGE_GUIDES } from '../../../../portal/src/pages/administration/language-guides.js';

const endpoint = 'http://127.0.0.1:4318';

describe('the wizard', () => {
  it('reports the four variables', () => {
    assert.deepEqual(renderEnvironment({ endpoint, apiKey: 'hs_a_b', serviceName: 'checkout' }).split('\n'), [
      'export OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318',
      'export OTEL_EXPORTER_OTLP_HEADERS=api-key=hs_a_b',
      'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
      'export OTEL_SERVICE_NAME=checkout',
    ]);
  });

  it('uses a placeholder for an unknown key', () => {
    assert.match(renderEnvironment({ endpoint, apiKey: undefined, serviceName: 'checkout' }), /'api-key=<your key>'/);
  });

  it('quotes values for the shell', () => {
    assert.match(
      renderEnvironment({ endpoint, apiKey: undefined, serviceName: "it's; rm -rf /" }),
      /OTEL_SERVICE_NAME='it'\\''s; rm -rf \/'$/,
    );
    assert.match(renderEnvironment({ endpoint, apiKey: undefined, serviceName: '' }), /OTEL_SERVICE_NAME=''$/);
  });

  it('matches docs/getting-started.md', () => {
    const guide = readFileSync(new URL('../../../../../docs/getting-started.md', import.meta.url), 'utf8').replaceAll(
      'http://hindsight:4318',
      ENDPOINT_PLACEHOLDER,
    );
    for (const { id, steps } of LANGUAGE_GUIDES)
      for (const { code } of steps) assert.ok(guide.includes(code), `${id}: ${code}`);
  });

  it('inserts the endpoint into the Collector configuration', () => {
    const taking = LANGUAGE_GUIDES.filter(({ steps }) => steps.some(({ code }) => code.includes(ENDPOINT_PLACEHOLDER)));
    assert.deepEqual(
      taking.map(({ id }) => id),
      ['collector'],
    );
  });
});

describe('activity of an API key', () => {
  const sent = (signal: string, at: string) => ({ signal, at });

  it('is new if the signal or its time is new', () => {
    const before = [sent('logs', '2026-03-14T12:00:00.000Z'), sent('metrics', '2026-03-14T12:00:00.000Z')];
    const now = [
      sent('logs', '2026-03-14T12:00:00.000Z'),
      sent('metrics', '2026-03-14T12:00:01.000Z'),
      sent('traces', '2026-03-14T11:00:00.000Z'),
    ];
    assert.deepEqual(
      findNewSignals(before, now).map(({ signal }) => signal),
      ['metrics', 'traces'],
    );
  });

  it('is not new if nothing has arrived', () => {
    const same = [sent('traces', '2026-03-14T12:00:00.000Z')];
    assert.deepEqual(findNewSignals(same, same), []);
  });
});
