/** A tool call as written by the model, unvalidated. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Expected to be a JSON object. */
  readonly arguments: string;
}

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] }
  /** Result of a call, by its id. */
  | { readonly role: 'tool'; readonly callId: string; readonly text: string };

/** A tool that the model may call: name, purpose, and JSON schema of its arguments. */
export interface CallableTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface CompletionRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly CallableTool[];
  /** False: the model must answer now. */
  readonly mayCall: boolean;
}

export interface Completion {
  /** "" if the model only calls tools. */
  readonly text: string;
  /** Names and arguments are unvalidated. */
  readonly calls: readonly ToolCall[];
}

/** Why the model cannot provide an answer. */
export type ModelFault = 'unreachable' | 'refused' | 'malformed' | 'slow' | 'unfounded';

/** `message` is for operators; it never contains text of questions or answers. */
export class ModelError extends Error {
  override readonly name = 'ModelError';

  constructor(
    readonly fault: ModelFault,
    message: string,
    options: ErrorOptions = {},
  ) {
    super(message, options);
  }
}

/** A third-party language model. Its output is untrusted. */
export interface LanguageModel {
  /**
   * Requests the next message. Rejects with ModelError if there is none or it is incomplete; ends soon after `signal`
   * is aborted.
   */
  complete(dialogue: CompletionRequest, signal: AbortSignal): Promise<Completion>;
}
