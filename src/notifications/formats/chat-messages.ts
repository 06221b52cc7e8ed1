import { cutText, type NotificationContent } from '../notification-content.js';

const SECTION_LENGTH = 2_900;

/**
 * A message of Slack's incoming webhooks. Texts are `plain_text`, in which nothing is markup, a link or a mention; only
 * the summary for desktop notifications is not, and is escaped.
 */
export function buildSlackMessage(content: NotificationContent): object {
  const { title, summary, cause, affectedServices, request } = content;
  const paragraphs = [
    summary,
    cause.join('\n'),
    affectedServices.length > 0 ? `Affected: ${affectedServices.join(', ')}` : '',
  ];
  return {
    text: escapeSlack(`${title}: ${summary}`),
    mrkdwn: false,
    parse: 'none',
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: toPlainText(title) },
      ...paragraphs
        .filter((text) => text !== '')
        .map((text) => ({ type: 'section', text: toPlainText(cutText(text, SECTION_LENGTH)) })),
      {
        type: 'actions',
        elements: listLinks(content).map(({ text, url }) => ({ type: 'button', text: toPlainText(text), url })),
      },
      { type: 'context', elements: [toPlainText(`Notification ${request.key}`)] },
    ],
  };
}

function toPlainText(text: string): object {
  return { type: 'plain_text', text, emoji: false };
}

/** The three characters that Slack's markup gives a meaning: without `<` there is neither link nor mention. */
export function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * A message of a Teams workflow: an adaptive card. Texts are runs of rich text, which unlike text blocks are never read
 * as Markdown.
 */
export function buildTeamsMessage(content: NotificationContent): object {
  const { title, summary, cause, affectedServices } = content;
  const body = [
    toRichText(title, { size: 'Large', weight: 'Bolder' }),
    toRichText(summary),
    ...cause.map((sentence) => toRichText(sentence)),
    ...(affectedServices.length > 0 ? [toRichText(`Affected: ${affectedServices.join(', ')}`)] : []),
  ];
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body,
          actions: listLinks(content).map(({ text, url }) => ({ type: 'Action.OpenUrl', title: text, url })),
        },
      },
    ],
  };
}

function toRichText(text: string, style: object = {}): object {
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...style }] };
}

/** Links of a message, the most useful first. */
export function listLinks(content: NotificationContent): readonly { readonly text: string; readonly url: string }[] {
  const { asOfUrl, chartUrl, manageUrl, runbookUrl, silenceUrl, acknowledgeUrl, incidentUrl } = content;
  const known = (text: string, url: string | undefined) => (url === undefined ? [] : [{ text, url }]);
  return [
    ...known('Incident', incidentUrl),
    { text: 'Diagnosis', url: asOfUrl },
    ...known('Acknowledge', acknowledgeUrl),
    ...known('Silence', silenceUrl),
    { text: 'Charts', url: chartUrl },
    ...known('Runbook', runbookUrl),
    { text: 'Alerts', url: manageUrl },
  ];
}
