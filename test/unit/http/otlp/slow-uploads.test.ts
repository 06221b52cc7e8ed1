import assert from 'node:assert/strict';
import { SlowUploads, type Upload, UploadPace } from '../../../../src/http/otlp/slow-uploads.js';

const ofAnyone = (): boolean => true;

function uploadOf(name: string, given: Partial<Upload>, ended: string[]): Upload {
  return {
    ownerId: 'owner',
    isSlow: true,
    heldBytes: 100,
    end: () => void ended.push(name),
    ...given,
  };
}

describe('slow uploads', () => {
  it('end when others need what they hold, those with most first, and no more than are needed', () => {
    const ended: string[] = [];
    const uploads = new SlowUploads();
    uploads.add(uploadOf('small', { heldBytes: 10 }, ended));
    uploads.add(uploadOf('large', { heldBytes: 500 }, ended));
    uploads.add(uploadOf('fast', { heldBytes: 900, isSlow: false }, ended));
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

describe('the speed of an upload', () => {
  it('is slow once nothing has arrived for 2 s', () => {
    const pace = new UploadPace(0);
    assert.deepEqual([pace.isSlow(2_000), pace.isSlow(2_001)], [false, true]);
    pace.recordBytes(64_000, 1_000);
    assert.deepEqual([pace.isSlow(3_000), pace.isSlow(3_001)], [false, true]);
  });

  it('is slow 2 s after a stall, however much arrived before', () => {
    const pace = new UploadPace(0);
    pace.recordBytes(50 * 2 ** 20, 1_000);
    assert.deepEqual([pace.isSlow(3_000), pace.isSlow(3_001)], [false, true]);
  });

  it('is slow below about 64 KiB a second, and not above', () => {
    const [dripping, slow, steady] = [1, 60_000, 70_000].map((bytesPerSecond) => {
      const pace = new UploadPace(0);
      for (let second = 1; second <= 60; second++) pace.recordBytes(bytesPerSecond, second * 1_000);
      return pace.isSlow(60_000);
    });
    assert.deepEqual([dripping, slow, steady], [true, true, false]);
  });

  it('does not count time in which the sender could not send', () => {
    const pace = new UploadPace(0);
    pace.excuse(1_000);
    assert.deepEqual([pace.isSlow(3_000), pace.isSlow(3_001)], [false, true]);
  });
});
