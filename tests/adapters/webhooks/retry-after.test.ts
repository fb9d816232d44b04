import test from 'ava'
import fc from 'fast-check'
import { MAX_RETRY_AFTER_SECONDS, retryAfterSeconds } from '../../../adapters/webhooks/http-sender.ts'

const NOW = Date.parse('2026-11-21T13:05:09.500Z')
const DATE = 'Sat, 21 Nov 2026 13:00:00 GMT'

test('seconds are taken as they are, up to a week', (t) => {
  t.is(retryAfterSeconds('0', DATE, NOW), 0)
  t.is(retryAfterSeconds(' 120 ', undefined, NOW), 120)
  t.is(retryAfterSeconds('99999999999', DATE, NOW), MAX_RETRY_AFTER_SECONDS)
  t.is(retryAfterSeconds('9'.repeat(400), DATE, NOW), MAX_RETRY_AFTER_SECONDS)
})

test('a date is counted from the date of the answer, and from now where that is absent or bad', (t) => {
  const until = 'Sat, 21 Nov 2026 13:06:00 GMT'
  t.is(retryAfterSeconds(until, DATE, NOW), 360)
  t.is(retryAfterSeconds(until, undefined, NOW), 51)
  t.is(retryAfterSeconds(until, 'today', NOW), 51)
})

test('a date that has gone by is none to wait for, a far one a week', (t) => {
  t.is(retryAfterSeconds('Sat, 21 Nov 2026 12:00:00 GMT', DATE, NOW), 0)
  t.is(retryAfterSeconds('Fri, 31 Dec 9999 23:59:59 GMT', DATE, NOW), MAX_RETRY_AFTER_SECONDS)
})

test('the old form of a date is read too', (t) => {
  t.is(retryAfterSeconds('Sunday, 06-Nov-94 08:49:37 GMT', 'Sun, 06 Nov 1994 08:49:07 GMT', NOW), 30)
})

test('what is absent or says nothing is null', (t) => {
  const bad = [undefined, '', ' ', '-1', '1.5', '+5', '1e3', '0x10', '5s', 'soon', '2026-11-21', 'Nov 21 2026', '1, 2']
  const badDates = [
    'Sat, 45 Nov 2026 13:06:00 GMT',
    'Sat, 21 Xxx 2026 13:06:00 GMT',
    'Sat, 21 Nov 2026 13:06:00',
    `${DATE} x`,
  ]
  for (const header of [...bad, ...badDates]) t.is(retryAfterSeconds(header, DATE, NOW), null, header)
})

test('whatever comes, the answer is null or a whole number of seconds within a week', (t) => {
  const sane = fc.property(fc.string(), fc.string(), (header, date) => {
    const seconds = retryAfterSeconds(header, date, NOW)
    return seconds === null || (Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_RETRY_AFTER_SECONDS)
  })
  t.notThrows(() => fc.assert(sane))
})
