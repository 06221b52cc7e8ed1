import assert from 'node:assert/strict';
import { isSlow, SlowUploads, type Upload } from '../../../../src/http/otlp/slow-uploads.js';

const ofAnyone = (): boolean => true;

function uploadOf(name: string, given: Partial<Upload>, ended: string[]): Upload {
  return {
    ownerId: 'owner',
    receivedBytes: 0,
    sendingMs: 60_000,
    heldBytes: 100,
    end: () => void ended.push(name),
    ...given,
  };
}

describe('slow uploads', () => {
  it('are those that have stalled, or send less than about 64 KiB a second', () => {
    assert.equal(isSlow({ receivedBytes: 0, sendingMs: 1_900 }), false);
    assert.equal(isSlow({ receivedBytes: 0, sendingMs: 2_100 }), true);
    assert.equal(isSlow({ receivedBytes: 1_000_000, sendingMs: 10_000 }), false);
    assert.equal(isSlow({ receivedBytes: 1_000_000, sendingMs: 20_000 }), true);
    assert.equal(isSlow({ receivedBytes: 60, sendingMs: 60_000 }), true, 'a byte a second is no progress');
  });

  it('end when others need what they hold, those with most first, and no more than are needed', () => {
    const ended: string[] = [];
    const uploads = new SlowUploads();
    uploads.add(uploadOf('small', { heldBytes: 10 }, ended));
    uploads.add(uploadOf('large', { heldBytes: 500 }, ended));
    uploads.add(uploadOf('fast', { heldBytes: 900, sendingMs: 100 }, ended));
    uploads.add(uploadOf('empty', { heldBytes: 0 }, ended));
    uploads.endFor(400, ofAnyone);
    assert.deepEqual(ended, ['large']);
    uploads.endFor(400, ofAnyone);
    assert.deepEqual(ended, ['large', 'small']);
  });

  it('of other owners go on', () => {
    const ended: string[] = [];
    const uploads = new SlowUploads();
    uploads.add(uploadOf('first', { ownerId: 'a' }, ended));
    uploads.add(uploadOf('second', { ownerId: 'b' }, ended));
    uploads.endFor(1_000, (ownerId) => ownerId === 'b');
    assert.deepEqual(ended, ['second']);
  });

  it('are left alone once they have been removed', () => {
    const ended: string[] = [];
    const uploads = new SlowUploads();
    uploads.add(uploadOf('gone', {}, ended))();
    uploads.endFor(1, ofAnyone);
    assert.deepEqual(ended, []);
  });
});
