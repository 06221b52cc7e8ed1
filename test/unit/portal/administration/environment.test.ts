import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ENDPOINT_PLACE, environmentOf, sentSince } from '../../../../portal/src/pages/administration/environment.js';
import { LANGUAGES } from '../../../../portal/src/pages/administration/languages.js';

const endpoint = 'http://127.0.0.1:4318';

describe('the wizard', () => {
  it('tells the four variables', () => {
    assert.deepEqual(environmentOf({ endpoint, apiKey: 'hs_a_b', serviceName: 'checkout' }).split('\n'), [
      'export OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318',
      'export OTEL_EXPORTER_OTLP_HEADERS=api-key=hs_a_b',
      'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
      'export OTEL_SERVICE_NAME=checkout',
    ]);
  });

  it('says where a key goes that it does not know', () => {
    assert.match(environmentOf({ endpoint, apiKey: undefined, serviceName: 'checkout' }), /'api-key=<your key>'/);
  });

  it('quotes what a shell would take for more than a word', () => {
    assert.match(
      environmentOf({ endpoint, apiKey: undefined, serviceName: "it's; rm -rf /" }),
      /OTEL_SERVICE_NAME='it'\\''s; rm -rf \/'$/,
    );
    assert.match(environmentOf({ endpoint, apiKey: undefined, serviceName: '' }), /OTEL_SERVICE_NAME=''$/);
  });

  it('tells what docs/getting-started.md tells', () => {
    const guide = readFileSync(new URL('../../../../../docs/getting-started.md', import.meta.url), 'utf8').replaceAll(
      'http://hindsight:4318',
      ENDPOINT_PLACE,
    );
    for (const { id, steps } of LANGUAGES)
      for (const { code } of steps) assert.ok(guide.includes(code), `${id}: ${code}`);
  });

  it('puts the endpoint into the one language that takes it from a file', () => {
    const taking = LANGUAGES.filter(({ steps }) => steps.some(({ code }) => code.includes(ENDPOINT_PLACE)));
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
      sentSince(before, now).map(({ signal }) => signal),
      ['metrics', 'traces'],
    );
  });

  it('is nothing new as long as nothing arrives', () => {
    const same = [sent('traces', '2026-03-14T12:00:00.000Z')];
    assert.deepEqual(sentSince(same, same), []);
  });
});
