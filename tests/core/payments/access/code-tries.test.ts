import test from 'ava'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { always, insert, patch } from '../../../../core/kernel/records/record.ts'
import { sweepAll } from '../../../../core/kernel/running/jobs.ts'
import { addSeconds } from '../../../../core/kernel/values/day.ts'
import type { Origin } from '../../../../core/office/audit.ts'
import { sweepsOf } from '../../../../core/office/worker.ts'
import { codes } from '../../../../core/payments/access/code.ts'
import {
  checkCodeTries,
  codeTryCounts,
  countTry,
  uncountRightCode,
} from '../../../../core/payments/access/code-tries.ts'
import { sendVerificationCode } from '../../../../core/payments/access/email-verification.ts'
import {
  forgotPassword,
  passwordLinks,
  resetByToken,
  resetPassword,
} from '../../../../core/payments/access/password-reset.ts'
import { users } from '../../../../core/payments/members/user.ts'
import { parts, paymentsCollections } from '../../../../core/payments/payments.ts'
import type { PaymentsPorts } from '../../../../core/payments/payments-ports.ts'
import { beforeCommits } from '../../kernel/running/tasks.ts'
import { column, failureOf, openPayments, right } from '../world.ts'

const EMAIL = 'maria@example.com'
const HOUR = 3_600
const DAY = 24 * HOUR
const NEW = 'outra bem longa'

const from = (address: string): Origin => ({ address, device: null })
/** One address of a network of its own. */
const place = (number: number): Origin => from(`203.0.${Math.floor(number / 250)}.${number % 250}`)

/** A user with a recovery code, on ports that count comparisons and commits. */
const recovery = async () => {
  let [compared, commits] = [0, 0]
  const store = beforeCommits(memoryStore(paymentsCollections), () => {
    commits += 1
  })
  const here = openPayments({ store })
  const digest = {
    ...here.ports.digest,
    equal: (a: string, b: string) => {
      compared += 1
      return here.ports.digest.equal(a, b)
    },
  }
  const ports: PaymentsPorts = { ...here.ports, digest }
  await here.person(EMAIL)
  const reset = resetPassword(ports)
  const seen = new Set<string>()
  const newest = async (email = EMAIL): Promise<string> => {
    const mails = (await here.mailsTo(email)).filter((text) => !seen.has(text))
    for (const text of mails) seen.add(text)
    return mails.flatMap((text) => /^(?:\d{6}|[A-Z2-9]{20})$/m.exec(text)?.[0] ?? []).at(-1) ?? ''
  }
  await newest()
  return {
    ...here,
    ports,
    newest,
    compared: () => compared,
    commits: () => commits,
    forgot: async (email = EMAIL) => {
      right(await forgotPassword(ports)({ email })())
      return newest(email)
    },
    /** Returns null if the password was set, else the failure code. */
    type: async (code: string, origin: Origin | null, email = EMAIL) =>
      failureOf(await reset({ email, code, password: NEW }, origin)())?.code ?? null,
  }
}

const other = (code: string): string => (code === '000000' ? '000001' : '000000')
const WRONG = 'code.invalid'

test('rejects a code from an address after five wrong tries, and from every address after twenty', async (t) => {
  for (const [tries, addresses, ...outcomes] of [
    [4, 1, [0, null]],
    [5, 1, [0, WRONG], [9, null]],
    [19, 4, [9, null]],
    [20, 4, [9, WRONG]],
  ] as const) {
    const { forgot, type } = await recovery()
    const code = await forgot()
    for (let count = 0; count < tries; count += 1) t.is(await type(other(code), place(count % addresses)), WRONG)
    for (const [number, outcome] of outcomes) t.is(await type(code, place(number)), outcome, `${tries} ${number}`)
  }
})

test('subtracts no try after an address has used its five', async (t) => {
  const { forgot, type, every } = await recovery()
  const code = await forgot()
  for (let count = 0; count < 90; count += 1) await type(other(code), place(1))
  t.is((await every(codes))[0]?.triesLeft, 15)
  t.is(await type(code, place(2)), null)
})

