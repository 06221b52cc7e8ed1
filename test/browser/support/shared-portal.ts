import type { Context } from 'mocha';
import type { ApiClient } from '../../support/api-client.js';
import { Counters } from '../../support/black-box.js';
import { KIND, STATUS } from '../../support/otlp-requests.js';
import { PastMinutes } from '../../support/past-requests.js';
import { waitUntil } from '../../support/wait-until.js';
import { signIn } from '../../support/sign-in.js';
import { PortalRun } from './portal-run.js';

const MINUTE_MS = 60_000;
/** A recorded shop: checkout failed between 12 and 4 minutes ago (minutes); everything else is healthy. */
const FAILS = { from: 12, to: 4 };
/** Minutes ago, before the failures. */
const CALM_AGO = 16;
/** After this time (ms) a new shop is recorded: services without requests for five minutes have no status. */
const FRESH_MS = 3 * MINUTE_MS;
const SPANS_A_MINUTE = 10;

/** A service, a browser and recorded data shared by several test files. */
export class SharedPortal {
  private readonly past = new PastMinutes();

  private constructor(
    readonly run: PortalRun,
    readonly gridId: string,
    private readonly apiKey: string,
    readonly owner: ApiClient,
  ) {}

  static async start(test: Context): Promise<SharedPortal> {
    const run = await PortalRun.start(test, { RATE_LIMIT_USER_PER_MINUTE: '0', RATE_LIMIT_GRID_PER_MINUTE: '0' });
    const { gridId, apiKey } = await run.service.bootstrap();
    const shared = new SharedPortal(run, gridId, apiKey, await signIn(run.service.apiUrl, 'owner'));
    await shared.recordShop();
    return shared;
  }

  /** Path of a page of the Grid. */
  path(page: string): string {
    return `/portal/g/${this.gridId}/${page}`;
  }

  url(page: string): string {
    return this.run.service.apiUrl + this.path(page);
  }

  /** A moment (ms since 1970) at which everything was healthy. */
  get calmAt(): number {
    return this.past.at(CALM_AGO);
  }

  get isFresh(): boolean {
    return Date.now() - this.past.wholeMs < FRESH_MS;
  }

  /** Sends an export request, again while the service answers 503, as exporters do; rejects unless all of it is accepted. */
  async send(signal: 'traces' | 'logs', request: object): Promise<void> {
    const headers = { 'content-type': 'application/json', 'api-key': this.apiKey };
    const options = { method: 'POST', headers, body: JSON.stringify(request) };
    await waitUntil(async () => {
      const response = await fetch(`${this.run.service.otlpHttpUrl}/v1/${signal}`, options);
      const reported = await response.text();
      if (response.status === 503) return false;
      if (response.status !== 200 || reported.includes('rejected'))
        throw new Error(`${signal} were refused: ${reported}`);
      return true;
    }, `${signal} are accepted`);
  }

  /** Waits until all sent telemetry can be queried. */
  async settled(): Promise<void> {
    await waitUntil(async () => {
      const counters = new Counters(await (await fetch(`${this.run.service.apiUrl}/metrics`)).text());
      return counters.sum('records_accepted_total') <= counters.sum('records_projected_total');
    }, 'all accepted telemetry is projected');
  }

  private async recordShop(): Promise<void> {
    const fails = { status: { code: STATUS.error, message: 'payment declined' } };
    for (let ago = 30; ago >= 1; ago--) {
      const isFailing = ago <= FAILS.from && ago >= FAILS.to;
      await this.send(
        'traces',
        this.past.requests('checkout', ago, {
          count: SPANS_A_MINUTE,
          more: { name: 'POST /checkout', kind: KIND.server, ...(isFailing && fails) },
        }),
      );
      await this.send('traces', this.past.requests('catalogue', ago, { count: SPANS_A_MINUTE }));
    }
    await this.settled();
  }
}

let started: SharedPortal | undefined;

/** Starts it on the first call, and again if its data is too old; stops it after all tests. Skips the suite if Chromium is not installed. */
export async function sharedPortal(test: Context): Promise<SharedPortal> {
  if (started?.isFresh === false) {
    await started.run.stop();
    started = undefined;
  }
  return (started ??= await SharedPortal.start(test));
}

// A root hook: runs after all test files that share it.
after(() => started?.run.stop());
