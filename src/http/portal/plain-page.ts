import { createHash } from 'node:crypto';
import { html, Html } from '../docs/html.js';

const STYLE = `
:root{color-scheme:light dark}
body{max-width:42rem;margin:12vh auto 0;padding:0 1.25rem;background:light-dark(#f6f8fa,#0d1117);color:light-dark(#16202a,#e8eef4);font:16px/1.55 Inter,system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif}
h1{font-size:1.4rem;line-height:1.3}
a{color:light-dark(#0067a8,#4cc2ff)}
code{font-size:.9em;overflow-wrap:anywhere}
`.trim();

/** The page may show this very style, and load or run nothing. */
export const plainContentPolicy = `default-src 'none';style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}';base-uri 'none';form-action 'none';frame-ancestors 'none'`;

/** A page that needs nothing of the portal's files, dark or light as the browser is, and fits a phone. */
export function plainPage(title: string, content: Html): Html {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${new Html(STYLE)}</style></head><body><main>${content}</main></body></html>`;
}