test('counts a /64 network as one address, and callers without an address together', async (t) => {
  const { forgot, type, clock } = await recovery()
  const first = await forgot()
  for (let count = 0; count < 5; count += 1) await type(other(first), from(`2001:db8:0:1::${count}`))
  t.is(await type(first, from('2001:db8:0:1:ffff::1')), WRONG)
  t.is(await type(first, from('2001:db8:0:2::1')), null)
  clock.advance(120)
  const second = await forgot()
  for (let count = 0; count < 5; count += 1) await type(other(second), null)
  t.is(await type(second, null), WRONG)
  t.is(await type(second, place(1)), null)
})

/** Wrong tries at a code, each from an address of its own; no two tests of one store may begin at the same. */
const tryWrong = async (
  { type }: Pick<Awaited<ReturnType<typeof recovery>>, 'type'>,
  code: string,
  { times, first }: { readonly times: number; readonly first: number },
) => {
  const answers = new Set<string | null>()
  for (let count = 0; count < times; count += 1) answers.add(await type(other(code), place(first + count)))
  return [...answers]
}

test('sends long codes after thirty wrong tries in a day; right ones do not count', async (t) => {
  const here = await recovery()
  const { forgot, type, clock } = here
  t.deepEqual(await tryWrong(here, await forgot(), { times: 15, first: 0 }), [WRONG])
  clock.advance(120)
  const second = await forgot()
  await tryWrong(here, second, { times: 14, first: 20 })
  // The thirtieth, until it is found right.
  t.is(await type(second, place(40)), null)
  clock.advance(120)
  const third = await forgot()
  t.is(third.length, 6)
  await tryWrong(here, third, { times: 1, first: 41 })
  // The code that is out stays as it is.
  t.is(await type(third, place(42)), null)
  clock.advance(120)
  t.is((await forgot()).length, 20)
})

test('counts thirty wrong tries within a day of the first, and sends long codes for a day after the thirtieth', async (t) => {
  for (const [seconds, length] of [
    [DAY - 121, 20],
    [DAY - 120, 6],
  ] as const) {
    const here = await recovery()
    const { forgot, clock } = here
    await tryWrong(here, await forgot(), { times: 20, first: 0 })
    clock.advance(120)
    await tryWrong(here, await forgot(), { times: 9, first: 20 })
    clock.advance(seconds)
    await tryWrong(here, '999999', { times: 1, first: 40 })
    clock.advance(120)
    t.is((await forgot()).length, length, `${seconds}`)
    if (length === 6) continue
    clock.advance(DAY - 121)
    t.is((await forgot()).length, 20)
    clock.advance(120)
    t.is((await forgot()).length, 6)
  }
})

test('sends short codes to other e-mails and flows', async (t) => {
  const here = await recovery()
  const { forgot, ports, clock, newest, person } = here
  await tryWrong(here, await forgot(), { times: 30, first: 0 })
  await person('joao@example.com')
  await newest('joao@example.com')
  t.is((await forgot('joao@example.com')).length, 6)
  right(await sendVerificationCode(ports)({ userId: 1 })())
  t.is((await newest()).length, 6)
  clock.advance(120)
  t.is((await forgot()).length, 20)
})

test('accepts a long code in any case and grouping after any number of tries; six digits are no try at it', async (t) => {
  const here = await recovery()
  const { forgot, type, clock, every, mailsTo } = here
  await tryWrong(here, await forgot(), { times: 30, first: 0 })
  clock.advance(120)
  const long = await forgot()
  t.true((await mailsTo(EMAIL)).at(-1)?.includes('Houve muitas tentativas erradas com os códigos anteriores'))
  t.regex(long, /^[A-HJ-NP-Z2-9]{20}$/)
  for (let count = 0; count < 99; count += 1) t.is(await type('A'.repeat(20), place(50)), WRONG)
  for (let count = 0; count < 99; count += 1) t.is(await type('123456', place(50)), WRONG)
  const typed = ` ${long.toLowerCase().replace(/(.{5})/g, '$1- ')}`
  t.is(await type(typed.slice(0, -4), place(50)), WRONG)
  const fromThere = (await every(codeTryCounts)).find(({ id }) => id === `address|${place(50).address}`)
  t.is(fromThere?.wrong, 99)
  t.is(await type(typed, place(50)), null)
  t.is(await type(long, place(51)), WRONG)
})

