import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import { fakeBank } from '../../../adapters/bank/fake/bank.ts'
import { titles } from '../../../adapters/bank/fake/books.ts'
import type { Host } from '../../../apps/host/host.ts'
import { charges } from '../../../core/payments/charges/charge.ts'
import type { Bank, BankAnswer, Title } from '../../../core/ports/bank.ts'
import { FULL, printSeed, SEED } from '../../size.ts'
import { type Answer, MARIA, type Merchant, openTestApi, type TestApi } from '../payments/test-api.ts'
import { faultsOf } from '../processes/money-faults.ts'

/**
 * The result of one call. `lost` and `cut`: a time-out, a 500, a broken or garbled answer, before and after the bank
 * executed the call; the caller sees both as `unknown`. `held` and `late`: nothing comes until it is let go.
 */
const CREATES = ['done', 'refused', 'away', 'lost', 'cut', 'held', 'late'] as const
const FINDS = ['done', 'away', 'lost'] as const
type Create = (typeof CREATES)[number]
type Find = (typeof FINDS)[number]

/** The results of the calls about one order, in turn; later calls succeed. */
interface Plan {
  readonly creates: readonly Create[]
  readonly finds: readonly Find[]
}

interface Call {
  readonly operation: 'create' | 'find'
  readonly txid: string
  readonly mood: string
  /** Set if the bank knew the title at the time of the call. */
  readonly knew: boolean
  /** Set if the caller received the result. */
  readonly isTold: boolean
}

interface BankDouble {
  readonly bank: Bank
  /** Every call, in the order in which they came. */
  readonly calls: readonly Call[]
  /** Lets what is held up go on. */
  letGo(): void
}

const MOODS: Readonly<Record<string, BankAnswer<never>>> = {
  refused: { outcome: 'refused', reason: 'Não.' },
  away: { outcome: 'unavailable' },
}

/** The embedded bank, in the moods that each order's plan says; orders are told apart by their value. */
const bankDouble = ({ store, ids, clock, random }: Host, planOf: (valueCents: number) => Plan): BankDouble => {
  const bank = fakeBank({ store, ids, clock, random })
  const calls: Call[] = []
  const plans = new Map<string, { readonly creates: Create[]; readonly finds: Find[] }>()
  let held: (() => void)[] = []
  const hold = () => new Promise<void>((resolve) => held.push(resolve))
  const knows = async (txid: string): Promise<boolean> => {
    const known = await bank.findTitle(txid)
    return known.outcome === 'done' && known.value !== null
  }
  const note = async (operation: Call['operation'], txid: string, mood: string) => {
    const isTold = mood === 'done' || mood === 'refused' || mood === 'held' || mood === 'late'
    calls.push({ operation, txid, mood, knew: await knows(txid), isTold })
  }
  const createTitle: Bank['createTitle'] = async (order) => {
    const { txid, valueCents } = order
    const known = plans.get(txid)
    const { creates, finds } = known ?? planOf(valueCents)
    if (!known) plans.set(txid, { creates: [...creates], finds: [...finds] })
    const mood = plans.get(txid)?.creates.shift() ?? 'done'
    await note('create', txid, mood)
    const answer = MOODS[mood]
    if (answer) return answer
    if (mood === 'held') await hold()
    const done: BankAnswer<Title> = mood === 'lost' ? { outcome: 'unknown' } : await bank.createTitle(order)
    if (mood === 'late') await hold()
    return mood === 'cut' ? { outcome: 'unknown' } : done
  }
  const findTitle: Bank['findTitle'] = async (txid) => {
    const mood = plans.get(txid)?.finds.shift() ?? 'done'
    await note('find', txid, mood)
    if (mood === 'lost') return { outcome: 'unknown' }
    return MOODS[mood] ?? bank.findTitle(txid)
  }
  const letGo = () => {
    for (const go of held) go()
    held = []
  }
  return { bank: { ...bank, createTitle, findTitle }, calls, letGo }
}

const RUNS = FULL ? 60 : 4
const ORDERS = CREATES.length
const FIRST_CENTS = 10_000
const HOOK = 'https://merchant.example/hook'
/** The longest that the worker waits before it asks again. */
const LONGEST_WAIT_SECONDS = 600
/** A late answer is this late at the least. */
const LATE_SECONDS = 7_200

interface Order extends Plan {
  /** Set if the payer pays as soon as the bank has the title; the number of notices of it. */
  readonly paysEarly: boolean
  readonly tellings: number
}

