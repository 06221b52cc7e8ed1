import assert from 'node:assert/strict';
import {
  diffSettings,
  rebaseDraft,
  toSettingTexts,
} from '../../../../portal/src/pages/administration/grid-settings.js';

const grid = {
  name: 'shop',
  apdexThresholdMs: 500,
  apdexHealthThreshold: 0.7,
  errorRateThreshold: 5,
  retentionDays: 7,
};

describe('settings form', () => {
  it('sends nothing without changes', () => {
    assert.deepEqual(diffSettings(grid, toSettingTexts(grid)), {});
  });

  it('sends changed values only', () => {
    assert.deepEqual(
      diffSettings(grid, { ...toSettingTexts(grid), name: ' store ', apdexHealthThreshold: '0.9', retentionDays: '7' }),
      { name: 'store', apdexHealthThreshold: 0.9 },
    );
  });

  it('rebases onto own changes elsewhere on the page, but not past those of others', () => {
    const [begun, made] = [{ etag: 'first' }, { etag: 'second' }];
    const draft = { basedOn: begun, edited: { name: 'store' } };
    assert.deepEqual(rebaseDraft(draft, 'first', made), { basedOn: made, edited: { name: 'store' } });
    assert.equal(rebaseDraft(draft, 'theirs', made), draft);
    assert.equal(rebaseDraft(undefined, 'first', made), undefined);
  });
});
