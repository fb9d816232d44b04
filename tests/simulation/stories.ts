import { type Either, type Failure, isLeft, right } from '../../core/failure.ts'
import { dayOf } from '../../core/kernel/values/day.ts'
import { accounts, apiKeyOf } from '../../core/payments/accounts/account.ts'
import type { NewCharge } from '../../core/payments/charges/new-charge.ts'
import { byId } from '../../core/ports/store.ts'
import { type Act, begin, type Cast, type KeyedOrder, type Merchant } from './actors/cast.ts'
import { askFor } from './actors/keyed.ts'
import { keepUp } from './actors/operators.ts'
import { VISA_CARD } from './actors/payers.ts'
import { findMerchants, logIn, register } from './actors/people.ts'
import type { Environment } from './environment/environment.ts'
import { ask, type Process } from './environment/process.ts'
import type { Snapshot } from './environment/store.ts'

const SECOND_MS = 1_000
export const DAY_MS = 86_400 * SECOND_MS
/** Longer than any lease. */
const LATER_MS = 400 * SECOND_MS
const MOST_TRIES = 12

/** A sequence of acts that reaches the same end whichever process dies during it. */
export interface Story {
  readonly name: string
  /** The banks that support every act. */
  readonly banks: readonly string[]
  tell(environment: Environment, cast: Cast): Promise<void>
  /** The expected result of `endOf`. */
  readonly end: unknown
  endOf(held: Snapshot): unknown
}

/** Repeats an act, with time passing in between, until the condition holds. */
export const until = async (
  environment: Environment,
  cast: Cast,
  act: Act,
  isDone: () => boolean | Promise<boolean>,
): Promise<void> => {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    keepUp(environment)
    begin(environment, cast, act)
    await environment.agenda.run(1.2 * SECOND_MS)
    if (await isDone()) return
    environment.agenda.jump(LATER_MS)
  }
  throw new Error(`the condition did not hold after ${MOST_TRIES} tries`)
}

/** Registers a person before any process dies. */
export const setOut = (environment: Environment, cast: Cast): Promise<void> =>
  until(environment, cast, register, () => cast.people.some(({ userId }) => userId !== null))

/** Opens accounts and returns them in the order of their ids. */
export const openAccounts = async (
  environment: Environment,
  cast: Cast,
  documents: readonly string[],
): Promise<readonly Merchant[]> => {
  const [person] = cast.people
  if (!person) throw new Error('no person is registered')
  for (const [index, document] of documents.entries()) {
    const open: Act = async (_world, _cast, process) => {
      const input = { name: 'Padaria', email: null, document }
      await ask(process, process.pay.openings.open({ userId: person.userId ?? 0 }, input))
    }
    await until(environment, cast, open, async () => (await environment.snapshot()).accounts.length > index)
  }
  const look: Act = async (...at) => {
    await logIn(...at)
    await findMerchants(...at)
  }
  await until(environment, cast, look, () => cast.merchants.length === documents.length)
  return cast.merchants.toSorted((a, b) => a.accountId - b.accountId)
}

/** Returns a Pix charge of R$ 50 due tomorrow. */
export const pixDueTomorrow = ({ agenda }: Environment) =>
  ({
    valueCents: 5_000,
    paymentMethod: 'PIX',
    dueDate: dayOf(new Date(agenda.nowMs() + DAY_MS).toISOString()),
    payer: { name: 'Fulano', email: 'fulano@cliente.test', document: '12345678909' },
    webhook: 'https://um.test/',
  }) satisfies NewCharge

/** Pays a title once at the bank. */
export const payOnce = async (
  environment: Environment,
  cast: Cast,
  order: { readonly txid: string; readonly valueCents: number; readonly endToEndId: string },
): Promise<void> => {
  const isHeld = async () =>
    (await environment.bank.books()).payments.some(({ endToEndId }) => endToEndId === order.endToEndId)
  const pay: Act = async () => {
    if (!(await isHeld())) await environment.bank.pay({ ...order, payer: null })
  }
  await until(environment, cast, pay, isHeld)
}

/** Repeats a request until it is answered. */
export const untilAnswered = async (
  environment: Environment,
  cast: Cast,
  does: (process: Process) => () => Promise<Either<Failure, unknown>>,
): Promise<void> => {
  const answers: unknown[] = []
  const act: Act = async (_world, _cast, process) => {
    const answer = await ask(process, does(process))
    if (answer && !isLeft(answer)) answers.push(right(answer.right))
  }
  await until(environment, cast, act, () => answers.length > 0)
}

const PAYMENTS = ['E99990000000000000000000000000001', 'E99990000000000000000000000000002'] as const

