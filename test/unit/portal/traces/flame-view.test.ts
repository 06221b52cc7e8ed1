import assert from 'node:assert/strict';
import type { FlameFrame } from '../../../../portal/src/pages/traces/flame-frames.js';
import {
  findFrameByKey,
  findMatchingFrames,
  findTabStop,
  groupByLevel,
  listVisibleFrames,
} from '../../../../portal/src/pages/traces/flame-view.js';

const frameOf = (id: string, parentId: string | undefined, depth: number, from: number, width: number): FlameFrame => ({
  ...{ id, parentId, depth, from, width, serviceName: 'shop', operationName: id, spanIds: [`span of ${id}`] },
  ...{ failed: 0, selfNs: 0, totalNs: width * 1e9 },
});

/** Of the callees of the root, "narrow" is too narrow to be drawn, and "below" is all of it. */
const FRAMES = [
  frameOf('root', undefined, 0, 0, 1),
  frameOf('wide', 'root', 1, 0, 0.7),
  frameOf('next', 'root', 1, 0.7, 0.2995),
  frameOf('narrow', 'root', 1, 0.9995, 0.0005),
  frameOf('far', 'next', 2, 0.7, 0.2995),
  frameOf('below', 'narrow', 2, 0.9995, 0.0005),
];
const find = (id: string) => FRAMES.find((frame) => frame.id === id);
const view = (zoomed?: string) => listVisibleFrames(FRAMES, zoomed === undefined ? undefined : find(zoomed));
const idsOf = (zoomed?: string) => view(zoomed).map(({ frame }) => frame.id);

describe('the view of a flame graph', () => {
  it('has the frames that are wide enough; zoomed, those below a frame and its callers in full width', () => {
    assert.deepEqual(idsOf(), ['root', 'wide', 'next', 'far']);
    assert.deepEqual(idsOf('narrow'), ['root', 'narrow', 'below']);
    assert.deepEqual(
      view('narrow').map(({ left, width }) => [left, width]),
      [
        [0, 1],
        [0, 1],
        [0, 1],
      ],
    );
  });

  it('has no frames below a neighbour, however widths are rounded', () => {
    // 0.1 + 0.2 is a little more than 0.3: the neighbour seems to begin within the zoomed frame.
    const frames = [
      frameOf('root', undefined, 0, 0, 1),
      frameOf('zoomed', 'root', 1, 0.1, 0.2 + 1e-12),
      frameOf('neighbour', 'root', 1, 0.3, 0.6),
      frameOf('stranger', 'neighbour', 2, 0.3, 0.6),
    ];
    assert.deepEqual(
      listVisibleFrames(frames, frames[1]).map(({ frame }) => frame.id),
      ['root', 'zoomed'],
    );
  });

  it('always has a frame that takes the focus', () => {
    const stop = (id: string, zoomed?: string) => findTabStop(FRAMES, view(zoomed), id)?.id;
    assert.equal(stop('below', 'narrow'), 'below');
    assert.equal(stop('below'), 'root');
    assert.equal(stop('far', 'narrow'), 'root');
    assert.equal(stop('gone'), 'root');
    assert.equal(findTabStop([], [], 'gone'), undefined);
  });

  it('is walked with arrow keys', () => {
    const moves: readonly (readonly [string, string, string | undefined])[] = [
      ['', 'ArrowDown', 'root'],
      ['root', 'ArrowDown', 'wide'],
      ['wide', 'ArrowRight', 'next'],
      ['next', 'ArrowRight', undefined],
      ['next', 'ArrowLeft', 'wide'],
      ['far', 'ArrowUp', 'next'],
      ['root', 'x', undefined],
    ];
    for (const [from, key, to] of moves) assert.equal(findFrameByKey(view(), from, key)?.id, to, `${from} ${key}`);
  });

  it('has levels, and knows which frames have matching spans', () => {
    assert.deepEqual(
      groupByLevel(view()).map((level) => level.map(({ frame }) => frame.id)),
      [['root'], ['wide', 'next'], ['far']],
    );
    assert.deepEqual([...findMatchingFrames(FRAMES, new Set(['span of far', 'other']))], ['far']);
    assert.equal(findMatchingFrames(FRAMES, new Set()).size, 0);
  });
});
