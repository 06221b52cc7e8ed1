import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { encodeWav } from '../../src/assistant/speech/wav.js';

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export type Answering = (asked: ReceivedRequest, response: ServerResponse) => void;

/** An OpenAI-compatible endpoint on loopback: synthesizes tones of 60 ms per character and returns fixed transcriptions. */
export class FakeSpeechEndpoint {
  readonly asked: ReceivedRequest[] = [];
  answering: Answering = sendDefaultResponse;
  private readonly server = createServer((request, response) => void this.receive(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The client disconnected.
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    const asked = { path: request.url ?? '', headers: request.headers, body };
    this.asked.push(asked);
    this.answering(asked, response);
  }
}

export const TRANSCRIPTION = {
  text: ' why is payment slow ',
  segments: [{ avg_logprob: -0.05, no_speech_prob: 0.01 }],
};

export function sendDefaultResponse({ path, body }: ReceivedRequest, response: ServerResponse): void {
  if (path === '/v1/audio/transcriptions') return sendJson(response, TRANSCRIPTION);
  const { input, speed, voice } = JSON.parse(body.toString()) as { input: string; speed: number; voice: string };
  const pitch = 200 + voice.length * 10;
  const samples = Float32Array.from(
    { length: Math.round((input.length * 0.06 * 8000) / speed) },
    (_, i) => Math.sin((2 * Math.PI * pitch * i) / 8000) / 2,
  );
  response.writeHead(200, { 'Content-Type': 'audio/wav' }).end(encodeWav({ samples, sampleRate: 8000 }));
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}
