import test, { type ExecutionContext } from 'ava'
import { digest } from '../../../../adapters/crypto/cipher.ts'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { sqliteStore } from '../../../../adapters/sqlite/store.ts'
import { memoryLog } from '../../../../adapters/telemetry/log.ts'
import { always } from '../../../../core/kernel/records/record.ts'
import { challenges } from '../../../../core/payments/challenges/challenge.ts'
import { payments, paymentsCollections } from '../../../../core/payments/payments.ts'
import { fromBase32, totpAt, totpStep } from '../../../../core/payments/second-factor/totp.ts'
import { StoreUnavailable } from '../../../../core/ports/store.ts'
import { someFile } from '../../../adapters/sqlite/file.ts'
import { everyRecord } from '../../../every-record.ts'
import { beforeCommits } from '../../kernel/running/tasks.ts'
import { ORIGIN, PASSWORD, right } from '../world.ts'
import {
  assertCodeOnce,
  assertGuessesCounted,
  assertPasskeyOnce,
  assertWrongCodesEnd,
  securedOn,
} from './two-processes.ts'

/** Opens two handles on one store: two processes. */
const stores = {
  memory: async (_: ExecutionContext) => {
    const store = memoryStore(paymentsCollections)
    return [store, store] as const
  },
  SQLite: async (t: ExecutionContext) => {
    const { path, remove } = await someFile()
    const handles = [
      await sqliteStore(path, paymentsCollections),
      await sqliteStore(path, paymentsCollections),
    ] as const
    t.teardown(async () => {
      for (const handle of handles) await handle.close()
      await remove()
    })
    return handles
  },
}

for (const [name, open] of Object.entries(stores)) {
  test(`accepts a code once, also for two challenges at the same instant in two processes: ${name}`, async (t) =>
    assertCodeOnce(t, await securedOn(await open(t))))

  test(`ends a challenge at five wrong codes, and locks the factor for an hour at ten: ${name}`, async (t) =>
    assertWrongCodesEnd(t, await securedOn(await open(t))))

  test(`opens one session by simultaneous responses of a passkey and its copy in two processes: ${name}`, async (t) =>
    assertPasskeyOnce(t, await securedOn(await open(t))))
}

test('compares five wrong codes of a challenge, also if many are sent at once to two processes', async (t) =>
  assertGuessesCounted(t, await securedOn(await stores.memory(t))))

test('trusts a device for 30 days, until the password or the factor changes', async (t) => {
  const { here, clock, caller, recoveryCodes, codeAt, challenge, complete } = await securedOn(await stores.memory(t))
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
  const shop = await securedOn(await stores.memory(t))
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
