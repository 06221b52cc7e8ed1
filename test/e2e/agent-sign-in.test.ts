import assert from 'node:assert/strict';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { ServiceProcess } from '../support/service.js';

const REDIRECT_URI = 'http://127.0.0.1:7777/callback';

/** What an agent keeps of a sign-in. Its user is `owner`, whom the development identity provider knows by the hint. */
class SigningInAgent implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URI;
  readonly clientMetadata = { redirect_uris: [REDIRECT_URI], client_name: 'agent' };
  code = '';
  private kept: OAuthTokens | undefined;
  private verifier = '';

  clientInformation(): { client_id: string } {
    return { client_id: 'hindsight-cli' };
  }
  tokens(): OAuthTokens | undefined {
    return this.kept;
  }
  saveTokens(tokens: OAuthTokens): void {
    this.kept = tokens;
  }
  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }
  codeVerifier(): string {
    return this.verifier;
  }
  async redirectToAuthorization(address: URL): Promise<void> {
    address.searchParams.set('login_hint', 'owner');
    const { headers } = await fetch(address, { redirect: 'manual' });
    this.code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
  }
}

describe('an agent of Model Context Protocol', function () {
  this.timeout(120_000);
  let service: ServiceProcess;

  before(async () => (service = await ServiceProcess.start()));
  after(() => service.dispose());

  it('signs its user in by itself, knowing the address alone', async () => {
    const agent = new SigningInAgent();
    const connect = async (): Promise<Client> => {
      const client = new Client({ name: 'agent', version: '1' });
      const transport = new StreamableHTTPClientTransport(new URL(`${service.apiUrl}/mcp`), { authProvider: agent });
      await client.connect(transport).catch(async (error: unknown) => {
        if (error instanceof UnauthorizedError && agent.code !== '') await transport.finishAuth(agent.code);
        throw error;
      });
      return client;
    };
    await assert.rejects(connect(), UnauthorizedError);
    assert.equal(typeof agent.tokens()?.access_token, 'string');
    const client = await connect();
    const { tools } = await client.listTools();
    assert.ok(tools.length > 5);
    const { isError } = await client.callTool({ name: 'GetAlertRules', arguments: {} });
    assert.notEqual(isError, true); // an Owner may, an API key may not
    await client.close();
  });
});
