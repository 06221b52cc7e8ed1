import assert from 'node:assert/strict';
import { formatErrorDetail, formatErrors } from '../../../src/cli/commands/errors-command.js';

const GROUP = {
  groupId: 'bcebdb',
  exceptionType: 'CardDeclined',
  messagePattern: 'no funds on card *',
  count: 3,
  firstSeen: '2026-03-14T09:26:00.000Z',
  lastSeen: '2026-03-14T09:28:00.000Z',
  isNew: true,
  status: 'reopened',
  resolvedAt: '2026-03-14T09:27:00.000Z',
  resolvedBy: 'owner',
  resolvedInVersion: '2.4.1',
  reopenedAt: '2026-03-14T09:28:00.000Z',
  firstVersion: '2.4.0',
  versions: [{ version: '2.4.0', count: 3 }],
  services: [{ serviceName: 'checkout', count: 3 }],
  sampleTraceIds: ['5b8efff798038103d269b633813fc60c'],
  sample: { message: 'no funds on card 17', stackTrace: 'Error\n\tat charge (/app/pay.js:1:1)\u001b[2J' },
};

describe('hindsight errors', () => {
  it('list each group in a line', () => {
    assert.equal(formatErrors([]), 'no exceptions');
    const [titles, line, known] = formatErrors([GROUP, { ...GROUP, isNew: false }]).split('\n');
    assert.match(titles, /^ID +TYPE +MESSAGE +COUNT +LAST SEEN +STATUS +NEW IN +SERVICES$/);
    assert.match(
      line,
      /^bcebdb +CardDeclined +no funds on card \* +3 +2026-03-14T09:28:00\.000Z +reopened +2\.4\.0 +checkout$/,
    );
    assert.match(known, /09:28:00\.000Z +reopened +- +checkout$/);
    const { status: _status, ...unknown } = GROUP;
    assert.match(formatErrors([unknown]), /09:28:00\.000Z +\? +2\.4\.0 +checkout$/m);
  });

  it('show facts and a stack trace, without control characters', () => {
    const shown = formatErrorDetail(GROUP);
    assert.ok(!shown.includes('\u001b'));
    const lines = shown.split('\n');
    assert.ok(lines.includes('versions        2.4.0 (3)'));
    assert.ok(lines.includes('sample message  no funds on card 17'));
    assert.ok(lines.includes('resolved        2026-03-14T09:27:00.000Z by owner, fixed in 2.4.1'));
    assert.ok(lines.includes('reopened at     2026-03-14T09:28:00.000Z'));
    assert.deepEqual(lines.slice(lines.indexOf('Stack trace'), -1), ['Stack trace', '  Error']);
    assert.ok(!formatErrorDetail({ ...GROUP, sample: { message: '', stackTrace: '' } }).includes('Stack trace'));
  });
});
