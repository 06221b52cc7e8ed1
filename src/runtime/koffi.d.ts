/** The part of the package's API that we use. The package is optional: the program is built without it as well. */
declare module 'koffi' {
  interface NativeFunction {
    /** Calls the function in this thread. */
    (...args: unknown[]): number;
    /** Calls the function in a thread of libuv. */
    async(...args: [...unknown[], callback: (error: Error | null, result: number) => void]): void;
  }

  interface Library {
    /** `prototype`: a declaration in C. Throws if the library has no such function. */
    func(prototype: string): NativeFunction;
  }

  const koffi: {
    /** Throws if there is no such library. */
    load(file: string): Library;
  };
  export default koffi;
}
