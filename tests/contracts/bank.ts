import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Bank, BankAnswer, PaymentNotice, PixOrder, PixTitle } from '../../core/ports/bank.ts'
import { type Check, type ContractCase, casesOf } from './contract.ts'

/** A bank, or its sandbox. */
export interface OpenedBank {
  readonly bank: Bank
  close(): Promise<void>
}

/** How a bank of one's own is opened, for each case anew, and what can be done at its other end. */
export interface BankContract<O extends OpenedBank> {
  open(): Promise<O>
  /** Somebody pays a title by Pix; resolves once the bank knows of it. Without it no payments are tried. */
  readonly pay?: (opened: O, payment: { readonly txid: string; readonly valueCents: number }) => Promise<unknown>
  /** From now on the bank cannot be reached. Without it that is not tried. */
  readonly cutOff?: (opened: O) => unknown
}

/**
 * Everything that the port `Bank` promises, the same for every adapter. Ids are of chance, so that a sandbox may keep what
 * earlier runs have left there.
 *
 * ```ts
 * for (const { name, run } of bankContract({ open })) test(name, run)
 * ```
 */
export const bankContract = <O extends OpenedBank>({ open, pay, cutOff }: BankContract<O>): readonly ContractCase[] =>
  casesOf(open, (check) => {
    openings(check)
    titles(check)
    cancellations(check)
    if (pay) payments(check, pay)
    if (cutOff) outages(check, cutOff)
  })

const anId = (): string => randomUUID().replaceAll('-', '').slice(0, 25)

const orderOf = (pixKey: string | null, over: Partial<PixOrder> = {}): PixOrder => ({
  txid: anId(),
  pixKey: pixKey ?? 'loja@example.com',
  payeeName: 'Açaí & Cia',
  payeeCity: 'SÃO PAULO',
  valueCents: 12_345,
  dueDate: '2099-12-31',
  ...over,
})

const doneBy = <T>(answer: BankAnswer<T>): T => {
  if (answer.outcome !== 'done') throw new Error(`the bank answered ${JSON.stringify(answer)}`)
  return answer.value
}

const accountOf = async (bank: Bank, reference = anId()) =>
  doneBy(await bank.openAccount({ reference, name: 'Açaí & Cia', document: '11222333000181' }))

/** An order that the bank can take: for the key of an account with it. */
const anOrder = async (bank: Bank, over?: Partial<PixOrder>): Promise<PixOrder> =>
  orderOf((await accountOf(bank)).pixKey, over)

const ordered = async (bank: Bank, over?: Partial<PixOrder>): Promise<PixTitle> =>
  doneBy(await bank.createPix(await anOrder(bank, over)))

const found = async (bank: Bank, txid: string): Promise<PixTitle | null> => doneBy(await bank.findPix(txid))

const openings = <O extends OpenedBank>(check: Check<O>): void => {
  check('a bank is known by three digits', async ({ bank }) => match(bank.compe, /^\d{3}$/))

  check('an account is opened once by our own reference, however often it is asked for', async ({ bank }) => {
    const reference = anId()
    const [first, ...again] = await Promise.all([1, 2, 3].map(() => accountOf(bank, reference)))
    for (const each of [...again, await accountOf(bank, reference)]) deepEqual(each, first)
    const { agency, account } = await accountOf(bank)
    notEqual(`${agency} ${account}`, `${first?.agency} ${first?.account}`)
    ok(agency !== '' && account !== '', 'an account has a branch and a number')
  })
}

