/** The id that fakes of commands give to whatever they create. */
export const MINTED = 'c0ffee00-1111-4222-8333-0123456789ab';
