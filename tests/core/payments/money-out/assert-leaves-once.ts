import type { ExecutionContext } from 'ava'
import { refunds as givenBack, payOuts } from '../../../../adapters/bank/fake/books.ts'
import type { SetClock } from '../../../../adapters/clock/set-clock.ts'
import { seededRandom } from '../../../../adapters/crypto/random.ts'
import { refunds } from '../../../../core/payments/charges/refund-records.ts'
import { verifyReserves } from '../../../../core/payments/reserves/verify-reserves.ts'
import { transfers } from '../../../../core/payments/transfers/transfer.ts'
import { withdrawals } from '../../../../core/payments/withdrawals/withdrawal.ts'
import type { BankAnswer, BankRefund } from '../../../../core/ports/bank.ts'
import type { Store } from '../../../../core/ports/store.ts'
import { type Dice, diceOf } from '../../../simulation/environment/chance.ts'
import { SEED } from '../../../size.ts'
import { right } from '../world.ts'
import { type MoneyOut, type TwoAccounts, twoAccounts } from './two-accounts.ts'

const REFUSED = { outcome: 'refused', reason: 'Operação recusada.' } as const
const UNAVAILABLE = { outcome: 'unavailable' } as const
const UNKNOWN = { outcome: 'unknown' } as const
const refundAnswer = (status: BankRefund['status'], reason: string | null): BankAnswer<BankRefund> => ({
  outcome: 'done',
  value: { status, reason, returnId: null },
})
const PROCESSING = refundAnswer('processing', null)
const FAILED = refundAnswer('failed', 'Conta encerrada.')

const FAULTS = [
  ...(['refuse', 'refuse unheard', 'unavailable', 'time-out before'] as const),
  ...(['time-out after', 'twice', 'late answer', 'late order'] as const),
]

/** A bank's refusals and missing answers, by kind of payment. */
interface Words<T> {
  readonly no: readonly BankAnswer<T>[]
  readonly nothing: readonly BankAnswer<T>[]
}

const PAY_OUT_WORDS: Words<never> = { no: [REFUSED], nothing: [UNKNOWN] }
const REFUND_WORDS: Words<BankRefund> = { no: [REFUSED, FAILED], nothing: [UNKNOWN, PROCESSING] }

/** For so long the bank is asked whether it came after all. */
const LONGEST_WAY_MS = 3 * 3_600_000

const meansNo = (answer: BankAnswer<unknown>): boolean =>
  answer.outcome === 'refused' || answer.outcome === 'unavailable' || answer === FAILED

/**
 * The embedded bank on a way on which orders and answers are lost, come twice, or hours later: what it took it never
 * refuses, and what it refused it never pays.
 */
const doubtfulBank = ({ payOuts, refunds }: MoneyOut, dice: Dice, clock: SetClock) => {
  let isCalm = false
  const taken = new Set<string>()
  const refused = new Set<string>()
  const sent = new Set<string>()
  const asked = new Map<string, number>()
  const said = { yes: new Set<string>(), no: new Set<string>() }
  const waiting: (() => void)[] = []
  const underWay: { readonly act: () => Promise<unknown>; readonly sentMs: number }[] = []

  const hours = (): Promise<void> => new Promise((resolve) => waiting.push(resolve))
  const count = (id: string): void => void asked.set(id, (asked.get(id) ?? 0) + 1)
  const heard = <T>(id: string, answer: BankAnswer<T>): BankAnswer<T> => {
    if (meansNo(answer)) said.no.add(id)
    else if (answer.outcome === 'done' && answer !== PROCESSING) said.yes.add(id)
    return answer
  }

  const decided = async <T>(id: string, act: () => Promise<BankAnswer<T>>, words: Words<T>): Promise<BankAnswer<T>> => {
    const fault = isCalm || dice.chance(0.3) ? null : dice.pick(FAULTS)
    const isNo = fault === 'refuse' || fault === 'refuse unheard'
    if (isNo && !taken.has(id)) refused.add(id)
    if (refused.has(id)) return fault === 'refuse unheard' ? UNKNOWN : dice.pick(words.no)
    if (fault === 'unavailable') return UNAVAILABLE
    if (isNo || fault === 'time-out before') return UNKNOWN
    taken.add(id)
    if (fault === 'late order') {
      underWay.push({ act, sentMs: Date.parse(clock.now()) })
      return UNKNOWN
    }
    const [answer] = await Promise.all(fault === 'twice' ? [act(), act()] : [act()])
    if (fault === 'late answer') await hours()
    return fault === 'time-out after' ? dice.pick(words.nothing) : answer
  }
  const orders = async <T>(id: string, act: () => Promise<BankAnswer<T>>, words: Words<T>) => {
    sent.add(id)
    count(id)
    return heard(id, await decided(id, act, words))
  }
  const finds = async <T>(id: string, act: () => Promise<BankAnswer<T | null>>): Promise<BankAnswer<T | null>> => {
    count(id)
    const fault = isCalm ? null : dice.pick(['unavailable', 'unknown', 'late answer', null, null, null] as const)
    if (fault === 'unavailable') return UNAVAILABLE
    if (fault === 'unknown') return UNKNOWN
    const answer = await act()
    if (fault === 'late answer') await hours()
    if (answer.outcome === 'done' && answer.value !== null) said.yes.add(id)
    return answer
  }

  const arrive = async (): Promise<void> => {
    const order = underWay.shift()
    // An order that takes longer is lost.
    if (order && Date.parse(clock.now()) - order.sentMs <= LONGEST_WAY_MS) await order.act()
  }
  return {
    moneyOut: {
      payOuts: {
        ...payOuts,
        payOut: (order) => orders(order.id, () => payOuts.payOut(order), PAY_OUT_WORDS),
        // An order that is sent once and unknown to the bank has failed.
        findPayOut: async (id) => {
          const answer = await finds(id, () => payOuts.findPayOut(id))
          if (answer.outcome === 'done' && answer.value === null) said.no.add(id)
          return answer
        },
      },
      refunds: {
        refund: (order) => orders(order.id, () => refunds.refund(order), REFUND_WORDS),
        findRefund: (order) => finds(order.id, () => refunds.findRefund(order)),
      },
    } satisfies MoneyOut,
    /** The results of the requests; a payment that was not made counts as refused. */
    said,
    /** All orders; a caller that is delayed for too long sends none. */
    sent,
    /** The number of requests for each outcome since the bank answers. */
    asked,
    /** One answer that was late comes, or one order arrives that was thought lost. */
    answerLate: (): void => waiting.shift()?.(),
    arriveLate: arrive,
    /** All that was under way comes to its end, and from now on everything is answered. */
    async heal(): Promise<void> {
      isCalm = true
      while (underWay.length > 0) await arrive()
      for (const answer of waiting.splice(0)) answer()
      asked.clear()
    },
  }
}

