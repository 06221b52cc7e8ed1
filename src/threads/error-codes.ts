import { transferHandlers, type TransferHandler } from 'comlink';
import { HindsightError, type ErrorCode, type FieldError } from '../errors.js';

type Thrown = { readonly isError: boolean; readonly value: { readonly message: string; readonly name?: string } };
type WithCode = Thrown & { readonly code?: ErrorCode; readonly fields?: readonly FieldError[]; readonly retryAtMs?: number };

let installed = false;

/** comlink carries message, name and stack of an error; our codes tell whether a retry helps, and some when, so they travel too. */
export function carryErrorCodes(): void {
  if (installed) return;
  installed = true;
  const thrown = transferHandlers.get('throw') as TransferHandler<{ value: unknown }, Thrown>;
  const carrying: TransferHandler<{ value: unknown }, WithCode> = {
    canHandle: (value): value is { value: unknown } => thrown.canHandle(value),
    serialize(value) {
      const [wire, transferables] = thrown.serialize(value);
      const error = value.value;
      if (!(error instanceof HindsightError)) return [wire, transferables];
      const { code, fields, retryAtMs } = error;
      return [{ ...wire, code, fields, retryAtMs }, transferables];
    },
    deserialize(wire) {
      if (wire.code !== undefined) throw new HindsightError(wire.code, wire.value.message, wire.fields, { retryAtMs: wire.retryAtMs });
      return thrown.deserialize(wire);
    },
  };
  transferHandlers.set('throw', carrying);
}
