import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { MapEdge } from '../../../../portal/src/pages/map/service-graph.js';
import { placeEdgeLabels } from '../../../../portal/src/pages/map/edge-label-placement.js';
import type { Point, Positions } from '../../../../portal/src/pages/map/node-placement.js';

const NODE = { width: 208, height: 88 };
/** Distances between nodes in the layout. */
const ROOM = { width: 340, height: 116 };
const LABEL_WIDTH = 116;
const heightOf = ({ errorRate }: MapEdge): number => (errorRate >= 1 ? 34 : 18);

const call = (source: string, target: string, errorRate = 0): MapEdge => ({
  id: JSON.stringify([source, target]),
  source,
  target,
  rate: 1,
  errorRate,
  avgLatencyMs: 10,
});
const at = (column: number, row: number): Point => ({ x: column * ROOM.width, y: row * ROOM.height });
const isApart = (a: Point, b: Point, width: number, height: number): boolean =>
  Math.abs(a.x - b.x) >= width - 1e-6 || Math.abs(a.y - b.y) >= height - 1e-6;

/** Up to 24 nodes in columns of six, with calls between them. */
const graphs = fc.integer({ min: 2, max: 24 }).chain((count) =>
  fc.record({
    nodes: fc.constant(
      new Map(
        Array.from({ length: count }, (_, index) => [String(index), at(Math.floor(index / 6), index % 6)] as const),
      ),
    ),
    calls: fc
      .uniqueArray(
        fc
          .tuple(fc.nat(count - 1), fc.nat(count - 1), fc.constantFrom(0, 0, 2, 50))
          .filter(([source, target]) => source !== target),
        { maxLength: 30, selector: ([source, target]) => `${source} ${target}` },
      )
      .map((pairs) => pairs.map(([source, target, errorRate]) => call(String(source), String(target), errorRate))),
  }),
);

describe('edge label placement', () => {
  it('avoids overlaps with labels and nodes, and stays between the ends of the edge', () => {
    fc.assert(
      fc.property(graphs, ({ nodes, calls }) => {
        const places = placeEdgeLabels(calls, nodes, NODE);
        const labels = calls.flatMap((one) => (places.has(one.id) ? [{ one, place: places.get(one.id)! }] : []));
        assert.equal(labels.length, places.size);
        for (const [index, a] of labels.entries())
          for (const b of labels.slice(index + 1))
            assert.ok(isApart(a.place, b.place, LABEL_WIDTH, (heightOf(a.one) + heightOf(b.one)) / 2));
        for (const { one, place } of labels) {
          for (const { x, y } of nodes.values())
            assert.ok(
              isApart(
                place,
                { x: x + NODE.width / 2, y: y + NODE.height / 2 },
                (LABEL_WIDTH + NODE.width) / 2,
                (heightOf(one) + NODE.height) / 2,
              ),
            );
          const [from, to] = [nodes.get(one.source)!.y, nodes.get(one.target)!.y];
          assert.ok(place.y >= Math.min(from, to) && place.y <= Math.max(from, to) + NODE.height);
        }
      }),
    );
  });

  it('does not change with rates', () => {
    fc.assert(
      fc.property(graphs, ({ nodes, calls }) => {
        const busier = calls.map((one, index) => ({ ...one, rate: (index * 7) % 5, avgLatencyMs: index }));
        assert.deepEqual(placeEdgeLabels(busier, nodes, NODE), placeEdgeLabels(calls, nodes, NODE));
      }),
    );
  });

  it('labels both of two crossing edges, away from the other edge', () => {
    const nodes: Positions = new Map([
      ['a', at(0, 0)],
      ['b', at(0, 3)],
      ['c', at(2, 0)],
      ['d', at(2, 3)],
    ]);
    const crossing = [call('a', 'd'), call('b', 'c')];
    const [first, second] = crossing.map(({ id }) => placeEdgeLabels(crossing, nodes, NODE).get(id)!);
    assert.ok(isApart(first, second, LABEL_WIDTH, 18));
    const middle = 1.5 * ROOM.height + NODE.height / 2;
    assert.ok(Math.abs(first.y - middle) > 9 && Math.abs(second.y - middle) > 9);
  });

  it('prefers failing calls if space is limited', () => {
    const nodes: Positions = new Map([
      ['a', at(0, 0)],
      ['b', { x: NODE.width + 120, y: 0 }],
      ['c', { x: 0, y: NODE.height + 1 }],
      ['d', { x: NODE.width + 120, y: 10 }],
    ]);
    const places = placeEdgeLabels([call('a', 'b'), call('a', 'd', 50)], nodes, NODE);
    assert.deepEqual([...places.keys()], [call('a', 'd').id]);
  });

  it('keeps given positions', () => {
    fc.assert(
      fc.property(graphs, ({ nodes, calls }) => {
        const kept = new Map([...placeEdgeLabels(calls, nodes, NODE)].slice(0, 3));
        const places = placeEdgeLabels(calls, nodes, NODE, kept);
        for (const [id, place] of kept) assert.deepEqual(places.get(id), place);
      }),
    );
  });
});
