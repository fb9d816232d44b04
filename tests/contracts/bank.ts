import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import type { Bank, BankAbility, PaymentNotice, Title, TitleMethod, TitleOrder } from '../../core/ports/bank.ts'
import {
  accountOf,
  anId,
  doneBy,
  isInstant,
  type OpenedBank,
  payOutOutages,
  payOutRules,
  refundRules,
} from './bank-money-out.ts'
import { type Check, type ContractCase, casesOf, LeftOut } from './contract.ts'

/** Opens a bank for each case, and acts on behalf of payers and the network. */
export interface BankContract<O extends OpenedBank> {
  open(): Promise<O>
  /** Pays a title by Pix; resolves when the bank has the payment. Without it, payments are not tested. */
  readonly pay?: (opened: O, payment: { readonly txid: string; readonly valueCents: number }) => Promise<unknown>
  /**
   * A registered Pix key, which receives pay-outs, and an unregistered one, both in the form of the DICT. Without them,
   * pay-outs are not tested.
   */
  readonly keys?: { readonly known: string; readonly unknown: string }
  /** Makes the bank unreachable. Without it, outages are not tested. */
  readonly cutOff?: (opened: O) => unknown
}

/**
 * Returns the rules of the port `Bank`. Ids are random, so that a sandbox may keep the data of earlier runs.
 *
 * ```ts
 * for (const { name, run } of bankContract({ open })) test(name, run)
 * ```
 */
export const bankContract = <O extends OpenedBank>({
  open,
  pay,
  keys,
  cutOff,
}: BankContract<O>): readonly ContractCase[] =>
  casesOf(open, (check) => {
    openings(check)
    const onPix: Check<O> = (name, body) => check(name, needing('pix', body))
    titles(onPix)
    cancellations(onPix)
    boletos(check)
    if (pay) payments(onPix, pay)
    if (pay) refundRules(onPix, { order: ({ bank }) => anOrder(bank), pay })
    if (keys) payOutRules(check, keys)
    if (cutOff) outages(onPix, cutOff)
    if (keys && cutOff) payOutOutages(check, keys, cutOff)
  })

const needing =
  <O extends OpenedBank>(ability: BankAbility, body: (opened: O) => Promise<unknown>) =>
  async (opened: O): Promise<unknown> =>
    opened.bank.can.includes(ability) ? body(opened) : new LeftOut(`the bank cannot ${ability}`)

const orderOf = (bank: Bank, pixKey: string | null, over: Partial<TitleOrder> = {}): TitleOrder => ({
  txid: anId(bank),
  method: 'PIX',
  payeeDocument: '11222333000181',
  agency: '0101',
  account: '12345-6',
  payer: { name: 'Maria da Silva', document: '12345678909', address: null },
  amountRateHundredths: null,
  typeRate: null,
  discountHundredths: null,
  typeDiscount: null,
  daysDiscount: null,
  pixKey: pixKey ?? 'loja@example.com',
  payeeName: 'Açaí & Cia',
  payeeCity: 'SÃO PAULO',
  valueCents: 12_345,
  dueDate: '2099-12-31',
  ...over,
})

/** An order for the Pix key of an account at this bank. */
const anOrder = async (bank: Bank, over?: Partial<TitleOrder>): Promise<TitleOrder> =>
  orderOf(bank, (await accountOf(bank)).pixKey, over)

const ordered = async (bank: Bank, over?: Partial<TitleOrder>): Promise<Title> =>
  doneBy(await bank.createTitle(await anOrder(bank, over)))

const found = async (bank: Bank, txid: string): Promise<Title | null> => doneBy(await bank.findTitle(txid))

const openings = <O extends OpenedBank>(check: Check<O>): void => {
  check('has a compe of three digits', async ({ bank }) => match(bank.compe, /^\d{3}$/))

  check('opens one account for a reference, however often the request is repeated', async ({ bank }) => {
    const reference = anId(bank)
    const [first, ...again] = await Promise.all([1, 2, 3].map(() => accountOf(bank, reference)))
    for (const each of [...again, await accountOf(bank, reference)]) deepEqual(each, first)
    ok(first?.agency !== '' && first?.account !== '', 'an account has a branch and a number')
  })

  check(
    'opens two accounts for two references',
    needing('open-account', async ({ bank }) => {
      const [first, second] = [await accountOf(bank), await accountOf(bank)]
      notEqual(`${first.agency} ${first.account}`, `${second.agency} ${second.account}`)
    }),
  )

  check('returns its one account for every reference if it cannot open accounts', async ({ bank }) => {
    if (bank.can.includes('open-account')) return new LeftOut('the bank can open accounts')
    deepEqual(await accountOf(bank), await accountOf(bank))
    return null
  })

  check('accepts txids of the length that it states', async ({ bank }) =>
    ok(Number.isInteger(bank.txidLength) && bank.txidLength >= 1 && bank.txidLength <= 35, `${bank.txidLength}`),
  )
}

const ABILITIES = { PIX: 'pix', BOLETO: 'boleto', BOLEPIX: 'bolepix' } as const satisfies Record<
  TitleMethod,
  BankAbility
>

