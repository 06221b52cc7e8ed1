import assert from 'node:assert/strict';
import { requireEmbeddedDataDir } from '../../../src/cli/local-operations.js';
import { readSettings } from '../../../src/config/settings.js';

const settings = (more: Record<string, string>) => readSettings({ DATA_DIR: '/data', ...more });
const EVENT_STORE_URL = 'esdb://user:s3cret@host:2113';
const READ_STORE_URL = 'mongodb://user:s3cret@host/db';

describe('the data folder that is backed up', () => {
  it('is the one that holds both stores', () => {
    assert.equal(requireEmbeddedDataDir(settings({})), '/data');
  });

  it('is none where the log is elsewhere, with what to do', () => {
    for (const logOnly of [false, true]) {
      assert.throws(() => requireEmbeddedDataDir(settings({ EVENT_STORE_URL }), logOnly), {
        code: 'unavailable',
        message: /in EventStoreDB.*\n.*docs\/deploying\.md/,
      });
    }
  });

  it('is one where only the read models are elsewhere, for the log alone', () => {
    assert.throws(() => requireEmbeddedDataDir(settings({ READ_STORE_URL })), {
      code: 'unavailable',
      message: /--log-only/,
    });
    assert.equal(requireEmbeddedDataDir(settings({ READ_STORE_URL }), true), '/data');
  });
});
