/** A week: a receiver cannot put its delivery off for longer, nor make an instant that no calendar has. */
export const MAX_RETRY_AFTER_SECONDS = 7 * 24 * 3600

const SECONDS = /^\d+$/
/** The forms of an HTTP date that carry a zone; the zone is always GMT (RFC 9110 §5.6.7). */
const HTTP_DATE = /^[A-Za-z]{3,9}, \d{2}[ -][A-Za-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/

const instantMsOf = (text: string | undefined): number | null => {
  const instantMs = text !== undefined && HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(instantMs) ? null : instantMs
}

/**
 * Seconds that a `Retry-After` header asks for, counted from the answer's own `Date` (from `nowMs` where it has none),
 * so that the receiver's clock may be wrong; null where the header is absent or says nothing.
 *
 * Source: RFC 9110 §10.2.3.
 */
export const retryAfterSeconds = (header: string | undefined, date: string | undefined, nowMs: number) => {
  const text = header?.trim() ?? ''
  if (SECONDS.test(text)) return Math.min(Number(text), MAX_RETRY_AFTER_SECONDS)
  const untilMs = instantMsOf(text)
  if (untilMs === null) return null
  const seconds = Math.ceil((untilMs - (instantMsOf(date?.trim()) ?? nowMs)) / 1000)
  return Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS)
}
