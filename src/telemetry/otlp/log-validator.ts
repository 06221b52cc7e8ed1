import { LOG_RECORD } from './fields.js';
import { RequestValidator } from './request-validator.js';
import { Fault } from './verdicts.js';

/**
 * Log records need nothing. One with malformed ids is kept as uncorrelated, one without a time takes the observed time,
 * else the time of arrival, which is never out of bounds.
 */
export class LogValidator extends RequestValidator {
  private timeLo = 0;
  private timeHi = 0;
  private observedLo = 0;
  private observedHi = 0;

  protected override record(end: number): void {
    this.fault = Fault.None;
    this.size(end);
    this.timeLo = this.timeHi = this.observedLo = this.observedHi = 0;
    while (this.reader.pos < end) this.field(end);
    const isTimed = this.timeLo !== 0 || this.timeHi !== 0;
    const hi = isTimed ? this.timeHi : this.observedHi;
    const lo = isTimed ? this.timeLo : this.observedLo;
    if (hi !== 0 || lo !== 0) this.time(hi, lo);
    this.judged(hi, lo);
  }

  private field(limit: number): void {
    const { reader } = this;
    const tag = reader.tag(limit);
    switch (tag) {
      case LOG_RECORD.attribute:
        this.attribute(reader.end(limit));
        break;
      case LOG_RECORD.body:
        this.anyValue(reader.end(limit), 1);
        break;
      case LOG_RECORD.severityText:
      case LOG_RECORD.eventName:
        this.string(limit);
        break;
      case LOG_RECORD.time:
        reader.fixed64(limit);
        this.timeLo = reader.lo;
        this.timeHi = reader.hi;
        break;
      case LOG_RECORD.observedTime:
        reader.fixed64(limit);
        this.observedLo = reader.lo;
        this.observedHi = reader.hi;
        break;
      default:
        reader.skip(tag, limit);
    }
  }
}
