import { Problem } from '../problems/problem.js';
import type { Found, Router } from '../router.js';

/** 404 for a path that no operation has, 405 with `Allow` for one that takes other methods. */
export function locate(router: Router, method: string, path: string): Found {
  const match = router.match(method, path);
  switch (match.kind) {
    case 'found':
      return match;
    case 'unknown-path':
      throw new Problem('not-found', 'There is no such path.');
    case 'other-methods': {
      const allow = match.allow.join(', ');
      throw new Problem('method-not-allowed', `This path takes ${allow}.`, { headers: { Allow: allow } });
    }
  }
}
