import { Router as ExpressRouter, type Request, type Response } from 'express';
import type { LinkAcknowledgements, LinkedAlerts } from '../../commands/notifications/link-acknowledgement.js';
import { HindsightError } from '../../errors.js';
import { html, type Html } from '../docs/html-template.js';
import { splitTarget } from '../requests/request-headers.js';
import { sendText } from '../responses/send-response.js';
import { createMethodNotAllowedHandler, plainContentPolicy, renderPlainPage } from './sign-in-pages.js';

const PATH = '/acknowledge';

/**
 * Serves the link in messages that acknowledges alerts without a sign-in. GET only asks for confirmation: mail servers and
 * chats open links by themselves. The token is in the query, which is not logged.
 */
export function createAcknowledgementRouter(links: LinkAcknowledgements | undefined): ExpressRouter {
  const pages = ExpressRouter({ caseSensitive: true, strict: true });
  if (links === undefined) return pages;
  pages
    .route(PATH)
    .get((request, response) =>
      respond(response, async () => renderQuestion(await links.find(readToken(request)), readToken(request))),
    )
    .post((request, response) =>
      respond(response, async () => renderResult(await links.acknowledge(readToken(request)))),
    )
    .all(createMethodNotAllowedHandler('GET, HEAD, POST'));
  return pages;
}

function readToken(request: Request): string {
  return new URLSearchParams(splitTarget(request.originalUrl).query).get('token') ?? '';
}

async function respond(response: Response, render: () => Promise<Html>): Promise<void> {
  response.setHeader('Content-Security-Policy', plainContentPolicy("'self'"));
  response.setHeader('Referrer-Policy', 'no-referrer');
  try {
    sendText(response, 200, 'text/html; charset=utf-8', (await render()).text);
  } catch (error) {
    if (!(error instanceof HindsightError && error.code === 'not-found')) throw error;
    const page = renderPlainPage('Link not valid', html`<h1>${error.message}</h1>`);
    sendText(response, 404, 'text/html; charset=utf-8', page.text);
  }
}

function renderQuestion({ gridId, open }: LinkedAlerts, token: string): Html {
  if (open === 0) return renderNothingOpen(gridId);
  const action = `acknowledge?token=${encodeURIComponent(token)}`;
  return renderPlainPage(
    'Acknowledge alerts',
    html`<h1>Acknowledge ${countAlerts(open)}?</h1>
    <p>Reminders and escalation stop. The end of the alerts is still sent.</p>
    <form method="post" action="${action}"><button type="submit">Acknowledge</button></form>
    <p><a href="g/${encodeURIComponent(gridId)}/alerts">Show the alerts in the portal</a></p>`,
  );
}

function renderResult({ gridId, open }: LinkedAlerts): Html {
  if (open === 0) return renderNothingOpen(gridId);
  return renderPlainPage(
    'Acknowledged',
    html`<h1>You have acknowledged ${countAlerts(open)}</h1>
    <p><a href="g/${encodeURIComponent(gridId)}/alerts">Show the alerts in the portal</a></p>`,
  );
}

function renderNothingOpen(gridId: string): Html {
  return renderPlainPage(
    'Nothing to acknowledge',
    html`<h1>Nothing is left to acknowledge</h1>
    <p>The alerts of this message have ended, or somebody has acknowledged them. <a href="g/${encodeURIComponent(gridId)}/alerts">Show the alerts in the portal</a></p>`,
  );
}

function countAlerts(count: number): string {
  return count === 1 ? 'one alert' : `${count} alerts`;
}
