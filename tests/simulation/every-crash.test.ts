import test from 'ava'
import { dayOf } from '../../core/kernel/values/day.ts'
import { FULL } from '../size.ts'
import { type Act, begin, type Cast, type KeyedOrder, noCast } from './actors/cast.ts'
import { askFor } from './actors/keyed.ts'
import { keepUp } from './actors/operators.ts'
import { findMerchants, logIn, register } from './actors/people.ts'
import { type Environment, environmentOf, type Fate } from './environment/environment.ts'
import { ask } from './environment/process.ts'
import { brokenNow } from './invariants/always.ts'
import { QUIET } from './invariants/quiet.ts'
import { comeToRest, heal } from './quiet.ts'

const SECOND_MS = 1_000
const DAY_MS = 86_400 * SECOND_MS
/** Longer than any lease. */
const LATER_MS = 400 * SECOND_MS
const MOST_TRIES = 12
const TIMEOUT_MS = 600_000
const DOCUMENT = '11222333000181'
const PAYMENTS = ['E99990000000000000000000000000001', 'E99990000000000000000000000000002'] as const

/** Each by its turn, or all of them. */
const STRIDE = FULL ? 1 : 3

/** Somebody does it again, ever later, until it came about. */
const until = async (environment: Environment, cast: Cast, act: Act, cameAbout: () => boolean | Promise<boolean>) => {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    keepUp(environment)
    begin(environment, cast, act)
    await environment.agenda.run(1.2 * SECOND_MS)
    if (await cameAbout()) return
    environment.agenda.jump(LATER_MS)
  }
  throw new Error('it never came about')
}

/** Somebody opens an account, asks for charges by key and for one without, and is paid one of them twice. */
const story = async (environment: Environment, cast: Cast): Promise<void> => {
  const [person] = cast.people
  if (!person) throw new Error('nobody is there')
  const open: Act = async (_world, _cast, process) => {
    const input = { name: 'Padaria', email: null, document: DOCUMENT }
    await ask(process, process.pay.openings.open({ userId: person.userId ?? 0 }, input))
  }
  const look: Act = async (...at) => {
    await logIn(...at)
    await findMerchants(...at)
  }
  await until(environment, cast, open, async () => (await environment.snapshot()).accounts.length > 0)
  await until(environment, cast, look, () => cast.merchants.length > 0)

  const [merchant] = cast.merchants
  if (!merchant) throw new Error('nobody has an account')
  const payer = { name: 'Fulano', email: 'fulano@cliente.test', document: '12345678909' }
  const dueDate = dayOf(new Date(environment.agenda.nowMs() + DAY_MS).toISOString())
  const input = { valueCents: 5_000, paymentMethod: 'PIX', dueDate, payer, webhook: 'https://um.test/' } as const
  const firstMs = environment.agenda.nowMs()
  const orderOf = (key: string, over: KeyedOrder['over']): KeyedOrder => {
    const asked = { answers: [], last: null, asking: 0, isOld: false }
    return { key, over, merchant, input: { ...input, description: key }, firstMs, ...asked }
  }
  const order = orderOf('pedido-1', 'http')
  const unpaid = orderOf('pedido-2', 'program')
  for (const each of [order, unpaid]) {
    cast.orders.push(each)
    await until(environment, cast, askFor(each), () => each.answers.length > 0)
  }
  const forgotten: Act = async (_world, _cast, process) => {
    await ask(process, process.pay.charges.issue(merchant, input))
  }
  await until(environment, cast, forgotten, async () => (await environment.snapshot()).charges.length > 2)

  const { txid } = (await environment.snapshot()).charges.find(({ description }) => description === order.key) ?? {}
  for (const endToEndId of PAYMENTS) {
    const isHeld = async () =>
      (await environment.bank.books()).payments.some((payment) => payment.endToEndId === endToEndId)
    const pay: Act = async () => {
      if (!(await isHeld())) await environment.bank.pay({ txid: txid ?? '', valueCents: 700, endToEndId, payer: null })
    }
    await until(environment, cast, pay, isHeld)
  }
  environment.agenda.jump(3 * DAY_MS)
  await environment.agenda.run(SECOND_MS)
}

/** The story, and its end, with a death at one of the points where a process does something that others see. */
const told = async (seed: number, at: number, fate: Fate) => {
  const environment = environmentOf(seed)
  const cast = noCast()
  await until(environment, cast, register, () => cast.people.some(({ userId }) => userId !== null))
  let points = 0
  environment.fates.of = () => {
    points += 1
    return points === at ? fate : null
  }
  await story(environment, cast)
  const reached = points
  await heal(environment, cast)
  const isQuiet = await comeToRest(environment)
  const { charges, entries } = await environment.snapshot()
  return {
    points: reached,
    broken: [...(isQuiet ? [] : ['it never came to rest']), ...(await brokenNow(environment, cast, QUIET))],
    statuses: charges.map(({ status }) => status).sort(),
    postedCents: entries.map(({ valueCents }) => valueCents),
    tail: environment.trace.tail(),
  }
}

const seedOf = (bank: string): number => {
  for (let seed = 1; ; seed += 1) if (environmentOf(seed).bank.name === bank) return seed
}

for (const bank of ['outside', 'embedded']) {
  for (const fate of ['before', 'after'] as const) {
    test(`a process that dies ${fate} any of its effects leaves what others finish: ${bank} bank`, async (t) => {
      t.timeout(TIMEOUT_MS)
      const seed = seedOf(bank)
      for (let at = fate === 'before' ? 1 : 2; ; at += STRIDE) {
        const end = await told(seed, at, fate)
        const where = `seed ${seed}, death ${fate} effect ${at}\n${end.tail.join('\n')}`
        t.deepEqual(end.broken, [], where)
        t.deepEqual(end.postedCents, [700, 700], where)
        t.true(end.statuses.filter((status) => status === 'paid').length === 1, where)
        t.true(end.statuses.includes('expired'), where)
        if (at > end.points) {
          t.true(at > 50, 'the story has effects')
          t.log(`${Math.floor(end.points / STRIDE)} deaths`)
          return
        }
      }
    })
  }
}