const LATE = ['held', 'refused'] as const
const LATER = ['done', 'refused', 'away', 'lost', 'cut'] as const

// Only the request that issued it may be delayed: the worker is awaited.
const order = fc.record({
  creates: fc.array(fc.constantFrom(...LATER), { maxLength: 3 }),
  finds: fc.array(fc.constantFrom(...FINDS), { maxLength: 4 }),
  paysEarly: fc.boolean(),
  tellings: fc.integer({ min: 1, max: 3 }),
})
/** An order for each mood in which its first call may find the bank, in any sequence. */
const day: fc.Arbitrary<readonly Order[]> = fc
  .tuple(
    fc.shuffledSubarray([...CREATES], { minLength: ORDERS }),
    fc.array(order, { minLength: ORDERS, maxLength: ORDERS }),
  )
  .map(([firsts, orders]) =>
    orders.map((each, place) => ({ ...each, creates: [firsts[place] ?? 'done', ...each.creates] })),
  )
const waits = fc.array(fc.constantFrom(5, 30, 61, 122, 600), { minLength: 2, maxLength: 6 })

const issue = (api: TestApi, { token }: Merchant, place: number) => {
  const body = { ...MARIA, value: (FIRST_CENTS + place) / 100, webhook: HOOK }
  return api.ask('POST', '/invoices', { token, body, headers: { 'idempotency-key': `order ${place}` } })
}

/** Whatever is in process shows nothing of its Pix, and has ended in no way. */
const isInProcess = async (t: ExecutionContext, api: TestApi, { token }: Merchant) => {
  for (const { id, operationId, txid } of await api.every(charges)) {
    if (operationId === null) continue
    const { body } = await api.ask('GET', `/invoices/${id}`, { token })
    t.is(body.data.pix, null)
    t.true(['pending', 'paid'].includes(body.data.status.title), body.data.status.title)
    t.is((await api.ask('GET', `/public/pix/${txid}`)).body.qrcode, null)
  }
}

interface Payments {
  /** Has the payers of these orders pay, each told so often. */
  pay(which: (order: Order) => boolean): Promise<void>
  readonly paid: { readonly endToEndId: string; readonly valueCents: number }[]
}

const payers = (t: ExecutionContext, api: TestApi, orders: readonly Order[]): Payments => {
  const paid: Payments['paid'] = []
  const done = new Set<string>()
  const pay: Payments['pay'] = async (which) => {
    for (const { id: txid, valueCents } of await api.every(titles)) {
      const one = orders[valueCents - FIRST_CENTS]
      if (!one || !which(one) || done.has(txid)) continue
      done.add(txid)
      const { status, body } = await api.pay(txid, { value: valueCents / 100 })
      t.is(status, 200)
      const { end_to_end_id } = body
      paid.push({ endToEndId: end_to_end_id, valueCents })
      for (let telling = 1; telling < one.tellings; telling += 1) await api.pay(txid, { end_to_end_id, value: 1 })
    }
  }
  return { pay, paid }
}

/** Every order was sent under one id, and again only after the bank answered that it does not know it. */
const isAskedByOneId = (t: ExecutionContext, { calls }: BankDouble) => {
  for (const txid of new Set(calls.map((call) => call.txid))) {
    const own = calls.filter((call) => call.txid === txid)
    for (const [at, call] of own.entries()) {
      if (call.operation === 'find' || at === 0) continue
      const before = own[at - 1]
      t.deepEqual(before && [before.operation, before.mood, before.knew], ['find', 'done', false], JSON.stringify(own))
      t.false(call.knew)
    }
  }
}

/** Goes on until the bank has had all its moods and three calls more. */
const untilResolved = async (t: ExecutionContext, api: TestApi, { calls }: BankDouble) => {
  for (let polls = 0; polls < 12; polls += 1) {
    const waiting = (await api.every(charges)).filter(({ operationId }) => operationId !== null)
    if (waiting.length === 0) return
    const before = calls.length
    api.clock.advance(LONGEST_WAIT_SECONDS)
    await api.drain()
    for (const { id, txid } of waiting) {
      const told = calls.slice(before).filter((call) => call.txid === txid && call.isTold)
      // An answer that says what became of it ends it, the first time that it comes.
      const isEnded = told.some(({ operation, knew }) => operation === 'create' || knew)
      t.is((await api.every(charges)).find((each) => each.id === id)?.operationId ?? null, isEnded ? null : txid)
    }
  }
  t.fail('something is in process for ever')
}

