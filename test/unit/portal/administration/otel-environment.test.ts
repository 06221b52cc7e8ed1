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
  it('tells the four variables', () => {
    assert.deepEqual(renderEnvironment({ endpoint, apiKey: 'hs_a_b', serviceName: 'checkout' }).split('\n'), [
      'export OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318',
      'export OTEL_EXPORTER_OTLP_HEADERS=api-key=hs_a_b',
      'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
      'export OTEL_SERVICE_NAME=checkout',
    ]);
  });

  it('says where a key goes that it does not know', () => {
    assert.match(renderEnvironment({ endpoint, apiKey: undefined, serviceName: 'checkout' }), /'api-key=<your key>'/);
  });

  it('quotes what a shell would take for more than a word', () => {
    assert.match(
      renderEnvironment({ endpoint, apiKey: undefined, serviceName: "it's; rm -rf /" }),
      /OTEL_SERVICE_NAME='it'\\''s; rm -rf \/'$/,
    );
    assert.match(renderEnvironment({ endpoint, apiKey: undefined, serviceName: '' }), /OTEL_SERVICE_NAME=''$/);
  });

  it('tells what docs/getting-started.md tells', () => {
    const guide = readFileSync(new URL('../../../../../docs/getting-started.md', import.meta.url), 'utf8').replaceAll(
      'http://hindsight:4318',
      ENDPOINT_PLACEHOLDER,
    );
    for (const { id, steps } of LANGUAGE_GUIDES)
      for (const { code } of steps) assert.ok(guide.includes(code), `${id}: ${code}`);
  });

  it('puts the endpoint into the one language that takes it from a file', () => {
    const taking = LANGUAGE_GUIDES.filter(({ steps }) => steps.some(({ code }) => code.includes(ENDPOINT_PLACEHOLDER)));
    assert.deepEqual(
      taking.map(({ id }) => id),
      ['collector'],
    );
  });
});

describe('what a key sent', () => {
  const sent = (signal: string, at: string) => ({ signal, at });

  it('is new where the signal, or its time, was not there', () => {
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

  it('is nothing new as long as nothing arrives', () => {
    const same = [sent('traces', '2026-03-14T12:00:00.000Z')];
    assert.deepEqual(findNewSignals(same, same), []);
  });
});
