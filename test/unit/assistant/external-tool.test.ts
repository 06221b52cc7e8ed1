import assert from 'node:assert/strict';
import { createExternalTool } from '../../../src/assistant/external-tool.js';
import type { Tool, ToolContext } from '../../../src/assistant/tool.js';
import { TOOLS } from '../../../src/assistant/tools/tool-registry.js';
import { HindsightError } from '../../../src/errors.js';

describe('createExternalTool', () => {
  const context = {} as ToolContext;
  const source = { type: 'rows', description: '100 rows' };
  let ran: object[];
  let run: Tool['run'];
  const tool = (): ReturnType<typeof createExternalTool> =>
    createExternalTool({
      name: 'GetRows',
      description: 'Rows.',
      parameters: {
        type: 'object',
        properties: { size: { type: 'integer' } },
        required: [],
        additionalProperties: false,
      },
      validate: (given) => ('wrong' in (given as object) ? 'wrong is no argument.' : undefined),
      run: (...asked) => (ran.push(asked[1]), run(...asked)),
    });

  beforeEach(() => {
    ran = [];
    run = async () => ({ data: { rows: Array.from({ length: 100 }, (_, i) => `row ${i}`) }, source });
  });

  it('gives all where it fits', async () => {
    run = async () => ({ data: { rows: ['a "b"'] }, source });
    assert.deepEqual(await tool().call(context, { size: 1 }, 4_096), {
      kind: 'answered',
      text: '{"rows":["a \\"b\\""]}',
      source,
    });
    assert.deepEqual(ran, [{ size: 1 }]);
  });

  it('cuts, says so in a line of its own, and goes on from there with the same question', async () => {
    const outcome = await tool().call(context, { size: 1 }, 2_600);
    assert.match(
      outcome.text,
      /^\{"rows":\["row 0",.*\]\}\ntruncated, next = "\/rows:(\d+)" \(\/rows: 1 to \1 of 100\)$/,
    );
    const next = /next = "(.*?)"/.exec(outcome.text)?.[1];
    const more = await tool().call(context, { size: 1, next }, 4_096);
    assert.deepEqual((JSON.parse(more.text) as { elements: string[] }).elements.at(-1), 'row 99');
    assert.deepEqual(ran, [{ size: 1 }, { size: 1 }]);
  });

  it('refuses what is wrong, and asks nothing then', async () => {
    for (const [given, text] of [
      [7, /must be an object/],
      [null, /must be an object/],
      [[], /must be an object/],
      [{ next: 7 }, /^next must be what an earlier answer gave/],
      [{ wrong: 1 }, /^wrong is no argument\.$/],
    ] as const) {
      const outcome = await tool().call(context, given, 4_096);
      assert.equal(outcome.kind, 'refused');
      assert.match(outcome.text, text);
    }
    assert.deepEqual(ran, []);
  });

  it('reports what is missing from what could not be asked, and throws on what failed', async () => {
    assert.equal((await tool().call(context, { next: '/columns:1' }, 4_096)).kind, 'missing');
    // Errors from another thread keep their code, but not their class.
    run = () => Promise.reject(Object.assign(new Error('No row.'), { code: 'not-found' }));
    assert.deepEqual(await tool().call(context, {}, 4_096), { kind: 'missing', text: 'No row.' });
    run = () => Promise.reject(new HindsightError('invalid-request', 'Too long a range.'));
    assert.deepEqual(await tool().call(context, {}, 4_096), { kind: 'refused', text: 'Too long a range.' });
    run = () => Promise.reject(new HindsightError('unavailable', 'away'));
    await assert.rejects(tool().call(context, {}, 4_096), { code: 'unavailable' });
  });

  it('offers next with every tool, and no tool has an argument of that name, or a Grid', () => {
    for (const each of TOOLS) {
      assert.deepEqual(
        Object.keys(each.parameters['properties'] as object).filter((name) => /next|grid/i.test(name)),
        [],
        each.name,
      );
      assert.ok('next' in (createExternalTool(each).parameters['properties'] as object));
      assert.match(each.name, /^\w{1,64}$/);
    }
  });
});
