import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: AskedBody;
}

export interface AskedBody {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string;
    readonly tool_calls?: readonly WireCall[];
    readonly tool_call_id?: string;
  }[];
  readonly tools: readonly { readonly function: { readonly name: string; readonly parameters: object } }[];
  readonly tool_choice: string;
}

interface WireCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface Scripted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value is sent as JSON, a text unchanged; undefined: no response. */
  readonly body?: unknown;
}

/** Response to the nth request, from 0. */
export type Script = (asked: AskedBody, nth: number) => Scripted;

export interface ScriptedEndpoint {
  readonly baseUrl: string;
  readonly asked: readonly Asked[];
  close(): Promise<void>;
}

/** An OpenAI-compatible chat completions endpoint on loopback with scripted responses. */
export async function startScriptedEndpoint(script: Script): Promise<ScriptedEndpoint> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString() || '{}') as AskedBody;
      asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      const { status = 200, headers = {}, body: answer } = script(body, asked.length - 1);
      if (answer === undefined) return;
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A message with an answer. */
export function answerMessage(content: string, finish = 'stop'): Scripted {
  return { body: { choices: [{ finish_reason: finish, message: { role: 'assistant', content } }] } };
}

/** A message with tool calls, whose arguments are an object or a raw text. */
export function toolCallMessage(...called: readonly (readonly [name: string, given: unknown])[]): Scripted {
  const toolCalls = called.map(([name, given], at) => ({
    id: `theirs-${at}`,
    type: 'function',
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }));
  return {
    body: {
      choices: [{ finish_reason: 'tool_calls', message: { role: 'assistant', content: null, tool_calls: toolCalls } }],
    },
  };
}