test('rejects an address before reading a code after a hundred wrong tries at all e-mails, for the rest of the hour', async (t) => {
  const { forgot, type, clock, ports, person, newest, compared } = await recovery()
  const people = Array.from({ length: 19 }, (_, index) => `pessoa${index}@example.com`)
  for (const email of people) await person(email)
  for (const email of people) await newest(email)
  const bad = place(1)
  const may = (origin: Origin | null) => async () => failureOf(await checkCodeTries(ports)(origin)())
  for (const email of people) {
    const code = await forgot(email)
    for (let count = 0; count < 5; count += 1) t.is(await type(other(code), bad, email), WRONG)
  }
  clock.advance(HOUR - 10)
  const code = await forgot()
  for (let count = 0; count < 4; count += 1) t.is(await type(other(code), bad), WRONG)
  t.is(await may(bad)(), null)
  // A right code is not counted among the hundred.
  t.is(await type(code, bad), null)
  t.is(await may(bad)(), null)
  clock.advance(5)
  t.is(await type('999999', bad), WRONG)
  const before = compared()
  t.deepEqual(await may(bad)(), { tag: 'throttled', code: 'code.throttled', retryAfterSeconds: 5 })
  t.is(await type('123456', bad, 'unknown@example.com'), 'code.throttled')
  t.is(await type('malformed', bad), 'code.throttled')
  t.is(compared(), before)
  for (const origin of [place(2), null]) t.is(await may(origin)(), null)
  clock.advance(4)
  t.is((await may(bad)())?.code, 'code.throttled')
  clock.advance(1)
  t.is(await may(bad)(), null)
  t.is(await type('999999', bad), WRONG)
})

test('gives one failure, after one commit, for a wrong, expired, used-up or missing code', async (t) => {
  const { ports, forgot, type, commits, clock, person } = await recovery()
  const costOf = async (code: string, origin: Origin) => {
    const before = commits()
    t.is(await type(code, origin), WRONG)
    return commits() - before
  }
  t.is(await costOf('123456', place(1)), 1)
  const code = await forgot()
  for (let count = 0; count < 7; count += 1) t.is(await costOf(other(code), place(2)), 1, `${count}`)
  t.is(await costOf(code, place(2)), 1)
  for (let count = 0; count < 15; count += 1) await type(other(code), place(3 + count))
  t.is(await costOf(code, place(30)), 1)
  clock.advance(HOUR)
  t.is(await costOf(code, place(31)), 1)

  // The reset by link or code does not reveal if an e-mail has a user.
  await person('joao@example.com')
  for (const email of ['joao@example.com', 'unknown@example.com']) {
    const before = commits()
    const sent = { token: '123456', email, password: NEW }
    t.is(failureOf(await resetByToken(ports)(sent, place(32))())?.code, WRONG)
    t.is(commits() - before, 1)
  }
})

test('compares five of a hundred simultaneous guesses from one address, and twenty from a hundred addresses', async (t) => {
  for (const [addresses, most] of [
    [1, 5],
    [100, 20],
  ] as const) {
    const { forgot, type, compared } = await recovery()
    const code = await forgot()
    const guesses = Array.from({ length: 100 }, (_, index) => `${900_000 + index}`).filter((guess) => guess !== code)
    await Promise.all(guesses.map((guess, index) => type(guess, place(index % addresses))))
    t.is(compared(), most)
  }
})

test('keeps the limits across processes on one store', async (t) => {
  const { forgot, compared, ports, every } = await recovery()
  const code = await forgot()
  const inProcess = () => {
    const reset = resetPassword(ports)
    return async (typed: string, origin: Origin) =>
      failureOf(await reset({ email: EMAIL, code: typed, password: NEW }, origin)())?.code
  }
  const [one, two, three] = [inProcess(), inProcess(), inProcess()]
  const tries = Array.from({ length: 20 }, (_, index) =>
    (index % 2 ? one : two)(other(code), place(index % 4 < 2 ? 0 : 1)),
  )
  t.deepEqual([...new Set(await Promise.all(tries))], [WRONG])
  t.is(compared(), 10)
  t.is((await every(codes))[0]?.triesLeft, 10)
  for (const origin of [place(0), place(1)]) t.is(await three(code, origin), WRONG)
  t.is(compared(), 10)
  t.is(await three(code, place(2)), undefined)
})

