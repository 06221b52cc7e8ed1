import type { ServerResponse } from 'node:http';
import { DEVELOPMENT_USERS } from './development-directory.js';

const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";
const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem}li{margin:.5rem 0}';
const WARNING = 'This identity provider is for development: it asks for no password. It never runs in production.';

/** Page with the users to choose from; links append the user name to `address`. */
export function sendUserList(response: ServerResponse, address: string): void {
  const rows = [...DEVELOPMENT_USERS].map(([user, role]) => {
    const membership = role === undefined ? 'no Grid' : `${role} of the first Grid`;
    return `<li><a href="${escapeHtml(`${address}/${user}`)}">${escapeHtml(user)}</a> (${membership})</li>`;
  });
  sendPage(response, 200, 'Sign in', `<ul>${rows.join('')}</ul>`);
}

export function sendNotice(response: ServerResponse): void {
  sendPage(
    response,
    200,
    'Development identity provider',
    '<p>Start the sign-in from the portal or the command line.</p>',
  );
}

export function sendFailure(response: ServerResponse, status: number, explanation: string): void {
  sendPage(response, status, 'Sign-in failed', `<p>${escapeHtml(explanation)}</p>`);
}

/** The failure page as HTML, for callers without a `ServerResponse`. */
export function renderFailurePage(explanation: string): string {
  return renderPage('Sign-in failed', `<p>${escapeHtml(explanation)}</p>`);
}

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_POLICY,
  'cache-control': 'no-store',
} as const;

function sendPage(response: ServerResponse, status: number, title: string, content: string): void {
  response.writeHead(status, PAGE_HEADERS).end(renderPage(title, content));
}

function renderPage(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} · Hindsight</title><style>${STYLE}</style></head><body><h1>${title}</h1><p><strong>${WARNING}</strong></p>${content}</body></html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
