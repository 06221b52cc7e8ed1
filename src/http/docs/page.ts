import type { JsonSchema } from '../requests/field-schemas.js';
import type { OpenApiDocument } from '../openapi/document.js';
import { html, Html, phrases, prose } from './html.js';
import { operationView, type PlacedOperation } from './operation-view.js';
import { meaningOf, schemaView } from './schema-view.js';
import { STYLE } from './style.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The document as a page that needs nothing but itself: no script, no font, no picture. */
export function docsPage(document: OpenApiDocument): string {
  const operations = placed(document);
  const body = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${document.info.title} API ${document.info.version}</title><style>${new Html(STYLE)}</style></head>
<body><div class="layout">${navigation(document, operations)}<main>${introduction(document)}${sections(document, operations)}${security(document)}${schemas(document)}</main></div></body>
</html>
`;
  return body.text;
}

/** In the order of the tags, then of the table. */
function placed({ paths, servers: [{ url }], components }: OpenApiDocument): readonly PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) => {
    const [own] = item.servers ?? [];
    const server = own !== undefined && 'url' in own ? String(own.url) : url;
    return METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ method, path, server, operation, components }];
    });
  });
}

const anchorOf = (tag: string): string => `tag-${tag.toLowerCase().replaceAll(' ', '-')}`;

function navigation({ tags, info }: OpenApiDocument, operations: readonly PlacedOperation[]): Html {
  return html`<nav aria-label="Contents"><p><a href="#top"><strong>${info.title} API</strong></a></p>${tags.map(({ name }) => html`<details open><summary><a href="#${anchorOf(name)}">${name}</a></summary><ul>${
    ofTag(operations, name).map(({ operation: { operationId, summary } }) => html`<li><a href="#${operationId}">${summary}</a></li>`)
  }</ul></details>`)}<p><a href="#security">Credentials</a></p><p><a href="#schemas">Schemas</a></p></nav>`;
}

function introduction({ info, servers }: OpenApiDocument): Html {
  return html`<header id="top"><h1>${info.title} API <span class="quiet">${info.version}</span></h1><p class="quiet">${info.summary}. ${servers.map(({ url }) => html`<code>${url}</code> `)} <a href="openapi.json">openapi.json</a></p>${prose(info.description)}</header>`;
}

function sections({ tags }: OpenApiDocument, operations: readonly PlacedOperation[]): Html {
  return html`${tags.map(({ name, description }) => html`<section><h2 id="${anchorOf(name)}">${name}</h2>${prose(description)}${ofTag(operations, name).map(operationView)}</section>`)}`;
}

function ofTag(operations: readonly PlacedOperation[], tag: string): readonly PlacedOperation[] {
  return operations.filter(({ operation }) => operation.tags.includes(tag));
}

function security({ components }: OpenApiDocument): Html {
  const schemes = Object.entries(components['securitySchemes'] ?? {});
  return html`<section><h2 id="security">Credentials</h2>${schemes.map(([name, scheme]) => html`<h4>${name}</h4>${meaningOf(scheme as JsonSchema)}${addresses(scheme)}`)}</section>`;
}

function addresses(scheme: object): Html {
  const flows = 'flows' in scheme ? Object.entries(scheme.flows as Record<string, Record<string, unknown>>) : [];
  return html`${flows.map(([flow, urls]) => html`<p>${flow}: ${Object.entries(urls).filter(([name]) => name.endsWith('Url')).map(([name, url]) => html`${name} <code>${String(url)}</code> `)}${
    Object.keys(urls['scopes'] as object).map((scope) => html`scope <code>${scope}</code>`)
  }</p>`)}`;
}

function schemas({ components }: OpenApiDocument): Html {
  const named = Object.entries(components['schemas'] ?? {}) as [string, JsonSchema][];
  return html`<section><h2 id="schemas">Schemas</h2>${named.map(([name, schema]) => html`<details class="schema"><summary><h3>${name}</h3> <span class="quiet">${
    typeof schema['description'] === 'string' ? phrases(schema['description']) : ''
  }</span></summary><div class="inside" id="schema-${name}">${schemaView(schema)}</div></details>`)}</section>`;
}