test('compares at most fifty guesses a day at an e-mail, from any number of addresses and at any number of codes', async (t) => {
  const { clock, ports, compared, mailsTo } = await recovery()
  const reset = resetPassword(ports)
  let [guesses, number] = [0, 0]
  // A new code every half hour, each tried once more than it accepts.
  for (let round = 0; round < 48; round += 1) {
    right(await forgotPassword(ports)({ email: EMAIL })())
    for (let count = 0; count < 21; count += 1) {
      number = (number + 7_919) % 1_000_000
      const code = `${number}`.padStart(6, '0')
      const found = await reset({ email: EMAIL, code, password: NEW }, place(guesses))()
      t.is(failureOf(found)?.code, WRONG)
      guesses += 1
    }
    clock.advance(1_800)
  }
  t.is(guesses, 48 * 21)
  t.true(compared() <= 50, `${compared()}`)
  t.true((await mailsTo(EMAIL)).length > 40)
})

for (const [others, addresses, tries, ...outcomes] of [
  ['another address', 1, 5, ...Array<null>(20).fill(null)],
  ['twenty addresses', 20, 100, WRONG, null, null],
] as const)
  test(`accepts the code of a user, at the latest the long one, despite wrong tries from ${others}`, async (t) => {
    const { forgot, type, clock } = await recovery()
    let length = 0
    for (const outcome of outcomes) {
      const code = await forgot()
      length = code.length
      for (let count = 0; count < tries; count += 1)
        await type(length === 6 ? other(code) : 'A'.repeat(20), place(count % addresses))
      t.is(await type(code, place(99)), outcome)
      clock.advance(120)
    }
    t.is(length, 20)
  })

test('sweeps counts after their window', async (t) => {
  const report = (error: unknown) => t.fail(String(error))
  const { forgot, type, clock, ports, every } = await recovery()
  const code = await forgot()
  await type(other(code), place(1))
  t.is((await every(codeTryCounts)).length, 3)
  clock.advance(HOUR)
  await sweepAll(ports.store, sweepsOf(parts, ports), { steady: clock.steady(), cursor: null, report })
  t.deepEqual(column(await every(codeTryCounts), 'id'), [`recovery|${EMAIL}`])
  clock.advance(DAY)
  await sweepAll(ports.store, sweepsOf(parts, ports), { steady: clock.steady(), cursor: null, report })
  t.deepEqual(await every(codeTryCounts), [])
})

test('counts the try that reaches a limit once, and undoes the extension for a right code', async (t) => {
  const { ports } = await recovery()
  const now = '2026-11-23T13:00:00.000Z'
  const known = { id: 'x', wrong: 3, since: now, expiresAt: '2026-11-23T14:00:00.000Z' }
  await ports.store.commit([insert(codeTryCounts, known)])
  const counted = countTry(known, 'x', { max: 5, seconds: HOUR }, now)
  t.deepEqual([(await ports.store.commit(counted)).ok, (await ports.store.commit(counted)).ok], [true, false])
  const limit = { max: 5, seconds: HOUR, extendsSeconds: DAY }
  const right = { found: null, counted: [{ id: 'x', limit }] } as unknown as Parameters<typeof uncountRightCode>[0]
  t.like(uncountRightCode(right, [{ ...known, expiresAt: '2026-11-24T13:00:00.000Z' }], now), [
    { add: { wrong: -1 }, set: { expiresAt: '2026-11-23T14:00:00.000Z' } },
  ])
})

test('a link without a code sets the first password of a user only', async (t) => {
  const { ports, clock, person } = openPayments()
  const { userId } = await person()
  const token = 'a'.repeat(43)
  const id = ports.digest.sha256(token)
  const expiresAt = addSeconds(clock.steady(), HOUR)
  await ports.store.commit([insert(passwordLinks, { id, userId, codeId: null, expiresAt })])
  const reset = () => resetByToken(ports)({ token, password: NEW })()
  t.is(failureOf(await reset())?.code, 'code.invalid')
  await ports.store.commit([patch(users, userId, { set: { passwordHash: null }, when: always })])
  t.is(failureOf(await reset()), null)
})
