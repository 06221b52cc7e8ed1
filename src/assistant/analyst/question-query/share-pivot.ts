/** Stands in the text where the asked part of a share begins: "requests | that took more than 400 ms". */
export const SHARE_PIVOT = '\uEFFF';
