/** Compression of a body, by its HTTP content-coding name. */
export type Encoding = 'identity' | 'gzip' | 'deflate' | 'zstd';
