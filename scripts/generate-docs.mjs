/**
 * Writes the docs that are made from source: whole files, and parts between their markers. With `--check` nothing is written:
 * it fails when one is stale. Needs a build.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { renderScalingTables } from '../dist/bench/simulate/scaling-tables.js';
import { createProgram } from '../dist/src/cli/program.js';
import { renderCommandReference } from '../dist/src/cli/command-reference.js';
import { SETTINGS } from '../dist/src/config/settings.js';
import { apiTypes } from './docs/api-types.mjs';
import { whereGrammarModule } from './docs/where-grammar.mjs';
import { settingsReference } from './docs/settings-reference.mjs';

const types = await apiTypes();

/** Each file, and its text as it should be, made of the text that is found. */
const DOCUMENTS = [
  { file: 'docs/settings.md', make: () => settingsReference(SETTINGS) },
  { file: 'docs/scaling.md', make: (found) => replaceSections(found, renderScalingTables()) },
  { file: 'docs/cli.md', make: () => renderCommandReference(createProgram()) },
  { file: 'portal/src/api/schema.d.ts', make: () => types },
  { file: 'src/queries/query/language/where-grammar.generated.ts', make: () => whereGrammarModule() },
];

/** The text with what stands between the markers of these sections replaced. */
function replaceSections(text, sections) {
  return Object.entries(sections).reduce((made, [section, content]) => replaceSection(made, section, content), text);
}

function replaceSection(text, section, content) {
  const [begin, end] = [`<!-- generated: ${section} -->`, `<!-- end: ${section} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the markers ${begin} and ${end} are missing`);
  return `${text.slice(0, from + begin.length)}\n${content}\n${text.slice(to)}`;
}

function bring({ file, make }) {
  const path = new URL(`../${file}`, import.meta.url);
  const found = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const fresh = make(found);
  if (found === fresh) {
    console.log(`${file} is fresh`);
  } else if (process.argv.includes('--check')) {
    console.error(`${file} is stale: run \`npm run docs\``);
    process.exitCode = 1;
  } else {
    writeFileSync(path, fresh);
    console.log(`${file} written`);
  }
}

for (const document of DOCUMENTS) bring(document);
