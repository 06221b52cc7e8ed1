import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../../../', import.meta.url);
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(new URL('docs/', ROOT))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Places that a page names: targets of links, and paths of ours in backticks. */
function placesIn(text: string, page: URL): { readonly named: string; readonly at: URL }[] {
  const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, named]) => ({
    named,
    at: new URL(named, page),
  }));
  const paths = [...text.matchAll(/`((?:src|test|bench|demo|scripts|docs|deploy|bin)\/[\w./-]*\w\/?)`/g)].map(
    ([, named]) => ({ named, at: new URL(named, ROOT) }),
  );
  return [...links, ...paths];
}

describe('places that the documentation names', () => {
  for (const page of PAGES) {
    it(`${page}: are there`, () => {
      const url = new URL(page, ROOT);
      const missing = placesIn(readFileSync(url, 'utf8'), url)
        .filter(({ at }) => !existsSync(at))
        .map(({ named }) => named);
      assert.deepEqual(missing, []);
    });
  }
});
