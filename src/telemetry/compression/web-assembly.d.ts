/**
 * The part of WebAssembly that decompress-zstd.ts uses: its types belong to the DOM library, which this server does not
 * load.
 */
declare namespace WebAssembly {
  /** Compiled code without memory. */
  type Module = object;

  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, () => void>>);
    readonly exports: object;
  }

  interface WebAssemblyInstantiatedSource {
    readonly module: Module;
  }
}
