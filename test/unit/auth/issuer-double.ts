import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
} from 'jose';

export const TENANT = 'b3c6a1de-0a5a-4b0e-9f3e-0d1c2b3a4f5e';
export const AUDIENCE = 'api://iapm-api';

export interface KeyPair {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

export async function makeKey(kid: string, alg = 'RS256'): Promise<KeyPair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** A directory on a loopback port: discovery and keys of one tenant, which can be slow or away. */
export class IssuerDouble {
  keys: object[] = [];
  mode: 'up' | 'away' | 'silent' | 'garbage' | 'huge' = 'up';
  requests: string[] = [];
  discoveredIssuer: string | undefined;
  readonly #server: Server;
  readonly #unanswered: ServerResponse[] = [];

  constructor() {
    this.#server = createServer((request, response) => {
      this.requests.push(request.url ?? '');
      this.#answer(request.url ?? '', response);
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get issuer(): string {
    return `${this.url}/${TENANT}/v2.0`;
  }

  get keyFetches(): number {
    return this.requests.filter((url) => url.endsWith('/keys')).length;
  }

  async close(): Promise<void> {
    for (const response of this.#unanswered) response.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  #answer(url: string, response: ServerResponse): void {
    if (this.mode === 'silent') {
      this.#unanswered.push(response);
      return;
    }
    if (this.mode === 'away') response.writeHead(503).end();
    else if (this.mode === 'garbage') response.writeHead(200, { 'content-type': 'application/json' }).end('{"keys":7}');
    else if (this.mode === 'huge')
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"keys":[${'{"kty":"RSA"},'.repeat(200_000)}{"kty":"RSA"}]}`);
    else this.#answerUp(url, response);
  }

  #answerUp(url: string, response: ServerResponse): void {
    const documents: Record<string, object> = {
      [`/${TENANT}/v2.0/.well-known/openid-configuration`]: {
        issuer: this.discoveredIssuer ?? this.issuer,
        jwks_uri: `${this.url}/keys`,
        authorization_endpoint: `${this.url}/authorize`,
        token_endpoint: `${this.url}/token`,
        response_types_supported: ['code'],
        subject_types_supported: ['pairwise'],
        id_token_signing_alg_values_supported: ['RS256'],
      },
      '/keys': { keys: this.keys },
    };
    const document = documents[url];
    response
      .writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(document ?? {}));
  }
}

/** A token as the directory signs it; claims and header members that are undefined are left out. */
export async function sign(
  key: KeyPair,
  claims: JWTPayload,
  header: Partial<JWTHeaderParameters> = {},
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.alg, typ: 'JWT', kid: key.kid, ...header })
    .sign(key.privateKey);
}

/** A compact JWS over exactly these bytes, as no library would make it. */
export async function signRaw(key: KeyPair, header: string, payload: string | Buffer): Promise<string> {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  const input = `${Buffer.from(header).toString('base64url')}.${bytes.toString('base64url')}`;
  const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', key.privateKey, Buffer.from(input));
  return `${input}.${Buffer.from(signature).toString('base64url')}`;
}
