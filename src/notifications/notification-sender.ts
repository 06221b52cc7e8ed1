import type { ChannelSecret, ChannelType } from './notification-model.js';
import type { NotificationContent } from './notification-content.js';

/** A channel with its secret opened, for the time of one attempt. */
export interface OpenChannel extends ChannelSecret {
  readonly name: string;
  readonly type: ChannelType;
  readonly recipients: readonly string[];
}

/** The receiver has taken the message. */
export interface SendReceipt {
  readonly status: number;
  /** Beginning of the answer, as text. */
  readonly answer: string;
}

/** PORT: sends one message to one receiver. */
export interface NotificationSender {
  /**
   * Resolves when the receiver has accepted the message. MUST end when `signal` aborts, MUST NOT read more of an answer
   * than it returns, and MUST NOT connect to another address than that of the channel. Rejects with a
   * `SendFailure` whose message contains no secret of the channel.
   */
  send(channel: OpenChannel, content: NotificationContent, signal: AbortSignal): Promise<SendReceipt>;
}

/** A message was not taken. */
export class SendFailure extends Error {
  override readonly name = 'SendFailure';

  constructor(
    message: string,
    /** Whether a later attempt may succeed, and not before `retryAfterMs` if the receiver has said so. */
    readonly retry: { readonly isUseful: boolean; readonly afterMs?: number },
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
