/** HTTP client for the API of a running service. */
export class ApiClient {
  constructor(
    private readonly baseUrl: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** A client with additional headers. */
  with(headers: Readonly<Record<string, string>>): ApiClient {
    return new ApiClient(this.baseUrl, { ...this.headers, ...headers });
  }

  get<T = Record<string, unknown>>(path: string): Promise<Answer<T>> {
    return this.call('GET', path);
  }

  post<T = Record<string, unknown>>(path: string, body: unknown): Promise<Answer<T>> {
    return this.call('POST', path, body);
  }

  put<T = Record<string, unknown>>(path: string, body: unknown): Promise<Answer<T>> {
    return this.call('PUT', path, body);
  }

  patch<T = Record<string, unknown>>(path: string, body: unknown): Promise<Answer<T>> {
    return this.call('PATCH', path, body);
  }

  delete(path: string): Promise<Answer<undefined>> {
    return this.call('DELETE', path);
  }

  /** For responses that are not JSON. */
  async bytes(method: string, path: string, body?: unknown): Promise<Answer<Uint8Array>> {
    const response = await this.fetch(method, path, body);
    return { status: response.status, headers: response.headers, body: new Uint8Array(await response.arrayBuffer()) };
  }

  private async call<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const response = await this.fetch(method, path, body);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as T,
    };
  }

  private fetch(method: string, path: string, body: unknown): Promise<Response> {
    return fetch(this.baseUrl + path, {
      method,
      headers: {
        'x-api-version': '2.0',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...this.headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }
}

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}
