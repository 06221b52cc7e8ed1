import type { JsonSchema } from '../requests/field-metadata.js';
import type { OpenApiDocument } from '../openapi/openapi-document.js';
import { html, Html, renderInlineMarkdown, renderMarkdown } from './html-template.js';
import { type DocumentedOperation, renderOperation } from './operation-view.js';
import { renderMeaning, renderSchema } from './schema-view.js';
import { createHash } from 'node:crypto';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The OpenAPI document as a self-contained HTML page without scripts, fonts or images. */
export function renderDocumentationPage(document: OpenApiDocument): string {
  const operations = listDocumentedOperations(document);
  const body = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${document.info.title} API ${document.info.version}</title><style>${new Html(DOCUMENTATION_STYLE)}</style></head>
<body><div class="layout">${renderNavigation(document, operations)}<main>${renderIntroduction(document)}${renderSections(document, operations)}${renderSecurity(document)}${renderSchemas(document)}</main></div></body>
</html>
`;
  return body.text;
}

/** All operations in document order. */
function listDocumentedOperations({
  paths,
  servers: [{ url }],
  components,
}: OpenApiDocument): readonly DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) => {
    const [override] = item.servers ?? [];
    const server = override !== undefined && 'url' in override ? String(override.url) : url;
    return METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ method, path, server, operation, components }];
    });
  });
}

const toAnchor = (tag: string): string => `tag-${tag.toLowerCase().replaceAll(' ', '-')}`;

function renderNavigation({ tags, info }: OpenApiDocument, operations: readonly DocumentedOperation[]): Html {
  return html`<nav aria-label="Contents"><p><a href="#top"><strong>${info.title} API</strong></a></p>${tags.map(
    ({ name }) =>
      html`<details open><summary><a href="#${toAnchor(name)}">${name}</a></summary><ul>${filterByTag(
        operations,
        name,
      ).map(
        ({ operation: { operationId, summary } }) => html`<li><a href="#${operationId}">${summary}</a></li>`,
      )}</ul></details>`,
  )}<p><a href="#security">Credentials</a></p><p><a href="#schemas">Schemas</a></p></nav>`;
}

function renderIntroduction({ info, servers }: OpenApiDocument): Html {
  return html`<header id="top"><h1>${info.title} API <span class="quiet">${info.version}</span></h1><p class="quiet">${info.summary}. ${servers.map(({ url }) => html`<code>${url}</code> `)} <a href="openapi.json">openapi.json</a></p>${renderMarkdown(info.description)}</header>`;
}

function renderSections({ tags }: OpenApiDocument, operations: readonly DocumentedOperation[]): Html {
  return html`${tags.map(
    ({ name, description }) =>
      html`<section><h2 id="${toAnchor(name)}">${name}</h2>${renderMarkdown(description)}${filterByTag(operations, name).map(renderOperation)}</section>`,
  )}`;
}

function filterByTag(operations: readonly DocumentedOperation[], tag: string): readonly DocumentedOperation[] {
  return operations.filter(({ operation }) => operation.tags.includes(tag));
}

function renderSecurity({ components }: OpenApiDocument): Html {
  const schemes = Object.entries(components['securitySchemes'] ?? {});
  return html`<section><h2 id="security">Credentials</h2>${schemes.map(
    ([name, scheme]) => html`<h4>${name}</h4>${renderMeaning(scheme as JsonSchema)}${renderOAuthFlows(scheme)}`,
  )}</section>`;
}

function renderOAuthFlows(scheme: object): Html {
  const flows = 'flows' in scheme ? Object.entries(scheme.flows as Record<string, Record<string, unknown>>) : [];
  return html`${flows.map(
    ([flow, urls]) =>
      html`<p>${flow}: ${Object.entries(urls)
        .filter(([name]) => name.endsWith('Url'))
        .map(([name, url]) => html`${name} <code>${String(url)}</code> `)}${Object.keys(urls['scopes'] as object).map(
        (scope) => html`scope <code>${scope}</code>`,
      )}</p>`,
  )}`;
}

function renderSchemas({ components }: OpenApiDocument): Html {
  const named = Object.entries(components['schemas'] ?? {}) as [string, JsonSchema][];
  return html`<section><h2 id="schemas">Schemas</h2>${named.map(
    ([name, schema]) =>
      html`<details class="schema"><summary><h3>${name}</h3> <span class="quiet">${typeof schema['description'] === 'string' ? renderInlineMarkdown(schema['description']) : ''}</span></summary><div class="inside" id="schema-${name}">${renderSchema(schema)}</div></details>`,
  )}</section>`;
}

/** Light and dark colours, by the preference of the system. */
const DOCUMENTATION_STYLE = `
:root{color-scheme:light dark;--ground:#fff;--text:#1c2330;--quiet:#5b6472;--line:#dfe3e9;--panel:#f5f7fa;--accent:#0b5fb0;--get:#0b6e4f;--post:#0b5fb0;--put:#8a5a00;--patch:#6b3fa0;--delete:#b3261e}
@media(prefers-color-scheme:dark){:root{--ground:#11151c;--text:#dfe5ee;--quiet:#98a3b3;--line:#2a323e;--panel:#191f29;--accent:#6cb6ff;--get:#4cc38a;--post:#6cb6ff;--put:#e2b04a;--patch:#c3a1f5;--delete:#ff8a80}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
a{color:var(--accent)}
a:focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
:not(pre)>code{background:var(--panel);border-radius:4px;padding:.1em .3em;overflow-wrap:anywhere}
pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.75rem 1rem;margin:.5rem 0;overflow:auto;max-height:28rem;user-select:all}
.layout{display:grid;grid-template-columns:19rem minmax(0,1fr);max-width:90rem;margin:0 auto}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem 1rem 2rem;border-right:1px solid var(--line);font-size:.875rem}
nav ul{list-style:none;margin:0 0 .75rem;padding:0 0 0 .75rem}
nav li{margin:.125rem 0}
nav a{text-decoration:none;color:var(--text)}
nav a:hover{color:var(--accent);text-decoration:underline}
nav summary{font-weight:600;cursor:pointer;padding:.2rem 0}
main{padding:2rem 2.5rem 6rem;min-width:0}
h1{font-size:2rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.5rem;margin:3rem 0 .5rem;padding-top:1rem;border-top:1px solid var(--line)}
h3{font-size:1rem;font-weight:500;margin:0;display:inline}
.schema h3{font-weight:600}
h4{font-size:.9375rem;margin:1.25rem 0 .25rem;color:var(--quiet);text-transform:uppercase;letter-spacing:.04em}
.operation,.schema{border:1px solid var(--line);border-radius:8px;margin:.75rem 0;padding:0 1rem 0 1.75rem}
.operation>summary,.schema>summary{cursor:pointer;padding:.7rem 0;list-style-position:outside}
.operation[open],.schema[open]{padding-bottom:1rem}
.method{display:inline-block;min-width:4.25rem;font-weight:700;font-size:.8125rem}
.get{color:var(--get)}.post{color:var(--post)}.put{color:var(--put)}.patch{color:var(--patch)}.delete{color:var(--delete)}
.path{overflow-wrap:anywhere}
.quiet{color:var(--quiet)}
.line{display:block;color:var(--quiet);margin:.15rem 0 0 4.5rem}
.inside{scroll-margin-top:6rem}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9375rem;margin:.25rem 0 .75rem}
th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line)}
th{font-weight:600;color:var(--quiet);font-size:.8125rem}
td:first-child,td:nth-child(2){white-space:nowrap}
td p{margin:.1rem 0}
.need{color:var(--delete);font-size:.8125rem}
.operation:has(:target),.schema:has(:target){border-color:var(--accent)}
details.inner{margin:.25rem 0}
details.inner>summary{cursor:pointer}
@media(max-width:60rem){.layout{display:block}nav{position:static;height:auto;max-height:45vh;border-right:0;border-bottom:1px solid var(--line)}main{padding:1.25rem 1rem 4rem}td:first-child,td:nth-child(2){white-space:normal}.line{margin-left:0}}
@media print{nav{display:none}.layout{display:block}}
`.trim();

/** Content policy of the page: permits its inline style only. */
export const documentationContentPolicy = `default-src 'none';style-src 'sha256-${createHash('sha256').update(DOCUMENTATION_STYLE).digest('base64')}';base-uri 'none';form-action 'none';frame-ancestors 'none'`;
