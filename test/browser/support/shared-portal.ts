import type { Context } from 'mocha';
import type { ApiClient } from '../../support/api-client.js';
import { Counters } from '../../support/black-box.js';
import { KIND, STATUS } from '../../support/otlp-requests.js';
import { PastMinutes } from '../../support/past-requests.js';
import { until } from '../../support/service.js';
import { signIn } from '../../support/sign-in.js';
import { PortalRun } from './portal-run.js';

const MINUTE_MS = 60_000;
/** A recorded shop: checkout fails from 12 minutes ago until 4 minutes ago, the rest is well. */
const FAILS = { from: 12, to: 4 };
/** Well before it fails. */
const CALM_AGO = 16;
/** After so long (ms) another shop is recorded: what failed would leave the last quarter of an hour while a suite still looks at it. */
const FRESH_MS = 6 * MINUTE_MS;
const SPANS_A_MINUTE = 10;

/** A service, a browser and recorded data that several files of tests share. */
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

  /** Of a page of the Grid, below the portal. */
  path(page: string): string {
    return `/portal/g/${this.gridId}/${page}`;
  }

  url(page: string): string {
    return this.run.service.apiUrl + this.path(page);
  }

  /** A moment (ms since 1970) at which all was well. */
  get calmAt(): number {
    return this.past.at(CALM_AGO);
  }

  get isFresh(): boolean {
    return Date.now() - this.past.wholeMs < FRESH_MS;
  }

  /** Sends an export request, which has to be taken. */
  async send(signal: 'traces' | 'logs', request: object): Promise<void> {
    const response = await fetch(`${this.run.service.otlpHttpUrl}/v1/${signal}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'api-key': this.apiKey },
      body: JSON.stringify(request),
    });
    const told = await response.text();
    if (response.status !== 200 || told.includes('rejected')) throw new Error(`${signal} were refused: ${told}`);
  }

  /** Waits until all that was sent can be found. */
  async settled(): Promise<void> {
    await until(async () => {
      const counters = new Counters(await (await fetch(`${this.run.service.apiUrl}/metrics`)).text());
      return counters.sum('records_accepted_total') <= counters.sum('records_projected_total');
    }, 'all that was accepted is projected');
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

/** Starts it for the first who asks, and anew for a suite that comes late; it ends after all tests. Skips the suite where there is no Chromium. */
export async function sharedPortal(test: Context): Promise<SharedPortal> {
  if (started?.isFresh === false) {
    await started.run.stop();
    started = undefined;
  }
  return (started ??= await SharedPortal.start(test));
}

// A hook of the root suite: the files that share it come and go.
after(() => started?.run.stop());