const MOST_ORDERS = 4
const STEPS = 14
const FEE = 100
const START = 100_000
const LONGEST_WAIT_SECONDS = 600
const MOST_ASKS = 3
const TURNS = 12

/** A record of money that leaves, by our own id at the bank. */
interface Leaving {
  readonly id: string
  readonly status: string
  /** With its fee. */
  readonly cents: number
}

interface Kind {
  readonly typeId: number
  ask(business: TwoAccounts, dice: Dice, cents: number): Promise<unknown>
  records(business: TwoAccounts): Promise<readonly Leaving[]>
  /** The payments that the bank made, by our own id. */
  left(business: TwoAccounts): Promise<readonly string[]>
}

const paidOut = async ({ every }: TwoAccounts) => (await every(payOuts)).map(({ id }) => id)

export const HOLDER = { name: 'Fulano', document: '12345678909', ispb: '341', branch: '1', account: '12345-6' }
const KEY = 'maria@example.com'

/** The kinds of payments. */
export const KINDS: Readonly<Record<string, Kind>> = {
  'a withdrawal': {
    typeId: 2,
    async ask({ pay, from: { member } }, dice, valueCents) {
      const door = dice.pick(['key', 'account', 'confirm'] as const)
      if (door === 'key') return pay.withdrawals.payKey(member, { key: KEY, valueCents })()
      if (door === 'account') return pay.withdrawals.payAccount(member, { ...HOLDER, valueCents })()
      const looked = right(await pay.withdrawals.lookUp(member, { key: KEY, valueCents })())
      return pay.withdrawals.confirm(member, { internalId: looked.withdrawal.id, key: KEY, valueCents })()
    },
    records: async ({ every }) =>
      (await every(withdrawals)).map(({ txid: id, status, valueCents, feeCents }) => {
        return { id, status, cents: (valueCents ?? 0) + feeCents }
      }),
    left: paidOut,
  },
  'a transfer': {
    typeId: 8,
    ask: ({ send }, _, cents) => send(cents)(),
    records: async ({ every }) =>
      (await every(transfers)).map(({ id, status, valueCents: cents }) => ({ id, status, cents })),
    left: paidOut,
  },
  'a refund': {
    typeId: 5,
    ask: ({ pay, from, charge }, _, valueCents) => pay.charges.refund(from.member, charge.id, { valueCents })(),
    records: async ({ every }) =>
      (await every(refunds)).map(({ id, status, valueCents: cents }) => ({ id, status, cents })),
    left: async ({ every }) => (await every(givenBack)).map(({ id }) => id),
  },
}

/** Whatever was begun goes as far as it comes without an answer that is late. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** A store that holds nothing, for one seed; null for one in memory. */
export type OpenStore = () => Promise<{ readonly store: Store; readonly end: () => Promise<unknown> }>

