import assert from 'node:assert/strict';
import { formatDetails, describeAuditEntry } from '../../../../portal/src/pages/administration/audit-descriptions.js';

const entry = { actor: 'ann', target: 'id-1', details: {} };

describe('an entry of the audit', () => {
  it('is a sentence that names the thing as people know it', () => {
    assert.equal(
      describeAuditEntry({ ...entry, action: 'api-key.issued', details: { name: 'shop' } }),
      'ann issued the API key shop',
    );
    assert.equal(
      describeAuditEntry({ ...entry, action: 'chart.changed', details: { title: { from: 'Old', to: 'New' } } }),
      'ann changed the chart New',
    );
  });

  it('names it by its id where it has no name', () => {
    assert.equal(describeAuditEntry({ ...entry, action: 'member.set', target: 'bob' }), 'ann set the role of bob');
  });

  it('needs no name for the Grid itself', () => {
    assert.equal(
      describeAuditEntry({ ...entry, action: 'grid.settings-changed', details: { name: { from: 'a', to: 'b' } } }),
      'ann changed the settings of the Grid',
    );
  });

  it('keeps an action that it does not know, also one named as something of every object', () => {
    assert.equal(describeAuditEntry({ ...entry, action: 'grid.moved' }), 'ann grid.moved id-1');
    assert.equal(describeAuditEntry({ ...entry, action: 'constructor' }), 'ann constructor id-1');
  });
});

describe('the details of an entry', () => {
  it('tell what changed, and from what', () => {
    assert.deepEqual(formatDetails({ apdexThresholdMs: { from: 500, to: 300 } }), ['apdex threshold ms: 500 → 300']);
  });

  it('tell what was not there before, or is not any more', () => {
    assert.deepEqual(formatDetails({ serviceName: { to: 'cart' }, retentionDays: { from: 7 } }), [
      'service name: set to cart',
      'retention days: no longer 7',
    ]);
  });

  it('tell values that came or went as they are', () => {
    assert.deepEqual(formatDetails({ role: 'Owner', enabled: true, retentionDays: null, charts: [1] }), [
      'role: Owner',
      'enabled: yes',
      'retention days: none',
      'charts: [1]',
    ]);
  });

  it('tell a value that is an object of other names as such', () => {
    assert.deepEqual(formatDetails({ place: { from: 1, x: 2 } }), ['place: {"from":1,"x":2}']);
  });
});
