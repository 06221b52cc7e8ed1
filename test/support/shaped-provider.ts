import { createHash } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, SignJWT, type JWTPayload } from 'jose';
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { createMemoryOidcAdapter } from '../../src/auth/development/memory-oidc-adapter.js';
import { loadOidcProvider } from '../../src/auth/development/load-oidc-provider.js';
import { makeKey, type KeyPair } from '../unit/auth/issuer-double.js';
import { CLI_CLIENT, CLIENT, SECRET, type ProviderShape } from './provider-shapes.js';

/** Lifetime of tokens (s): so short that every session is renewed while a test runs; the API tolerates a minute of skew. */
const LIFETIME_SECONDS = 2;

const SIGN_IN_PATH = '/sign-in/';

/** A real OpenID provider (oidc-provider) on loopback with the outward form of another one. */
export class ShapedProvider {
  private signingKey: KeyPair | undefined;
  private readonly server: Server = createServer();
  private rotations = 0;

  private constructor(private readonly shape: ProviderShape) {}

  /** @param publicUrl of the service, for its redirect URIs */
  static async start(shape: ProviderShape, publicUrl: string): Promise<ShapedProvider> {
    const shaped = new ShapedProvider(shape);
    await new Promise<void>((listening) => shaped.server.listen(0, '127.0.0.1', listening));
    await shaped.rotateKey();
    const provider = await shaped.createProvider(publicUrl);
    const handle = provider.callback();
    shaped.server.on('request', (request, response) => {
      const url = request.url ?? '/';
      const prefix = shape.path.replace(/\/$/, '');
      Object.assign(request, { originalUrl: url });
      request.url = url.startsWith(prefix) ? url.slice(prefix.length) : '/outside';
      void handle(request, response);
    });
    return shaped;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get issuer(): string {
    return this.origin + this.shape.path;
  }

  /** Publishes a new signing key and withdraws the old one. */
  async rotateKey(): Promise<void> {
    this.rotations += 1;
    this.signingKey = await makeKey(`key-${this.rotations}`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private get key(): KeyPair {
    if (this.signingKey === undefined) throw new Error('the provider has no key yet');
    return this.signingKey;
  }

  private async createProvider(publicUrl: string): Promise<Provider> {
    const oidc = await loadOidcProvider();
    const provider = new oidc.Provider(this.issuer, this.configure(oidc, publicUrl));
    const koa: EventEmitter = provider;
    koa.on('error', () => undefined);
    provider.Client.prototype.redirectUriAllowed = function allowed(uri) {
      return this.redirectUris?.includes(uri) === true || /^http:\/\/127\.0\.0\.1:\d+\/callback$/.test(uri);
    };
    provider.use(async (context, next) => {
      if (this.refusesScope(context.query['scope'])) {
        context.status = 400;
        context.body = 'invalid_scope';
        return;
      }
      if (context.path.startsWith(SIGN_IN_PATH)) {
        context.respond = false;
        const login = { accountId: this.shape.users[0]?.sub ?? '' };
        return provider.interactionFinished(context.req, context.res, { login });
      }
      await next();
      await this.shapeResponse(context as KoaContextWithOIDC);
    });
    return provider;
  }

  private configure(oidc: typeof import('oidc-provider'), publicUrl: string): Configuration {
    const { shape } = this;
    const policy = oidc.interactionPolicy.base();
    policy.remove('consent');
    const common = {
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code' as const],
    };
    const authentication = { token_endpoint_auth_method: shape.clientAuthentication, client_secret: SECRET };
    const publicClient = { token_endpoint_auth_method: 'none' as const };
    return {
      adapter: createMemoryOidcAdapter(Date.now),
      clients: [
        {
          ...common,
          ...(shape.clientAuthentication === 'none' ? publicClient : authentication),
          client_id: CLIENT,
          redirect_uris: [`${publicUrl}/portal/callback`],
          post_logout_redirect_uris: [`${publicUrl}/portal/`],
        },
        {
          ...common,
          ...(shape.clientAuthentication === 'none' ? publicClient : authentication),
          client_id: CLI_CLIENT,
          application_type: 'native',
          redirect_uris: ['http://127.0.0.1/callback'],
        },
      ],
      clientAuthMethods: shape.clientAuthentication === 'none' ? ['none'] : [shape.clientAuthentication],
      scopes: [...shape.scopes],
      claims: { openid: ['sub'] },
      pkce: { required: () => true },
      findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
      extraParams: {
        login_hint: async (context, hint) =>
          hint === undefined ? undefined : context.oidc.session?.loginAccount({ accountId: hint }),
      },
      // A code for another device: the first user confirms it.
      interactions: {
        policy,
        url: (_context, { uid }) => `${shape.path.replace(/\/$/, '')}${SIGN_IN_PATH}${uid}`,
      },
      loadExistingGrant: async ({ oidc: { client, session, provider } }) => {
        if (client === undefined || session?.accountId === undefined) return undefined;
        const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope(shape.scopes.join(' '));
        await grant.save();
        return grant;
      },
      issueRefreshToken: async () => true,
      rotateRefreshToken: shape.rotatesRefreshTokens,
      expiresWithSession: async () => false,
      ttl: { AccessToken: LIFETIME_SECONDS, IdToken: LIFETIME_SECONDS, RefreshToken: 600, Grant: 600, Session: 600 },
      features: {
        devInteractions: { enabled: false },
        deviceFlow: { enabled: shape.hasDeviceFlow, ...confirmDevice() },
        revocation: { enabled: true },
        rpInitiatedLogout: { enabled: shape.hasEndSession },
      },
    };
  }

  /** As Google: an unknown scope is an error. */
  private refusesScope(scope: unknown): boolean {
    return typeof scope === 'string' && scope.split(' ').some((each) => !this.shape.scopes.includes(each));
  }

  /** Signs the tokens of a response anew, with the claims of the shape, and publishes the keys. */
  private async shapeResponse(context: KoaContextWithOIDC): Promise<void> {
    if (context.path.endsWith('/jwks')) context.body = { keys: [this.key.publicJwk] };
    if (context.path.endsWith('/device/auth')) Object.assign(context.body as object, { interval: 1 });
    const body = context.body as Record<string, string> | undefined;
    if (!context.path.endsWith('/token') || body?.['id_token'] === undefined) return;
    const { sub = '', aud = '', nonce, iat, exp } = decodeJwt(body['id_token']);
    const user = this.shape.users.find((each) => each.sub === sub);
    if (user === undefined) throw new Error(`${sub} is not a user of this provider`);
    const clientId = String([aud].flat()[0]);
    const { accessToken } = this.shape;
    if (accessToken !== 'opaque') {
      const claims = { iss: this.issuer, sub, iat, exp, ...accessToken(user, clientId, nonce) };
      body['access_token'] = await this.sign(claims);
    }
    const digest = createHash('sha256')
      .update(body['access_token'] ?? '')
      .digest();
    const bound = { at_hash: digest.subarray(0, 16).toString('base64url'), ...(nonce !== undefined && { nonce }) };
    const idClaims = { iss: this.issuer, sub, aud, iat, exp, ...bound, ...this.shape.idToken(user, clientId) };
    body['id_token'] = await this.sign(idClaims);
  }

  private sign(claims: JWTPayload): Promise<string> {
    const { privateKey, kid, alg } = this.key;
    return new SignJWT(claims).setProtectedHeader({ kid, alg, ...this.shape.tokenHeader }).sign(privateKey);
  }
}

/** The page of the code has no design: a test reads its form. */
function confirmDevice(): object {
  return {
    userCodeInputSource: (context: KoaContextWithOIDC, form: string) => void (context.body = form),
    userCodeConfirmSource: (context: KoaContextWithOIDC, form: string) => void (context.body = form),
    successSource: (context: KoaContextWithOIDC) => void (context.body = 'confirmed'),
  };
}
