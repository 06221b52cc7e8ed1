import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { renderScalingTables } from '../../../../bench/simulate/scaling-tables.js';

describe('docs/scaling.md', () => {
  it('has the tables that the figures and the simulation give: `npm run docs` writes them', function () {
    this.timeout(120_000);
    const page = readFileSync(new URL('../../../../../docs/scaling.md', import.meta.url), 'utf8');
    for (const [name, table] of Object.entries(renderScalingTables())) {
      const [, found] = new RegExp(`<!-- generated: ${name} -->\\n([^]*?)\\n<!-- end: ${name} -->`).exec(page) ?? [];
      assert.equal(found, table, name);
    }
  });
});
