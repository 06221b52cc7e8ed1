import assert from 'node:assert/strict';
import { parseDemoArguments } from '../../../demo/demo-arguments.js';

describe('arguments of the demo', () => {
  it('start a service, unless they name one', () => {
    assert.equal(parseDemoArguments([]).elsewhere, undefined);
    assert.deepEqual(parseDemoArguments(['--to', 'http://proxy:4318/']).elsewhere, {
      otlpUrl: 'http://proxy:4318',
      apiUrl: 'http://127.0.0.1:8080',
    });
    assert.deepEqual(parseDemoArguments(['--to', 'https://a:4318', '--api', 'https://a']).elsewhere, {
      otlpUrl: 'https://a:4318',
      apiUrl: 'https://a',
    });
  });

  it('report invalid URLs', () => {
    for (const args of [
      ['--to', 'proxy:4318'],
      ['--to', 'http://'],
      ['--to', 'http://a', '--api', 'a'],
    ]) {
      assert.throws(() => parseDemoArguments(args), /^Error: --(to|api) must be an address/);
    }
  });
});