const live = async (t: ExecutionContext, orders: readonly Order[], seconds: readonly number[]): Promise<void> => {
  const ends: (() => unknown)[] = []
  let double: BankDouble | null = null
  const api = await openTestApi(
    { teardown: (end) => void ends.push(end) },
    {
      instead: (host) => {
        double = bankDouble(host, (cents) => orders[cents - FIRST_CENTS] ?? { creates: [], finds: [] })
        return { bank: double.bank }
      },
    },
  )
  try {
    if (!double) throw new Error('no bank')
    await lived(t, api, double, orders, seconds)
  } finally {
    for (const end of ends) await end()
  }
}

const lived = async (
  t: ExecutionContext,
  api: TestApi,
  double: BankDouble,
  orders: readonly Order[],
  seconds: readonly number[],
): Promise<void> => {
  const merchant = await api.merchant()
  const answers: Promise<Answer>[] = []
  for (const [place, { creates }] of orders.entries()) {
    const answer = issue(api, merchant, place)
    answers.push(answer)
    const isHeld = creates[0] === 'held' || creates[0] === 'late'
    if (!isHeld) await answer
    while (double.calls.length <= place) await new Promise((resolve) => setImmediate(resolve))
  }
  const { pay, paid } = payers(t, api, orders)
  for (const wait of seconds) {
    await pay(({ paysEarly }) => paysEarly)
    await isInProcess(t, api, merchant)
    api.clock.advance(wait)
    await api.drain()
  }
  await untilResolved(t, api, double)
  api.clock.advance(LATE_SECONDS)
  double.letGo()
  const firsts = await Promise.all(answers)
  await api.drain()
  isAskedByOneId(t, double)
  await isOnce(t, api, merchant, firsts)
  await pay(() => true)
  await api.drain()
  // Failed charges are checked above; `faultsOf` expects none.
  const failed = (await api.every(charges)).filter(({ status }) => status === 'failed').map(({ id }) => `charge ${id}:`)
  t.deepEqual(
    (await faultsOf(api.host.store, paid)).filter((line) => !failed.some((one) => line.includes(one))),
    [],
  )
}

/** One charge an order, one title a charge that did not fail, each told once; and a repeat is answered as the first was. */
const isOnce = async (t: ExecutionContext, api: TestApi, merchant: Merchant, firsts: readonly Answer[]) => {
  const kept = await api.every(charges)
  t.is(kept.length, ORDERS)
  // A title made by a late call after a refusal is closed again.
  const isOpen = ({ status }: { readonly status: string }) => status === 'open'
  const known = (await api.every(titles)).filter(isOpen).map(({ id }) => id)
  const isFailed = ({ status }: { readonly status: string }) => status === 'failed'
  const made = kept.filter((charge) => !isFailed(charge)).map(({ txid }) => txid)
  t.deepEqual(known.sort(), made.sort())
  const told = api.told(HOOK)
  for (const charge of kept) {
    const types = told.filter(({ data }) => data.id === charge.id).map(({ type }) => type)
    const ends = types.filter((type) => type === 'charge.created' || type === 'charge.failed')
    t.deepEqual(ends, [isFailed(charge) ? 'charge.failed' : 'charge.created'])
  }
  const again = await api.again(merchant)
  for (const [place, first] of firsts.entries()) {
    t.true([200, 400].includes(first.status), first.text)
    if (first.status !== 200) continue
    const repeat = await issue(api, again, place)
    t.deepEqual([repeat.status, repeat.body.data.id], [200, first.body.data.id])
  }
  t.is((await api.every(charges)).length, ORDERS)
}

test('closes a title that the bank made for a late call after refusing a later one', async (t) => {
  const calm = { creates: [], finds: [], paysEarly: false, tellings: 1 }
  const orders = Array.from({ length: ORDERS }, (_, place) => (place === 0 ? { ...calm, creates: LATE } : calm))
  await live(t, orders, [61])
})

test('makes each order once under one id, whatever the bank answers', async (t) => {
  t.timeout(600_000)
  printSeed(t)
  const property = fc.asyncProperty(day, waits, (orders, seconds) => live(t, orders, seconds))
  await fc.assert(property, { numRuns: RUNS, seed: SEED, includeErrorInReport: true, endOnFailure: true })
})
