/** Id of every object created by fake commands. */
export const CREATED_ID = 'c0ffee00-1111-4222-8333-0123456789ab';
