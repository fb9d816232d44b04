import type { ExecutionContext } from 'ava'
import { digest } from '../../../../adapters/crypto/cipher.ts'
import { isSecondStepRequired } from '../../../../core/payments/access/log-in.ts'
import { payments } from '../../../../core/payments/payments.ts'
import { fromBase32, totpAt, totpStep } from '../../../../core/payments/second-factor/totp.ts'
import type { Store } from '../../../../core/ports/store.ts'
import { softwareAuthenticator } from '../../../adapters/passkeys/software-authenticator.ts'
import { asserted, created, optionsOf, passkeys, SITE } from '../facade/passkey-story.ts'
import { failureOf, ORIGIN, PASSWORD, right, withPerson } from '../world.ts'

const EMAIL = 'maria@example.com'

/** Maria with a second factor, and two processes. */
export const securedOn = async ([store, other]: readonly [Store, Store]) => {
  const { pay: here, ports, clock, caller } = await withPerson({ store, instead: () => ({ passkeys }) })
  const there = payments({ ...ports, store: other })
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

export const codesOf = (outcomes: readonly Parameters<typeof failureOf>[0][]) =>
  outcomes.map((outcome) => (failureOf(outcome) as { code: string } | null)?.code ?? 'ok').sort()

type Two = Awaited<ReturnType<typeof securedOn>>

/** Asserts that a code is accepted once, also for two challenges at the same instant in two processes. */
export const assertCodeOnce = async (t: ExecutionContext, two: Two): Promise<void> => {
  const { here, there, recoveryCodes, codeAt, challenge, complete } = two
  for (const code of [codeAt(1), recoveryCodes[0] ?? '']) {
    const ids = [await challenge(), await challenge(), await challenge()]
    const both = await Promise.all([complete(here, ids[0] ?? null, code), complete(there, ids[1] ?? null, code)])
    t.deepEqual(codesOf(both), ['ok', 'second-factor.wrong'])
    t.deepEqual(codesOf([await complete(there, ids[2] ?? null, code)]), ['second-factor.wrong'])
  }
  t.is(right(await here.secondFactor.read({ userId: 1, boundTo: null })()).recoveryCodesLeft, 9)
}

/** Asserts that five wrong codes end a challenge, and that ten within an hour lock the factor for an hour. */
export const assertWrongCodesEnd = async (t: ExecutionContext, two: Two): Promise<void> => {
  const { here, there, clock, codeAt, challenge, complete } = two
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
}

/** Asserts that many wrong codes at once, to two processes, are compared five times. */
export const assertGuessesCounted = async (t: ExecutionContext, two: Two): Promise<void> => {
  const { here, there, challenge, complete } = two
  const id = await challenge()
  const guesses = Array.from({ length: 40 }, (_, n) => complete(n % 2 ? here : there, id, '000000'))
  const outcomes = codesOf(await Promise.all(guesses))
  // A guess that lost every race for the record got 503 and was not compared.
  while (outcomes.at(-1) !== 'challenge.ended') outcomes.push(...codesOf([await complete(here, id, '000000')]))
  t.is(outcomes.filter((code) => code === 'second-factor.wrong').length, 5)
}

/**
 * Asserts that of simultaneous responses of a passkey in two processes one opens a session: sends of one response, also
 * without a counter, and responses of a passkey and its copy, which have the same counter.
 */
export const assertPasskeyOnce = async (
  t: ExecutionContext,
  { here, there, caller, recoveryCodes }: Two,
): Promise<void> => {
  const authenticator = softwareAuthenticator(SITE)
  const { id: confirmation } = right(await here.secondFactor.challenge(caller)())
  right(await here.secondFactor.prove(caller, { challenge: confirmation, code: recoveryCodes[5] ?? '' })())
  const confirmed = { ...caller, confirmation, passwordRecentUntil: '2100-01-01T00:00:00.000Z' }
  const begun = right(await here.passkeys.beginRegistration(confirmed)())
  const credential = created(authenticator.create(optionsOf(begun), { counter: 0 }))
  right(await here.passkeys.register(confirmed, { name: 'Celular', ceremony: begun.ceremony.id, credential })())
  const respond = async (counter: number) => {
    const request = right(await here.passkeys.beginLogIn()())
    return { ceremony: request.ceremony.id, credential: asserted(authenticator.get(optionsOf(request), { counter })) }
  }
  const response = await respond(0)
  const sends = await Promise.all([here, there, here, there].map((pay) => pay.passkeys.logIn(response, ORIGIN)()))
  t.deepEqual(codesOf(sends), ['ok', 'passkey.wrong', 'passkey.wrong', 'passkey.wrong'])
  const copies = [await respond(90), await respond(90)] as const
  const uses = [here.passkeys.logIn(copies[0], ORIGIN)(), there.passkeys.logIn(copies[1], ORIGIN)()]
  t.deepEqual(codesOf(await Promise.all(uses)), ['ok', 'passkey.wrong'])
}