const boletos = <O extends OpenedBank>(check: Check<O>): void => {
  for (const method of ['BOLETO', 'BOLEPIX'] as const)
    check(
      `creates a ${method.toLowerCase()} as one title with barcode and digitable line`,
      needing(ABILITIES[method], async ({ bank }) => {
        const order = await anOrder(bank, { method })
        const title = doneBy(await bank.createTitle(order))
        deepEqual([title.txid, title.cancelled, title.payments], [order.txid, false, []])
        match(title.boleto?.barcode ?? '', /^\d{44}$/)
        match(title.boleto?.digitableLine ?? '', /^\d{47}$/)
        deepEqual(await found(bank, order.txid), title)
        deepEqual(doneBy(await bank.createTitle(order)), title)
      }),
    )
}

const titles = <O extends OpenedBank>(check: Check<O>): void => {
  check('creates a title as ordered, and finds it by its txid', async ({ bank }) => {
    for (const over of [{}, { valueCents: 1 }, { valueCents: 99_999_999_999 }, { payeeName: 'A' }]) {
      const order = await anOrder(bank, over)
      const { dynamicCode, ...title } = doneBy(await bank.createTitle(order))
      deepEqual(title, { txid: order.txid, boleto: null, cancelled: false, payments: [] })
      ok(dynamicCode === null || dynamicCode !== '', 'a code is a text or null')
      deepEqual(await found(bank, order.txid), { dynamicCode, ...title })
    }
  })

  check('creates one title for a txid, however often the request is repeated', async ({ bank }) => {
    const order = await anOrder(bank)
    const [first, ...again] = await Promise.all([1, 2, 3].map(() => bank.createTitle(order)))
    for (const each of [...again, await bank.createTitle(order), await bank.findTitle(order.txid)])
      deepEqual(each, first)
    doneBy(await bank.createTitle(order))
  })

  check('finds no title that was never created', async ({ bank }) => {
    const { txid } = await ordered(bank)
    equal(await found(bank, anId(bank)), null)
    notEqual(await found(bank, txid), null)
  })
}

const cancellations = <O extends OpenedBank>(check: Check<O>): void => {
  check('cancels a title, and accepts a repeated cancellation', async ({ bank }) => {
    const order = await anOrder(bank)
    const [{ txid }, other] = [doneBy(await bank.createTitle(order)), await ordered(bank)]
    equal(doneBy(await bank.cancelTitle(txid)), null)
    equal(doneBy(await bank.cancelTitle(txid)), null)
    equal((await found(bank, txid))?.cancelled, true)
    equal((await found(bank, other.txid))?.cancelled, false)
    // A repeated order, after a lost response, returns the cancelled title.
    equal(doneBy(await bank.createTitle(order)).cancelled, true)
  })

  check('creates no title when an unknown txid is cancelled', async ({ bank }) => {
    const txid = anId(bank)
    ok(['refused', 'done'].includes((await bank.cancelTitle(txid)).outcome))
    equal(await found(bank, txid), null)
  })
}

const assertNotice = (notice: PaymentNotice | undefined, txid: string, valueCents: number): void => {
  if (!notice) throw new Error('the title has no payment')
  deepEqual([notice.txid, notice.valueCents, notice.method], [txid, valueCents, 'pix'])
  match(notice.endToEndId, /^E[0-9A-Za-z]{31}$/)
  ok(isInstant(notice.paidAt), `${notice.paidAt} is no instant in UTC with milliseconds`)
}

const payments = <O extends OpenedBank>(check: Check<O>, pay: NonNullable<BankContract<O>['pay']>): void => {
  check('returns the payment of a title, and the same one on every read', async (opened) => {
    const { bank } = opened
    const order = await anOrder(bank)
    const [{ txid }, other] = [doneBy(await bank.createTitle(order)), await ordered(bank)]
    await pay(opened, { txid, valueCents: order.valueCents })
    const title = await found(bank, txid)
    equal(title?.payments.length, 1)
    assertNotice(title?.payments[0], txid, order.valueCents)
    deepEqual(await found(bank, txid), title)
    deepEqual(doneBy(await bank.createTitle(order)).payments, title?.payments)
    deepEqual((await found(bank, other.txid))?.payments, [])
  })

  check('gives the payments of two titles different end-to-end ids', async (opened) => {
    const made = [await ordered(opened.bank), await ordered(opened.bank)]
    for (const { txid } of made) await pay(opened, { txid, valueCents: 12_345 })
    const ids = await Promise.all(
      made.map(async ({ txid }) => (await found(opened.bank, txid))?.payments[0]?.endToEndId),
    )
    equal(new Set(ids).size, 2)
  })
}

const outages = <O extends OpenedBank>(check: Check<O>, cutOff: NonNullable<BankContract<O>['cutOff']>): void => {
  check('answers unavailable or unknown while the bank cannot be reached, and never rejects', async (opened) => {
    const { bank } = opened
    const order = await anOrder(bank)
    const { txid } = doneBy(await bank.createTitle(order))
    await cutOff(opened)
    const answers = [
      await bank.openAccount({ reference: anId(bank), name: 'Açaí & Cia', document: '11222333000181' }),
      await bank.createTitle({ ...order, txid: anId(bank) }),
      await bank.findTitle(txid),
      await bank.cancelTitle(txid),
    ]
    // The first answer may be known without a request.
    const isSo = (outcome: string, at: number) => outcome === 'unavailable' || outcome === 'unknown' || at === 0
    for (const [at, { outcome }] of answers.entries()) ok(isSo(outcome, at), outcome)
  })
}
