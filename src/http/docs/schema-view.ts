import type { JsonSchema } from '../requests/field-metadata.js';
import { html, type Html, renderInlineMarkdown } from './html-template.js';

/** A table of the fields of an object, or one line for any other schema. */
export function renderSchema(schema: JsonSchema): Html {
  const { properties } = schema;
  if (!isSchema(properties)) return html`<p>${renderType(schema)}${renderBounds(schema)}</p>`;
  const required = toNameSet(schema['required']);
  const rows = Object.entries(properties).map(([name, part]) =>
    renderMemberRow(name, part as JsonSchema, required.has(name)),
  );
  return html`<div class="scroll"><table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function renderMemberRow(name: string, schema: JsonSchema, isRequired: boolean): Html {
  return html`<tr><td><code>${name}</code>${isRequired ? '' : html` <span class="quiet">optional</span>`}</td><td>${renderType(schema)}</td><td>${renderMeaning(schema)}${renderParts(schema)}</td></tr>`;
}

/** Description and bounds of a schema. */
export function renderMeaning(schema: JsonSchema): Html {
  const { description } = schema;
  return html`<p>${typeof description === 'string' ? renderInlineMarkdown(description) : ''}</p>${renderBounds(schema)}`;
}

/** Fields of an unnamed nested object, collapsed. */
function renderParts(schema: JsonSchema): Html {
  const inner = isSchema(schema['items']) ? schema['items'] : schema;
  return 'properties' in inner
    ? html`<details class="inner"><summary>Fields</summary>${renderSchema(inner)}</details>`
    : html``;
}

/** Such as `string (uuid)`, `array of <a>SpanEvent</a>`, `integer or null`. */
export function renderType(schema: JsonSchema): Html {
  const { $ref, type, format, items, anyOf } = schema;
  if (typeof $ref === 'string') return renderReference($ref);
  if (Array.isArray(anyOf)) return joinWithOr(anyOf.map((each) => renderType(each as JsonSchema)));
  if (type === 'array' && isSchema(items)) return html`list of ${renderType(items)}`;
  if ('const' in schema) return html`<code>${JSON.stringify(schema['const'])}</code>`;
  const plain = joinWithOr((Array.isArray(type) ? type : [type ?? 'any']).map((each) => html`${String(each)}`));
  return typeof format === 'string' ? html`${plain} <span class="quiet">(${format})</span>` : plain;
}

function renderReference(ref: string): Html {
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  return html`<a href="#schema-${name}">${name}</a>`;
}

const BOUNDS: readonly (readonly [keyword: string, words: string])[] = [
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['minLength', 'characters, at least'],
  ['maxLength', 'characters, at most'],
  ['minItems', 'items, at least'],
  ['maxItems', 'items, at most'],
  ['minProperties', 'members, at least'],
  ['maxProperties', 'members, at most'],
  ['default', 'default'],
];

function renderBounds(schema: JsonSchema): Html {
  const { enum: words } = schema;
  const choices = Array.isArray(words)
    ? [html`one of ${words.map((word, at) => html`${at === 0 ? '' : ', '}<code>${JSON.stringify(word)}</code>`)}`]
    : [];
  const bounds = BOUNDS.filter(([keyword]) => schema[keyword] !== undefined).map(
    ([keyword, name]) => html`${name} <code>${JSON.stringify(schema[keyword])}</code>`,
  );
  const all = [...choices, ...bounds];
  return all.length === 0
    ? html``
    : html`<p class="quiet">${all.map((bound, at) => html`${at === 0 ? '' : '; '}${bound}`)}</p>`;
}

function joinWithOr(parts: readonly Html[]): Html {
  return html`${parts.map((part, at) => html`${at === 0 ? '' : ' or '}${part}`)}`;
}

function toNameSet(names: unknown): ReadonlySet<unknown> {
  return new Set(Array.isArray(names) ? (names as readonly unknown[]) : []);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