/** An account issues charges with and without keys, and one of them is paid twice. */
export const charging: Story = {
  name: 'charging',
  banks: ['outside', 'embedded'],
  async tell(environment, cast) {
    const [merchant] = await openAccounts(environment, cast, ['11222333000181'])
    if (!merchant) throw new Error('no account was opened')
    const input = pixDueTomorrow(environment)
    const firstMs = environment.agenda.nowMs()
    const orderOf = (key: string, over: KeyedOrder['over']): KeyedOrder => {
      const asked = { answers: [], last: null, asking: 0, isOld: false }
      return { key, over, merchant, input: { ...input, description: key }, firstMs, ...asked }
    }
    const order = orderOf('pedido-1', 'http')
    for (const each of [order, orderOf('pedido-2', 'program')]) {
      cast.orders.push(each)
      await until(environment, cast, askFor(each), () => each.answers.length > 0)
    }
    const issueWithoutKey: Act = async (_world, _cast, process) => {
      await ask(process, process.pay.charges.issue(merchant, input))
    }
    await until(environment, cast, issueWithoutKey, async () => (await environment.snapshot()).charges.length > 2)

    const { txid } = (await environment.snapshot()).charges.find(({ description }) => description === order.key) ?? {}
    for (const endToEndId of PAYMENTS)
      await payOnce(environment, cast, { txid: txid ?? '', valueCents: 700, endToEndId })
    environment.agenda.jump(3 * DAY_MS)
    await environment.agenda.run(1_000)
  },
  end: { postedCents: [700, 700], paid: 1, isExpired: true },
  endOf: ({ charges, entries }) => ({
    postedCents: entries.map(({ valueCents }) => valueCents),
    paid: charges.filter(({ status }) => status === 'paid').length,
    isExpired: charges.some(({ status }) => status === 'expired'),
  }),
}

const PART_CENTS = { first: 2_000, rest: 3_500, over: 500 } as const

/** A charge of R$ 50 is paid in part, then by the code of its rest with R$ 5 too much, which are refunded. */
export const parts: Story = {
  name: 'parts',
  banks: ['embedded'],
  async tell(environment, cast) {
    const [merchant] = await openAccounts(environment, cast, ['11222333000181'])
    if (!merchant) throw new Error('no account was opened')
    const { first, rest } = PART_CENTS
    const only = async () => (await environment.snapshot()).charges[0]
    const change = { acceptPartial: true }
    await untilAnswered(environment, cast, ({ pay }) => pay.organizations.update(merchant, { status: 'ACTIVE' }))
    await untilAnswered(environment, cast, ({ pay }) => pay.accounts.update({ ...merchant, permissions: [] }, change))
    const input = pixDueTomorrow(environment)
    await untilAnswered(environment, cast, ({ pay }) => {
      const issue = pay.charges.issue(merchant, input)
      return () => issue({ key: 'pedido' })
    })
    const { txid: whole = null } = (await only()) ?? {}
    await payOnce(environment, cast, { txid: whole ?? '', valueCents: first, endToEndId: PAYMENTS[0] })
    const isReplaced = async () => (await only())?.titlePaidCents === first
    await until(environment, cast, async () => {}, isReplaced)
    const { txid = null, id = 0 } = (await only()) ?? {}
    await payOnce(environment, cast, { txid: txid ?? '', valueCents: rest, endToEndId: PAYMENTS[1] })
    await until(
      environment,
      cast,
      async () => {},
      async () => (await only())?.status === 'paid',
    )
    await untilOut(
      environment,
      cast,
      ({ refunds }) => refunds,
      PART_CENTS.over,
      ({ pay }) => pay.charges.refund(merchant, id, { isOfOverpaid: true }),
    )
  },
  end: { postedCents: [2_000, 3_500, -500], status: ['paid'], overpaidCents: [0], refundedCents: [500] },
  endOf: ({ charges, entries }) => ({
    postedCents: entries.map(({ valueCents }) => valueCents),
    status: charges.map(({ status }) => status),
    overpaidCents: charges.map(({ overpaidCents }) => overpaidCents),
    refundedCents: charges.map(({ refundedCents }) => refundedCents),
  }),
}

const PAID_CENTS = 50_000
const SOLD_CENTS = 9_000
const OUT_CENTS = { byKey: 1_000, byAccount: 2_000, moved: 700, back: 300, ofCards: 4_000 } as const
const TO = { name: 'Fulano', document: '12345678909', ispb: '341', branch: '1', account: '12345-6' }
const HOUR_MS = 3_600_000

