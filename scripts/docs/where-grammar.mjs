import { readFileSync } from 'node:fs';
import { buildParserFile } from '@lezer/generator';

const GRAMMAR = new URL('../../src/queries/query/language/where.grammar', import.meta.url);

/** The parser of query conditions as a module, generated from its grammar. */
export function whereGrammarModule() {
  const { parser } = buildParserFile(readFileSync(GRAMMAR, 'utf8'), { typeScript: true, moduleStyle: 'es' });
  return `// Generated from where.grammar by \`npm run docs\`.\n${parser.replace(/^\/\/.*\n/, '')}`;
}
