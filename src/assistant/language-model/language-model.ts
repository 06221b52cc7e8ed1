/** A call of a tool as the model wrote it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Should be a JSON object. */
  readonly arguments: string;
}

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] }
  /** The result of a call, by its id. */
  | { readonly role: 'tool'; readonly callId: string; readonly text: string };

/** What a model may call: name, purpose, and JSON schema of the arguments. */
export interface CallableTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface CompletionRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly CallableTool[];
  /** False: the model has to answer now. */
  readonly mayCall: boolean;
}

export interface Completion {
  /** "" where the model only calls tools. */
  readonly text: string;
  /** Names and arguments are whatever the model wrote. */
  readonly calls: readonly ToolCall[];
}

/** Why there is nothing to be had from a model. */
export type ModelFault = 'unreachable' | 'refused' | 'malformed' | 'slow' | 'unfounded';

/** `message` tells operators what happened, never what was asked or answered. */
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

/** Somebody else's language model: what it says is as trustworthy as a stranger's word. */
export interface LanguageModel {
  /** The next message. Rejects with ModelError where there is none, or where it is not whole; ends soon after `signal` is aborted. */
  complete(dialogue: CompletionRequest, signal: AbortSignal): Promise<Completion>;
}