/** One seed, to its end; gives what was wrong, and how often each status came. */
const run = async (kind: Kind, seed: number, among: Store | null) => {
  const dice = diceOf(seededRandom(seed))
  const made: { bank?: ReturnType<typeof doubtfulBank> } = {}
  const business = await twoAccounts({
    seed,
    ...(among && { store: among }),
    instead: (own, ofOurs) => {
      made.bank = doubtfulBank(own, dice, ofOurs)
      return made.bank.moneyOut
    },
  })
  const { bank } = made
  if (!bank) throw new Error('no bank')
  const { pay, clock, store, from, to } = business
  right(await pay.accounts.setTerms(from.id, { fees: { pixOutCents: FEE } })())
  const broken: string[] = []
  const running: Promise<unknown>[] = []
  const check = async (): Promise<void> => {
    broken.push(...(await verifyReserves(store)).faults)
    for (const { id, status } of await kind.records(business)) {
      if (status === 'completed' && !bank.said.yes.has(id))
        broken.push(`${id} is completed, and the bank never said so`)
      if (status === 'failed' && bank.sent.has(id) && !bank.said.no.has(id))
        broken.push(`${id} failed, and the bank never said so`)
    }
  }
  /** The bank may report a payment to its receiver here before or after its answer. */
  const tell = async (): Promise<void> => {
    const paid = dice.pick([null, ...(await business.every(payOuts))])
    if (!paid || paid.key !== to.pixKey) return
    const { endToEndId, valueCents, paidAt } = paid
    right(await pay.bank.received({ endToEndId, txid: null, pixKey: to.pixKey, valueCents, paidAt, payer: null })())
  }
  let orders = 0
  for (let step = 0; step < STEPS; step += 1) {
    const what = dice.pick(['ask', 'ask', 'work', 'work', 'answer', 'arrive', 'tell'] as const)
    if (what === 'ask' && orders < MOST_ORDERS) {
      orders += 1
      running.push(kind.ask(business, dice, 1_000 * orders))
    }
    if (what === 'work') {
      clock.advance(dice.pick([2, 61, 7_200]))
      running.push(pay.worker().drain())
    }
    if (what === 'answer') bank.answerLate()
    if (what === 'arrive') await bank.arriveLate()
    if (what === 'tell') await tell()
    await settle()
    await check()
  }
  await bank.heal()
  await Promise.all(running)
  bank.asked.clear()
  for (let round = 0; round < MOST_ASKS; round += 1) {
    clock.advance(LONGEST_WAIT_SECONDS)
    await pay.worker().drain()
  }
  await check()
  broken.push(...(await atTheEnd(kind, business)))
  for (const [id, times] of bank.asked) if (times > MOST_ASKS) broken.push(`${id} was asked for ${times} times`)
  const statuses = (await kind.records(business)).map(({ status }) => status)
  return { broken: broken.map((what) => `seed ${seed}: ${what}`), statuses }
}

/** Asserts that each payment was made and posted once, and that everything else was released. */
const atTheEnd = async (kind: Kind, business: TwoAccounts): Promise<readonly string[]> => {
  const broken: string[] = [...(await business.faults())]
  const records = (await kind.records(business)).filter(({ status }) => status !== 'awaiting')
  const completed = records.filter(({ status }) => status === 'completed')
  const left = await kind.left(business)
  const [ids, out] = [completed.map(({ id }) => id).toSorted(), left.toSorted()]
  if (String(ids) !== String(out)) broken.push(`completed are ${ids}, and the bank has paid ${out}`)
  const pending = records.filter(({ status }) => status === 'pending')
  if (pending.length > 0) broken.push(`${pending.map(({ id }) => id)} are pending for ever`)
  const lines = (await business.lines()).filter(([typeId]) => typeId === kind.typeId)
  if (lines.length !== completed.length) broken.push(`${lines.length} lines of ${completed.length}`)
  const sum = completed.reduce((cents, each) => cents + each.cents, 0)
  const isTransfer = kind === KINDS['a transfer']
  const books = [[START - sum, START - sum], isTransfer ? [sum, sum] : [0, 0]]
  const held = await business.books()
  if (JSON.stringify(held) !== JSON.stringify(books)) broken.push(`books are ${JSON.stringify(held)} after ${sum}`)
  return broken
}

/** Of so many all may end otherwise than completed. */
const FEW = 2

/**
 * Case R3: whatever the bank answers, or does not, what leaves leaves at most once and ends as the bank has it.
 * `PORTICO_SEED=N` begins with the same seeds: what is wrong names its own.
 */
export const assertLeavesOnce = async (
  t: ExecutionContext,
  kind: Kind,
  seeds: number,
  open: OpenStore | null = null,
): Promise<void> => {
  const seen = new Map<string, number>()
  for (let at = 0; at < seeds; at += 1) {
    const opened = await open?.()
    const { broken, statuses } = await run(kind, SEED + at, opened?.store ?? null)
    await opened?.end()
    t.deepEqual(broken, [], `PORTICO_SEED=${SEED + at}`)
    for (const status of statuses) seen.set(status, (seen.get(status) ?? 0) + 1)
  }
  t.log([...seen].map(([status, times]) => `${status} ${times}`).join(', '))
  // One or two may all end otherwise.
  if (seeds > FEW) t.true((seen.get('completed') ?? 0) > 0)
}
