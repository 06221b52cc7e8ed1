import { constants, type ServerHttp2Stream } from 'node:http2';

/**
 * Resets a stream whose request has not come to its end in time. Node does this for HTTP/1.1 (`requestTimeout`) and not
 * for HTTP/2, where a sender that brings a byte now and then would keep its place for ever. What comes after the request,
 * such as waiting for the store, has no part in it. The connection and its other streams live on.
 */
export function limitRequestTime(stream: ServerHttp2Stream, ms: number): void {
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), ms);
  const done = (): void => clearTimeout(timer);
  stream.once('end', done).once('close', done);
}
