/** The little of WebAssembly that unzstd.ts uses: its types are part of the DOM library, which a server does without. */
declare namespace WebAssembly {
  /** Compiled code, without a memory. */
  type Module = object;

  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, () => void>>);
    readonly exports: object;
  }

  interface WebAssemblyInstantiatedSource {
    readonly module: Module;
  }
}