const titles = <O extends OpenedBank>(check: Check<O>): void => {
  check('a title is what was ordered, and is found by our own id', async ({ bank }) => {
    for (const over of [{}, { valueCents: 1 }, { valueCents: 99_999_999_999 }, { payeeName: 'A' }]) {
      const order = await anOrder(bank, over)
      const { dynamicCode, ...title } = doneBy(await bank.createPix(order))
      deepEqual(title, { txid: order.txid, cancelled: false, payments: [] })
      ok(dynamicCode === null || dynamicCode !== '', 'a code is a text or null')
      deepEqual(await found(bank, order.txid), { dynamicCode, ...title })
    }
  })

  check('a title is made once, however often it is ordered', async ({ bank }) => {
    const order = await anOrder(bank)
    const [first, ...again] = await Promise.all([1, 2, 3].map(() => bank.createPix(order)))
    for (const each of [...again, await bank.createPix(order), await bank.findPix(order.txid)]) deepEqual(each, first)
    doneBy(await bank.createPix(order))
  })

  check('a title that was never ordered is not there', async ({ bank }) => {
    const { txid } = await ordered(bank)
    equal(await found(bank, anId()), null)
    notEqual(await found(bank, txid), null)
  })
}

const cancellations = <O extends OpenedBank>(check: Check<O>): void => {
  check('a title is cancelled, and again, and stays so', async ({ bank }) => {
    const order = await anOrder(bank)
    const [{ txid }, other] = [doneBy(await bank.createPix(order)), await ordered(bank)]
    equal(doneBy(await bank.cancelTitle(txid)), null)
    equal(doneBy(await bank.cancelTitle(txid)), null)
    equal((await found(bank, txid))?.cancelled, true)
    equal((await found(bank, other.txid))?.cancelled, false)
    // Whoever repeats the order, its answer having been lost, hears what became of it.
    equal(doneBy(await bank.createPix(order)).cancelled, true)
  })

  check('to cancel what was never ordered makes no title', async ({ bank }) => {
    const txid = anId()
    ok(['refused', 'done'].includes((await bank.cancelTitle(txid)).outcome))
    equal(await found(bank, txid), null)
  })
}

const isInstant = (text: string): boolean => new Date(text).toISOString() === text

const assertNotice = (notice: PaymentNotice | undefined, txid: string, valueCents: number): void => {
  if (!notice) throw new Error('the payment is not told')
  deepEqual([notice.txid, notice.valueCents, notice.method], [txid, valueCents, 'pix'])
  match(notice.endToEndId, /^E[0-9A-Za-z]{31}$/)
  ok(isInstant(notice.paidAt), `${notice.paidAt} is no instant in UTC with milliseconds`)
}

const payments = <O extends OpenedBank>(check: Check<O>, pay: NonNullable<BankContract<O>['pay']>): void => {
  check('a title tells its payment, and the same one however often it is asked', async (opened) => {
    const { bank } = opened
    const order = await anOrder(bank)
    const [{ txid }, other] = [doneBy(await bank.createPix(order)), await ordered(bank)]
    await pay(opened, { txid, valueCents: order.valueCents })
    const title = await found(bank, txid)
    equal(title?.payments.length, 1)
    assertNotice(title?.payments[0], txid, order.valueCents)
    deepEqual(await found(bank, txid), title)
    deepEqual(doneBy(await bank.createPix(order)).payments, title?.payments)
    deepEqual((await found(bank, other.txid))?.payments, [])
  })

  check('payments of two titles have ids of their own', async (opened) => {
    const made = [await ordered(opened.bank), await ordered(opened.bank)]
    for (const { txid } of made) await pay(opened, { txid, valueCents: 12_345 })
    const ids = await Promise.all(
      made.map(async ({ txid }) => (await found(opened.bank, txid))?.payments[0]?.endToEndId),
    )
    equal(new Set(ids).size, 2)
  })
}

const outages = <O extends OpenedBank>(check: Check<O>, cutOff: NonNullable<BankContract<O>['cutOff']>): void => {
  check('a bank that cannot be reached says so or does not know, and never rejects', async (opened) => {
    const { bank } = opened
    const order = await anOrder(bank)
    const { txid } = doneBy(await bank.createPix(order))
    await cutOff(opened)
    const answers = [
      await bank.openAccount({ reference: anId(), name: 'Açaí & Cia', document: '11222333000181' }),
      await bank.createPix({ ...order, txid: anId() }),
      await bank.findPix(txid),
      await bank.cancelTitle(txid),
    ]
    for (const { outcome } of answers) ok(outcome === 'unavailable' || outcome === 'unknown', outcome)
  })
}
