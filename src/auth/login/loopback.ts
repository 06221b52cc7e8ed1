import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where the browser is sent back to; a free port of this machine, which nobody else can reach (RFC 8252 §7.3). */
export interface Loopback {
  readonly redirectUri: string;
  /** The first address under it that the browser calls; rejects when nobody comes in time. */
  readonly called: Promise<URL>;
  /** Tells the browser how it ended, and closes. */
  finish(success: boolean): void;
}

const PATH = '/callback';
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'connection': 'close',
} as const;

/** @param timeoutMs how long the user may take to sign in */
export async function listenOnLoopback(timeoutMs: number): Promise<Loopback> {
  const server = createServer();
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(0, '127.0.0.1', listening));
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
  const visit = firstVisit(server, redirectUri, timeoutMs);
  return {
    redirectUri,
    called: visit.then(({ address }) => address),
    finish(success) {
      server.close();
      visit.then(({ response }) => response.writeHead(success ? 200 : 400, HEADERS).end(page(success)), () => undefined);
      server.closeIdleConnections();
    },
  };
}

interface Visit {
  readonly address: URL;
  readonly response: ServerResponse;
}

/** The page is held back until it is known whether the sign-in was good. */
function firstVisit(server: Server, redirectUri: string, timeoutMs: number): Promise<Visit> {
  const visit = new Promise<Visit>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`nobody signed in within ${timeoutMs / 60_000} minutes`)), timeoutMs);
    server.on('request', (request, response) => {
      const address = new URL(request.url ?? '/', redirectUri);
      if (request.method !== 'GET' || address.pathname !== PATH) {
        response.writeHead(404, HEADERS).end();
        return;
      }
      clearTimeout(timer);
      resolve({ address, response });
    });
    server.once('close', () => clearTimeout(timer));
  });
  visit.catch(() => undefined); // whoever waits hears of it by `called`
  return visit;
}

function page(success: boolean): string {
  const [title, text] = success ? ['You are logged in', 'You can close this page and return to the terminal.'] : ['Not logged in', 'The terminal says why. You can close this page.'];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · Hindsight</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem}</style></head><body><h1>${title}</h1><p>${text}</p></body></html>`;
}