/** A withdrawal, transfer or refund. */
export interface Leaving {
  readonly status: string
  readonly valueCents: number | null
}

/** Repeats the request while each record of it has failed, until one is completed. */
export const untilOut = (
  environment: Environment,
  cast: Cast,
  of: (held: Snapshot) => readonly Leaving[],
  cents: number,
  does: (process: Process, tries: number) => () => Promise<Either<Failure, unknown>>,
): Promise<void> => {
  const ours = async () => of(await environment.snapshot()).filter(({ valueCents }) => valueCents === cents)
  const act: Act = async (_world, _cast, process) => {
    const all = await ours()
    if (all.every(({ status }) => status === 'failed')) await ask(process, does(process, all.length))
  }
  return until(environment, cast, act, async () => (await ours()).some(({ status }) => status === 'completed'))
}

/**
 * An account is paid by Pix and by card, withdraws to a key and to the data of an account, transfers to another
 * account, refunds the payer, and withdraws its card sales.
 */
export const moneyOut: Story = {
  name: 'money out',
  // The outside bank has no pay-outs.
  banks: ['embedded'],
  async tell(environment, cast) {
    const [merchant, other] = await openAccounts(environment, cast, ['11222333000181', '11444777000161'])
    if (!merchant || !other) throw new Error('no two accounts were opened')
    for (const each of [merchant, other])
      await untilAnswered(environment, cast, ({ pay }) => pay.organizations.update(each, { status: 'ACTIVE' }))

    const pix = { ...pixDueTomorrow(environment), valueCents: PAID_CENTS }
    const card = { ...pix, ...VISA_CARD, valueCents: SOLD_CENTS, paymentMethod: 'CREDIT_CARD' } as const
    for (const [index, input] of [pix, card].entries())
      await untilAnswered(environment, cast, ({ pay }) => {
        const issue = pay.charges.issue(merchant, input)
        return () => issue({ key: `pedido-${index}` })
      })
    const sold = (await environment.snapshot()).charges.find(({ paymentMethod }) => paymentMethod === 'PIX')
    if (!sold) throw new Error('no Pix charge was issued')
    const endToEndId = 'E99990000000000000000000000000001'
    await payOnce(environment, cast, { txid: sold.txid ?? '', valueCents: PAID_CENTS, endToEndId })
    const isCredited = async () =>
      (await environment.snapshot()).entries.some(({ valueCents }) => valueCents === PAID_CENTS)
    await until(environment, cast, async () => {}, isCredited)

    const { byKey, byAccount, moved, back, ofCards } = OUT_CENTS
    const withdrawn = ({ withdrawals }: Snapshot) => withdrawals
    // With a key, a repeat resumes the withdrawal; without one, the duplicate window rejects it.
    await untilOut(environment, cast, withdrawn, byKey, ({ pay }, tries) => {
      const paying = pay.withdrawals.payKey(merchant, { key: 'ana@cliente.test', valueCents: byKey })
      return () => paying({ key: `saque-${tries}` })
    })
    await untilOut(environment, cast, withdrawn, byAccount, ({ pay }) =>
      pay.withdrawals.payAccount(merchant, { ...TO, valueCents: byAccount }),
    )
    const receiver = await environment.store.find(byId(accounts, other.accountId))
    await untilOut(
      environment,
      cast,
      ({ transfers }) => transfers,
      moved,
      ({ ports, pay }) => {
        const apiKey = receiver ? apiKeyOf(ports.cipher, receiver) : ''
        return pay.transfers.send(merchant, { apiKey, valueCents: moved, description: null })
      },
    )
    await untilOut(
      environment,
      cast,
      ({ refunds }) => refunds,
      back,
      ({ pay }) => pay.charges.refund(merchant, sold.id, { valueCents: back }),
    )
    await untilAnswered(environment, cast, ({ pay }) => {
      const withdrawing = pay.cardSales.withdraw(merchant, { amountCents: ofCards })
      return () => withdrawing({ key: 'saque-do-cartao' })
    })
    environment.agenda.jump(2 * HOUR_MS)
    await environment.agenda.run(1_000)
  },
  end: [
    '1 card -4000',
    '1 card 9000',
    '1 main -1000',
    '1 main -2000',
    '1 main -300',
    '1 main -700',
    '1 main 4000',
    '1 main 50000',
    '2 main 700',
  ],
  endOf: ({ accounts: held, entries }) => {
    const ids = held.map(({ id }) => id).toSorted((a, b) => a - b)
    return entries
      .map(({ accountId, book, valueCents }) => `${ids.indexOf(accountId) + 1} ${book.split(':')[1]} ${valueCents}`)
      .toSorted()
  },
}
