import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { buildWebhookBody } from '../../formats/alertmanager-webhook.js';
import { buildSlackMessage, buildTeamsMessage } from '../../formats/chat-messages.js';
import { buildPagerDutyEvent } from '../../formats/pagerduty-event.js';
import { toOneLine, type NotificationContent } from '../../notification-content.js';
import { SendFailure, type NotificationSender, type OpenChannel, type SendReceipt } from '../../notification-sender.js';
import { isLocalName, isPublicAddress, PrivateAddressError, type SocketLookup } from '../../private-addresses.js';

const PAGERDUTY_URL = 'https://events.pagerduty.com/v2/enqueue';
/** An answer is read up to here, and shown up to there. */
const MAX_ANSWER_BYTES = 4_096;
const SHOWN_ANSWER_LENGTH = 300;
/** Statuses of 4xx after which a later attempt may succeed. */
const RETRYABLE = [408, 425, 429];

export interface HttpSenderOptions {
  /** Looks up and checks addresses; absent: any address is allowed. */
  readonly lookup?: SocketLookup;
}

/** Posts JSON. Follows no redirect: its target would be an address that nobody has entered. */
export function createHttpSender({ lookup }: HttpSenderOptions): NotificationSender {
  return {
    async send(channel, content, signal) {
      const url = new URL(channel.url ?? PAGERDUTY_URL);
      if (lookup !== undefined) assertPublicHost(url);
      const body = JSON.stringify(toBody(channel, content));
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Hindsight',
        'idempotency-key': content.request.key,
        ...(channel.token !== undefined && { authorization: `Bearer ${channel.token}` }),
      };
      const options = {
        method: 'POST',
        headers,
        signal,
        agent: false,
        lookup,
        maxHeaderSize: 16_384,
      } as RequestOptions;
      return post(url, options, body);
    },
  };
}

function toBody(channel: OpenChannel, content: NotificationContent): object {
  switch (channel.type) {
    case 'slack':
      return buildSlackMessage(content);
    case 'teams':
      return buildTeamsMessage(content);
    case 'pagerduty':
      return buildPagerDutyEvent(content, channel.routingKey ?? '');
    default:
      return buildWebhookBody(content);
  }
}

/** A socket looks up names only, and by DNS: an address in the URL and the name of this machine are checked here. */
function assertPublicHost({ hostname }: URL): void {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const isPrivate = isIP(host) === 0 ? isLocalName(host) : !isPublicAddress(host);
  if (isPrivate) throw toFailure(new PrivateAddressError());
}

function post(url: URL, options: RequestOptions, body: string): Promise<SendReceipt> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    let isAccepted = false;
    const fail = (error: unknown): void => {
      // The status said that the message was taken: what follows it may be cut off or never end.
      if (!isAccepted) reject(toFailure(error));
    };
    const request = send(url, options, (response) => {
      const status = response.statusCode ?? 0;
      isAccepted = status >= 200 && status < 300;
      void readAnswer(response)
        .catch((error: unknown) => (fail(error), ''))
        .then((answer) => {
          if (isAccepted) resolve({ status, answer });
          else reject(toRefusal(response, status, answer));
        })
        // Closes the connection, whatever the receiver still sends.
        .finally(() => request.destroy());
    });
    request.on('error', fail);
    request.end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part.subarray(0, MAX_ANSWER_BYTES - bytes));
    bytes += part.length;
    if (bytes >= MAX_ANSWER_BYTES) break;
  }
  return toOneLine(Buffer.concat(parts).toString('utf8')).slice(0, SHOWN_ANSWER_LENGTH);
}

function toRefusal({ headers }: IncomingMessage, status: number, answer: string): SendFailure {
  const isRedirect = status >= 300 && status < 400;
  const afterMs = parseRetryAfter(headers['retry-after'], Date.now());
  return new SendFailure(
    isRedirect
      ? `HTTP ${status}: the receiver redirects. Enter the final address.`
      : `HTTP ${status}${answer === '' ? '' : `: ${answer}`}`,
    { isUseful: status >= 500 || RETRYABLE.includes(status), ...(afterMs !== undefined && { afterMs }) },
  );
}

/** Milliseconds to wait, of seconds or of an HTTP date. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/** Error codes name what happened; messages of the network may quote the address, which is secret. */
function toFailure(error: unknown): SendFailure {
  if (error instanceof PrivateAddressError) return new SendFailure(error.message, { isUseful: false });
  const { code, name } = error as NodeJS.ErrnoException;
  const isAborted = name === 'AbortError' || code === 'ABORT_ERR';
  const message = isAborted
    ? 'The receiver did not answer in time.'
    : `The receiver cannot be reached (${code ?? name}).`;
  return new SendFailure(message, { isUseful: true });
}
