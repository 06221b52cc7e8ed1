import { LOG_RECORD } from '../wire/otlp-field-tags.js';
import { RequestValidator } from './request-validator.js';
import { RejectionReason } from './record-rejections.js';

/**
 * Validates log records, which have no mandatory fields. A record with malformed ids is stored uncorrelated; one
 * without a time uses the observed time, else the time of arrival, which is always within bounds.
 */
export class LogValidator extends RequestValidator {
  private timeLo = 0;
  private timeHi = 0;
  private observedLo = 0;
  private observedHi = 0;

  protected override visitRecord(end: number): void {
    this.reason = RejectionReason.None;
    this.checkRecordSize(end);
    this.timeLo = this.timeHi = this.observedLo = this.observedHi = 0;
    while (this.reader.pos < end) this.checkField(end);
    const isTimed = this.timeLo !== 0 || this.timeHi !== 0;
    const hi = isTimed ? this.timeHi : this.observedHi;
    const lo = isTimed ? this.timeLo : this.observedLo;
    if (hi !== 0 || lo !== 0) this.checkTime(hi, lo);
    this.finishRecord(hi, lo);
  }

  private checkField(limit: number): void {
    const { reader } = this;
    const tag = reader.readTag(limit);
    switch (tag) {
      case LOG_RECORD.attribute:
        this.checkAttribute(reader.readPayloadEnd(limit));
        break;
      case LOG_RECORD.body:
        this.checkAnyValue(reader.readPayloadEnd(limit), 1);
        break;
      case LOG_RECORD.severityText:
      case LOG_RECORD.eventName:
        this.checkString(limit);
        break;
      case LOG_RECORD.time:
        reader.readFixed64(limit);
        this.timeLo = reader.lo;
        this.timeHi = reader.hi;
        break;
      case LOG_RECORD.observedTime:
        reader.readFixed64(limit);
        this.observedLo = reader.lo;
        this.observedHi = reader.hi;
        break;
      default:
        reader.skip(tag, limit);
    }
  }
}
