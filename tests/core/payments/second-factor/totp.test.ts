import test from 'ava'
import { digest } from '../../../../adapters/crypto/cipher.ts'
import { base32, fromBase32, matchTotp, totpAt, totpStep } from '../../../../core/payments/second-factor/totp.ts'

/** The secret of the test vectors. */
const SECRET = new TextEncoder().encode('12345678901234567890')

/** RFC 6238, appendix B, SHA-1: eight digits. */
const VECTORS: readonly (readonly [time: string, code: string])[] = [
  ['1970-01-01T00:00:59.000Z', '94287082'],
  ['2005-03-18T01:58:29.000Z', '07081804'],
  ['2005-03-18T01:58:31.000Z', '14050471'],
  ['2009-02-13T23:31:30.000Z', '89005924'],
  ['2033-05-18T03:33:20.000Z', '69279037'],
  ['2603-10-11T11:33:20.000Z', '65353130'],
]

test('returns the codes of RFC 6238, appendix B', (t) => {
  for (const [time, code] of VECTORS) {
    t.is(totpAt(digest, SECRET, totpStep(time), 8), code, time)
    t.is(totpAt(digest, SECRET, totpStep(time)), code.slice(2), time)
  }
})

test('accepts a clock that is 30 s off in either direction, no more, and no step that was used', (t) => {
  const now = '2026-11-21T13:05:09.123Z'
  const present = totpStep(now)
  const step = (drift: number, lastStep: number | null) => {
    const matched = matchTotp(digest, SECRET, totpAt(digest, SECRET, present + drift), { now, lastStep })
    return matched && matched - present
  }
  t.deepEqual(
    [-2, -1, 0, 1, 2].map((drift) => step(drift, null)),
    [null, -1, 0, 1, null],
  )
  t.deepEqual(
    [-1, 0, 1].map((drift) => step(drift, present)),
    [null, null, 1],
  )
})

test('writes secrets in base32, and reads them back', (t) => {
  t.is(base32(SECRET), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  t.deepEqual(fromBase32(base32(SECRET)), SECRET)
})
