import test, { type ExecutionContext } from 'ava'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { digest } from '../../../../adapters/crypto/cipher.ts'
import { memoryPorts } from '../../../../adapters/memory/memory-ports.ts'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { sqliteStore } from '../../../../adapters/sqlite/store.ts'
import { always } from '../../../../core/kernel/records/record.ts'
import { isSecondStepRequired } from '../../../../core/payments/access/log-in.ts'
import { challenges } from '../../../../core/payments/challenges/challenge.ts'
import { payments, paymentsCollections } from '../../../../core/payments/payments.ts'
import { fromBase32, totpAt, totpStep } from '../../../../core/payments/second-factor/totp.ts'
import { someFile } from '../../../adapters/sqlite/file.ts'
import { cheapHasher, everyOf, failureOf, NOW, ORIGIN, PASSWORD, right } from '../access/test-ports.ts'

const EMAIL = 'maria@example.com'

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

/** Maria with a second factor, and two processes. */
const securedOn = async (t: ExecutionContext, open: (typeof stores)[keyof typeof stores]) => {
  const clock = setClock(NOW)
  const [store, other] = await open(t)
  const { hasher } = cheapHasher()
  const ports = memoryPorts({ store, clock, hasher })
  const here = payments(ports)
  const there = payments({ ...ports, store: other })
  const signedIn = right(await here.people.register({ name: 'Maria', email: EMAIL, password: PASSWORD }, ORIGIN)())
  const caller = right(await here.sessions.authenticate(signedIn.accessToken)())
  const { secret } = right(await here.secondFactor.start(caller, { password: PASSWORD }, ORIGIN)())
  const codeAt = (later: number) => totpAt(digest, fromBase32(secret), totpStep(clock.now()) + later)
  const { recoveryCodes } = right(await here.secondFactor.confirm(caller, { code: codeAt(0) })())
  const challenge = async (deviceToken?: string) => {
    const credentials = { email: EMAIL, password: PASSWORD, ...(deviceToken !== undefined && { deviceToken }) }
    const begun = right(await here.sessions.beginLogIn(credentials, ORIGIN)())
    return isSecondStepRequired(begun) ? begun.challenge.id : null
  }
  const complete = (pay: typeof here, id: string | null, code: string, trustDevice = false) =>
    pay.secondFactor.completeLogIn({ challenge: id ?? '', code, trustDevice }, ORIGIN)()
  return { here, there, clock, store, caller, secret, recoveryCodes, codeAt, challenge, complete }
}

const codesOf = (outcomes: readonly Parameters<typeof failureOf>[0][]) =>
  outcomes.map((outcome) => (failureOf(outcome) as { code: string } | null)?.code ?? 'ok').sort()

for (const [name, open] of Object.entries(stores)) {
  test(`accepts a code once, also for two challenges at the same instant in two processes: ${name}`, async (t) => {
    const { here, there, recoveryCodes, codeAt, challenge, complete } = await securedOn(t, open)
    for (const code of [codeAt(1), recoveryCodes[0] ?? '']) {
      const ids = [await challenge(), await challenge(), await challenge()]
      const both = await Promise.all([complete(here, ids[0] ?? null, code), complete(there, ids[1] ?? null, code)])
      t.deepEqual(codesOf(both), ['ok', 'second-factor.wrong'])
      t.deepEqual(codesOf([await complete(there, ids[2] ?? null, code)]), ['second-factor.wrong'])
    }
    t.is(right(await here.secondFactor.read({ userId: 1, boundTo: null })()).recoveryCodesLeft, 9)
  })

  test(`ends a challenge at five wrong codes, and locks the factor for an hour at ten: ${name}`, async (t) => {
    const { here, there, clock, codeAt, challenge, complete } = await securedOn(t, open)
    const ids = [await challenge(), await challenge(), await challenge()]
    for (const id of ids.slice(0, 2)) {
      for (let n = 0; n < 5; n += 1)
        t.deepEqual(codesOf([await complete(n % 2 ? here : there, id ?? null, '000000')]), ['second-factor.wrong'])
      if (id === ids[0]) t.deepEqual(codesOf([await complete(here, id ?? null, codeAt(1))]), ['challenge.ended'])
    }
    t.deepEqual(codesOf([await complete(there, ids[2] ?? null, codeAt(1))]), ['second-factor.locked'])
    clock.advance(3_599)
    t.deepEqual(codesOf([await complete(here, await challenge(), codeAt(0))]), ['second-factor.locked'])
    clock.advance(1)
    t.deepEqual(codesOf([await complete(here, await challenge(), codeAt(0))]), ['ok'])
  })
}

test('compares five wrong codes of a challenge, also if many are sent at once to two processes', async (t) => {
  const { here, there, challenge, complete } = await securedOn(t, stores.memory)
  const id = await challenge()
  const guesses = Array.from({ length: 40 }, (_, n) => complete(n % 2 ? here : there, id, '000000'))
  const outcomes = codesOf(await Promise.all(guesses))
  // A guess that lost every race for the record got 503 and was not compared.
  while (outcomes.at(-1) !== 'challenge.ended') outcomes.push(...codesOf([await complete(here, id, '000000')]))
  t.is(outcomes.filter((code) => code === 'second-factor.wrong').length, 5)
})

test('trusts a device for 30 days, until the password or the factor changes', async (t) => {
  const { here, clock, caller, recoveryCodes, codeAt, challenge, complete } = await securedOn(t, stores.memory)
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

test('stores no secret, code or token in the clear', async (t) => {
  const { here, store, secret, recoveryCodes, codeAt, challenge, complete } = await securedOn(t, stores.memory)
  const code = codeAt(1)
  const { deviceToken } = right(await complete(here, await challenge(), code, true))
  const id = await challenge()
  right(await complete(here, id, recoveryCodes[1] ?? ''))
  let stored = ''
  for (const from of paymentsCollections)
    if (from !== challenges) for await (const record of store.scan(from, always)) stored += JSON.stringify(record)
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
    (await everyOf(store)(challenges)).every(({ provedAt, provedBy }) => (provedAt === null) === (provedBy === null)),
  )
})
