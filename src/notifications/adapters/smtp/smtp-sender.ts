import { createTransport } from 'nodemailer';
import { buildEmail, CHART_ID } from '../../formats/email-message.js';
import { toOneLine } from '../../notification-content.js';
import { SendFailure, type NotificationSender } from '../../notification-sender.js';

const SHOWN_ANSWER_LENGTH = 300;
const TIMEOUT_MS = 15_000;

export interface SmtpSenderOptions {
  /** Such as `smtps://user:password@mail.example`; undefined: e-mail is not set up. */
  readonly url: string | undefined;
  readonly from: string;
}

interface SmtpError extends Error {
  readonly responseCode?: number;
  readonly code?: string;
}

/** Sends e-mail through the server of the operator, one connection a message. */
export function createSmtpSender({ url, from }: SmtpSenderOptions): NotificationSender {
  return {
    async send(channel, content, signal) {
      if (url === undefined)
        throw new SendFailure('E-mail is not configured: an operator must set SMTP_URL.', { isUseful: false });
      const transport = createTransport({
        url,
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const close = (): void => transport.close();
      signal.addEventListener('abort', close, { once: true });
      try {
        const { key, gridId, groupId } = content.request;
        const sent = await raceAbort(
          transport.sendMail({
            ...buildEmail(content),
            ...(content.chart !== undefined && {
              attachments: [
                {
                  filename: 'chart.png',
                  content: Buffer.from(content.chart),
                  contentType: 'image/png',
                  contentDisposition: 'inline' as const,
                  cid: CHART_ID,
                },
              ],
            }),
            from,
            to: channel.recipients.map((address) => ({ name: '', address })),
            // The same for each attempt, so that mailboxes can drop a second copy; the thread is that of the group.
            messageId: `<${key}@hindsight>`,
            references: `<${groupId}.${gridId}@hindsight>`,
            disableFileAccess: true,
            disableUrlAccess: true,
          }),
          signal,
        );
        return { status: 250, answer: toOneLine(sent.response).slice(0, SHOWN_ANSWER_LENGTH) };
      } catch (error) {
        throw toFailure(error as SmtpError);
      } finally {
        signal.removeEventListener('abort', close);
        transport.close();
      }
    },
  };
}

function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(new SendFailure('The mail server did not answer in time.', { isUseful: true }));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

/** 5xx is final by RFC 5321, but for sign-in and policy: an operator corrects those. */
function toFailure(error: SmtpError): SendFailure {
  if (error instanceof SendFailure) return error;
  const { responseCode, code } = error;
  const isFinal = responseCode !== undefined && responseCode >= 550 && responseCode < 555;
  const status = responseCode === undefined ? (code ?? error.name) : `SMTP ${responseCode}`;
  return new SendFailure(`The mail server did not accept the message (${status}).`, { isUseful: !isFinal });
}
