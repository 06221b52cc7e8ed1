import assert from 'node:assert/strict';
import type { ApiClient } from './api-client.js';
import type { BlackBox } from './black-box.js';
import { signInAutomation } from './sign-in.js';

export interface RangeData {
  readonly chartId: string;
  readonly title: string;
  readonly unit: string;
  readonly rangeStart: string;
  readonly rangeEnd: string;
  readonly series: readonly {
    readonly label: string;
    readonly dataPoints: readonly { readonly timestamp: string; readonly value: number }[];
  }[];
}

/** Fields of a chart definition; absent ones have the defaults of the specification. */
export interface ChartFields {
  readonly metric: string;
  readonly title?: string;
  readonly chartType?: string;
  readonly serviceName?: string;
  readonly groupBy?: string;
  readonly aggregation?: string;
  readonly unit?: string;
}

type Asked = Pick<BlackBox, 'service' | 'gridId' | 'api'>;

/** A client that creates charts and reads their data. */
export class ChartClient {
  private constructor(
    private readonly box: Asked,
    readonly admin: ApiClient,
  ) {}

  /** Signs in again, since the service address and therefore its issuer changes with every start. */
  static async with(box: Asked): Promise<ChartClient> {
    return new ChartClient(box, await signInAutomation(box.service.apiUrl));
  }

  /** Creates a chart and returns its id. */
  async create(fields: ChartFields): Promise<string> {
    const { status, body } = await this.admin.post<{ id: string }>(`/admin/grids/${this.box.gridId}/charts`, {
      title: fields.metric,
      chartType: 'line',
      ...fields,
    });
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  }

  async rangeData(chartId: string, query = ''): Promise<RangeData> {
    const { status, body } = await this.box.api.get<RangeData>(
      `/apm/charts/${this.box.gridId}/charts/${chartId}/range-data${query}`,
    );
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  /** Creates a chart and returns its data over a time range (ms since 1970). */
  async show(fields: ChartFields, fromMs: number, toMs: number): Promise<RangeData> {
    return this.rangeData(
      await this.create(fields),
      `?rangeStart=${new Date(fromMs).toISOString()}&rangeEnd=${new Date(toMs).toISOString()}`,
    );
  }
}
