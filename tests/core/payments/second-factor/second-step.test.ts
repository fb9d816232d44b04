import test from 'ava'
import { digest } from '../../../../adapters/crypto/cipher.ts'
import { memoryLog } from '../../../../adapters/telemetry/log.ts'
import { always } from '../../../../core/kernel/records/record.ts'
import { challenges, useConfirmation } from '../../../../core/payments/challenges/challenge.ts'
import { payments, paymentsCollections } from '../../../../core/payments/payments.ts'
import { base32, fromBase32, matchTotp, totpAt, totpStep } from '../../../../core/payments/second-factor/totp.ts'
import { StoreUnavailable } from '../../../../core/ports/store.ts'
import { everyRecord } from '../../../every-record.ts'
import { beforeCommits } from '../../kernel/running/tasks.ts'
import { twoStores } from '../two-stores.ts'
import { ORIGIN, PASSWORD, right } from '../world.ts'
import {
  assertCodeOnce,
  assertGuessesCounted,
  assertPasskeyOnce,
  assertWrongCodesEnd,
  securedOn,
} from './two-processes.ts'

for (const [name, open] of Object.entries(twoStores)) {
  test(`accepts a code once, also for two challenges at the same instant in two processes: ${name}`, async (t) =>
    assertCodeOnce(t, await securedOn(await open(t))))

  test(`ends a challenge at five wrong codes, and locks the factor for an hour at ten: ${name}`, async (t) =>
    assertWrongCodesEnd(t, await securedOn(await open(t))))

  test(`opens one session by simultaneous responses of a passkey and its copy in two processes: ${name}`, async (t) =>
    assertPasskeyOnce(t, await securedOn(await open(t))))
}

test('compares five wrong codes of a challenge, also if many are sent at once to two processes', async (t) =>
  assertGuessesCounted(t, await securedOn(await twoStores.memory(t))))

test('uses a confirmation once if two processes decide on it from the same read', async (t) => {
  const { here, store, clock, caller, recoveryCodes } = await securedOn(await twoStores.memory(t))
  const { id } = right(await here.secondFactor.challenge(caller)())
  right(await here.secondFactor.prove(caller, { challenge: id, code: recoveryCodes[0] ?? '' })())
  const read = (await everyRecord(store, challenges)).find(({ purpose }) => purpose === 'confirmation')
  const [now, steady] = [clock.now(), clock.steady()]
  const changes = [1, 2].map(() => right(useConfirmation(read, caller.userId, { now, steady })))
  const committed = []
  for (const change of changes) committed.push((await store.commit([change])).ok)
  t.deepEqual(committed, [true, false])
})

test('trusts a device for 30 days, until the password or the factor changes', async (t) => {
  const { here, clock, caller, recoveryCodes, codeAt, challenge, complete } = await securedOn(await twoStores.memory(t))
  let used = 0
  const trusted = async () => {
    used += 1
    const done = right(await complete(here, await challenge(), recoveryCodes[used] ?? '', true))
    return done.deviceToken ?? ''
  }
  const first = await trusted()
  t.is(await challenge(first), null)
  t.not(await challenge(`${first}x`), null)
  clock.advance(30 * 24 * 3_600)
  t.not(await challenge(first), null)
  const change = async (code: string) =>
    right(await here.secondFactor.remove(caller, { password: PASSWORD, code }, ORIGIN)())
  const second = await trusted()
  await change(codeAt(0))
  const { secret } = right(await here.secondFactor.start(caller, { password: PASSWORD }, ORIGIN)())
  const code = totpAt(digest, fromBase32(secret), totpStep(clock.now()))
  right(await here.secondFactor.confirm(caller, { code })())
  t.not(await challenge(second), null)
  t.deepEqual(right(await here.secondFactor.listDevices(caller)()), [])
})

test('stores, logs and answers no secret, code or token in the clear, also while the store fails', async (t) => {
  const shop = await securedOn(await twoStores.memory(t))
  const { here, store, caller, secret, recoveryCodes, codeAt, challenge, complete } = shop
  const code = codeAt(1)
  const { deviceToken } = right(await complete(here, await challenge(), code, true))
  const id = await challenge()
  right(await complete(here, id, recoveryCodes[1] ?? ''))
  t.is(recoveryCodes.length, 10)
  const log = memoryLog()
  const full = beforeCommits(store, () => Promise.reject(new StoreUnavailable('the disk is full')))
  const sick = payments({ ...here.ports, log, store: full })
  const [, , third = '', fourth = ''] = recoveryCodes
  const failures = [
    await complete(sick, await challenge(), third),
    await sick.secondFactor.replaceRecoveryCodes(caller, { code: fourth })(),
    await sick.secondFactor.remove(caller, { password: PASSWORD, code: fourth }, ORIGIN)(),
  ]
  for (const each of failures) t.like(each, { left: { code: 'store.unavailable' } })
  let stored = JSON.stringify([failures, log.warnings, log.errors])
  for (const from of paymentsCollections)
    for await (const record of store.scan(from, always)) stored += JSON.stringify(record)
  for (const text of [
    secret,
    ...recoveryCodes,
    ...recoveryCodes.map((each) => each.replaceAll('-', '')),
    deviceToken ?? '',
    id ?? '',
  ])
    t.false(stored.includes(text))
  t.false(new RegExp(`"${code}"`).test(stored))
  t.true(
    (await everyRecord(store, challenges)).every(
      ({ provedAt, provedBy }) => (provedAt === null) === (provedBy === null),
    ),
  )
})

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
