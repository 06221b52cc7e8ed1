import type { NotificationContent } from '../notification-content.js';
import { listLinks } from './chat-messages.js';

/** An e-mail without addresses. */
export interface EmailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Content id of the chart in HTML. */
export const CHART_ID = 'chart@hindsight';

/** The same as plain text and as HTML. The subject is one line: a line break would begin another header. */
export function buildEmail(content: NotificationContent): EmailText {
  const { title, summary, cause, affectedServices, chart } = content;
  const affected = affectedServices.length > 0 ? [`Affected: ${affectedServices.join(', ')}`] : [];
  const paragraphs = [summary, ...cause, ...affected];
  const links = listLinks(content);
  return {
    subject: title,
    text: [...paragraphs, '', ...links.map(({ text, url }) => `${text}: ${url}`)].join('\n'),
    html: [
      '<!doctype html><html><body style="font-family:sans-serif">',
      `<h2>${escapeHtml(title)}</h2>`,
      ...paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
      ...(chart === undefined ? [] : [`<p><img src="cid:${CHART_ID}" alt="Chart of the alert" width="600"></p>`]),
      `<p>${links.map(({ text, url }) => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`).join(' · ')}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]);
}
