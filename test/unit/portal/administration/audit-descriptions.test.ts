import assert from 'node:assert/strict';
import { formatDetails, describeAuditEntry } from '../../../../portal/src/pages/administration/audit-descriptions.js';

const entry = { actor: 'ann', target: 'id-1', details: {} };

describe('audit log entry', () => {
  it('is a sentence with the name of the target', () => {
    assert.equal(
      describeAuditEntry({ ...entry, action: 'api-key.issued', details: { name: 'shop' } }),
      'ann issued the API key shop',
    );
    assert.equal(
      describeAuditEntry({ ...entry, action: 'chart.changed', details: { title: { from: 'Old', to: 'New' } } }),
      'ann changed the chart New',
    );
  });

  it('uses the ID of a target without a name', () => {
    assert.equal(describeAuditEntry({ ...entry, action: 'member.set', target: 'bob' }), 'ann set the role of bob');
  });

  it('needs no name for the Grid itself', () => {
    assert.equal(
      describeAuditEntry({ ...entry, action: 'grid.settings-changed', details: { name: { from: 'a', to: 'b' } } }),
      'ann changed the settings of the Grid',
    );
  });

  it('keeps unknown actions, also if named like an object property', () => {
    assert.equal(describeAuditEntry({ ...entry, action: 'grid.moved' }), 'ann grid.moved id-1');
    assert.equal(describeAuditEntry({ ...entry, action: 'constructor' }), 'ann constructor id-1');
  });
});

describe('details of an audit log entry', () => {
  it('show old and new values', () => {
    assert.deepEqual(formatDetails({ apdexThresholdMs: { from: 500, to: 300 } }), ['apdex threshold ms: 500 → 300']);
  });

  it('show added and removed values', () => {
    assert.deepEqual(formatDetails({ serviceName: { to: 'cart' }, retentionDays: { from: 7 } }), [
      'service name: set to cart',
      'retention days: removed 7',
    ]);
  });

  it('show values of created and deleted targets', () => {
    assert.deepEqual(formatDetails({ role: 'Owner', enabled: true, retentionDays: null, charts: [1] }), [
      'role: Owner',
      'enabled: yes',
      'retention days: none',
      'charts: [1]',
    ]);
  });

  it('show other objects as JSON', () => {
    assert.deepEqual(formatDetails({ place: { from: 1, x: 2 } }), ['place: {"from":1,"x":2}']);
  });
});
