import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Secret, type LogLevel } from '../../../src/config/settings.js';
import { createLogger, SILENT_LOGGER, type Logger } from '../../../src/self-telemetry/logger.js';

interface Line {
  readonly time: string;
  readonly level: string;
  readonly message: string;
  readonly fields: Record<string, unknown>;
}

/** A logger and what it wrote. */
function recorded(level: LogLevel = 'info'): { log: Logger; text: () => string; lines: () => Line[] } {
  const written: string[] = [];
  const text = (): string => written.join('');
  const lines = (): Line[] =>
    text()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  return { log: createLogger(level, { write: (line) => written.push(line) }), text, lines };
}

function fieldsOf(fields: Record<string, unknown>): Record<string, unknown> {
  const { log, lines } = recorded();
  log.info('looked', fields);
  return lines()[0].fields;
}

describe('the log', () => {
  it('writes one JSON object a line: time, level, message, fields', () => {
    const { log, lines } = recorded();
    log.info('started', { port: 8080 });
    log.error('failed');
    const [started, failed] = lines();
    assert.equal(lines().length, 2);
    assert.deepEqual({ ...started, time: '' }, { time: '', level: 'info', message: 'started', fields: { port: 8080 } });
    assert.match(started.time, /^\d{4}-\d\d-\d\dT.*Z$/);
    assert.equal(failed.level, 'error');
  });

  it('leaves out what is below its level', () => {
    const { log, lines } = recorded('warn');
    log.debug('a');
    log.info('b');
    log.warn('c');
    log.error('d');
    assert.deepEqual(
      lines().map((line) => line.message),
      ['c', 'd'],
    );
    const silent = recorded('silent');
    silent.log.error('e');
    assert.equal(silent.text(), '');
  });

  it('gives a child the fields of its parent', () => {
    const { log, lines } = recorded();
    log.child({ component: 'projector', a: 1 }).child({ a: 2 }).info('ready', { b: 3 });
    assert.deepEqual(lines()[0].fields, { component: 'projector', a: 2, b: 3 });
  });

  it('keeps its own members apart from fields of the same name', () => {
    const { log, lines } = recorded();
    log.warn('mine', { level: 'fatal', message: 'theirs', time: 0 });
    assert.equal(lines()[0].level, 'warn');
    assert.equal(lines()[0].message, 'mine');
  });

  it('reports an error with its code, its cause and the errors that it gathers', () => {
    const error = new AggregateError([new Error('first')], 'all', {
      cause: Object.assign(new Error('below'), { code: 'ENOSPC' }),
    });
    const reported = fieldsOf({ err: error })['err'] as Record<string, Record<string, unknown>>;
    assert.equal(reported['message'], 'all');
    assert.equal(reported['cause']['code'], 'ENOSPC');
    assert.match(JSON.stringify(reported['errors']), /first/);
    assert.match(JSON.stringify(reported['stack']), /logger\.test/);
  });

  it('has a silent twin', () => {
    assert.equal(SILENT_LOGGER.child({ a: 1 }), SILENT_LOGGER);
    SILENT_LOGGER.error('nobody hears this');
  });
});

describe('a log line', () => {
  it('stays one line without terminal codes, whatever a client sent', () => {
    const { log, text } = recorded();
    log.info('a\r\n{"level":"fatal"}', { name: '\u001b[2J\u009b31m\u2028\u202e"}', 'key\n': 1 });
    const line = text();
    assert.equal(line.split('\n').length, 2);
    assert.doesNotMatch(line.slice(0, -1), /[\u0000-\u001f\u007f-\u009f\u2028\u202e]/);
  });

  it('cuts a long text at 2 KiB', () => {
    const name = fieldsOf({ name: 'x'.repeat(1_000_000) })['name'] as string;
    assert.match(name, /^x{2048}…\[cut\]$/);
    assert.equal(fieldsOf({ name: 'x'.repeat(2048) })['name'], 'x'.repeat(2048));
  });

  it('is bounded as a whole, for wide, deep and cyclic records', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = [cyclic, cyclic];
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`field${i}`, 'y'.repeat(100)]));
    for (const fields of [
      wide,
      { list: Array.from({ length: 100_000 }, (_, i) => i) },
      cyclic,
      { many: Array(100).fill('z'.repeat(5000)) },
    ]) {
      const { log, text } = recorded();
      log.info('big', fields);
      assert.ok(text().length < 40_000, String(text().length));
    }
  });

  it('never breaks its caller', () => {
    const hostile = new Proxy({}, { ownKeys: () => assert.fail('trap') });
    const { log, lines } = recorded();
    log.info('odd', {
      hostile,
      big: 10n,
      symbol: Symbol('s'),
      when: new Date(NaN),
      bytes: new Uint8Array(3),
      json: { toJSON: () => assert.fail('trap') },
    });
    assert.equal(lines()[0].fields['big'], '10');
    assert.equal(lines()[0].fields['bytes'], '[3 bytes]');
  });

  it('takes any record', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.dictionary(fc.string(), fc.anything({ withBigInt: true, withDate: true, withTypedArray: true })),
        (message, fields) => {
          const { log, lines } = recorded();
          log.info(message, fields);
          assert.equal(lines().length, 1);
        },
      ),
    );
  });
});

describe('secrets', () => {
  const canary = 'c4n4ry';

  for (const name of [
    'authorization',
    'Authorization',
    'proxy-authorization',
    'cookie',
    'set-cookie',
    'api-key',
    'apiKey',
    'x_api_key',
    'password',
    'client_secret',
    'access_token',
    'refreshToken',
    'prompt',
    'body',
    'requestBody',
    'client_assertion',
    'code_verifier',
  ]) {
    it(`do not appear under the name ${name}, at any depth`, () => {
      assert.doesNotMatch(
        JSON.stringify(fieldsOf({ [name]: canary, request: { headers: [{ [name]: [canary] }] } })),
        /c4n4ry/,
      );
    });
  }

  for (const text of [
    `hs_3f2a_${canary}`,
    `key=hs_3f2a_${canary}.`,
    `Bearer ${canary}.abcdef`,
    `authorization: basic ${canary}abcdef`,
    `eyJhbGciOiJSUzI1NiJ9.${canary}.${canary}`,
    `cannot reach mongodb://admin:${canary}@store:27017/db`,
    `cannot reach https://${canary}@store`,
  ]) {
    it(`are recognised by their shape in fields, messages and errors: ${text}`, () => {
      const { log, text: written } = recorded();
      log.error(text, { detail: `before ${text} after`, err: new Error(text), [text]: 1 });
      assert.doesNotMatch(written(), /c4n4ry/);
    });
  }

  it('are recognised across the cut', () => {
    assert.doesNotMatch(
      JSON.stringify(fieldsOf({ detail: `${'x '.repeat(1015)}https://user:${canary}${canary}@store` })),
      /c4n4ry/,
    );
  });

  it('of the settings print as [secret], and what toJSON gives is examined too', () => {
    const fields = fieldsOf({ setting: new Secret(canary), odd: { toJSON: () => ({ apiKey: canary }) } });
    assert.equal(fields['setting'], '[secret]');
    assert.doesNotMatch(JSON.stringify(fields), /c4n4ry/);
  });

  it('are not seen in harmless names and texts', () => {
    const fields = {
      keyId: 'k1',
      gridId: 'g',
      tokens: 5,
      address: 'http://127.0.0.1:4318/v1/traces',
      note: 'Basic facts',
    };
    assert.deepEqual(fieldsOf(fields), fields);
  });
});
