import assert from 'node:assert/strict';
import { requireEmbeddedDataDir } from '../../../src/cli/local-operations.js';
import { readSettings } from '../../../src/config/settings.js';

const settings = (more: Record<string, string>) => readSettings({ DATA_DIR: '/data', ...more });
const EVENT_STORE_URL = 'esdb://user:s3cret@host:2113';
const READ_STORE_URL = 'mongodb://user:s3cret@host/db';

describe('data folder of a backup', () => {
  it('contains both embedded stores', () => {
    assert.equal(requireEmbeddedDataDir(settings({})), '/data');
  });

  it('is refused with a remedy when the log is external', () => {
    for (const logOnly of [false, true]) {
      assert.throws(() => requireEmbeddedDataDir(settings({ EVENT_STORE_URL }), logOnly), {
        code: 'unavailable',
        message: /in EventStoreDB.*\n.*docs\/deploying\.md/,
      });
    }
  });

  it('is accepted with external read models only for the log', () => {
    assert.throws(() => requireEmbeddedDataDir(settings({ READ_STORE_URL })), {
      code: 'unavailable',
      message: /--log-only/,
    });
    assert.equal(requireEmbeddedDataDir(settings({ READ_STORE_URL }), true), '/data');
  });
});
