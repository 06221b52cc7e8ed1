import type { ErrorRequestHandler } from 'express';
import type { ServiceLog } from '../service-log.js';
import { sendBytes } from '../send.js';
import { requestIdOf } from '../correlation.js';
import { splitTarget } from '../target.js';
import { problemDocument } from './problem.js';
import { toProblem } from './translate.js';

/** The one place that turns errors into answers. What is the service's own fault is logged here, with its cause. */
export function answerWithProblems(publicUrl: string, log: ServiceLog, now: () => number = Date.now): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    const requestId = requestIdOf(response);
    const problem = toProblem(error, requestId, now());
    const { path } = splitTarget(request.originalUrl);
    if (problem.status >= 500) {
      log.error('A request failed', { requestId, method: request.method, path, problem: problem.slug, error: problem.cause ?? problem });
    }
    if (response.headersSent) {
      // Half an answer is on the wire: cutting the connection is the only way left to say that it is not whole.
      response.destroy();
      return;
    }
    for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
    sendBytes(response, problem.status, 'application/problem+json', JSON.stringify(problemDocument(problem, publicUrl, path)));
  };
}
