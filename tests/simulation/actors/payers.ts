import { isLeft } from '../../../core/failure.ts'
import type { NewCharge } from '../../../core/payments/charges/new-charge.ts'
import type { PaymentNotice } from '../../../core/ports/bank.ts'
import { DECLINED_CARD, PENDING_CARD } from '../environment/acquirer.ts'
import type { Dice } from '../environment/chance.ts'
import { ask } from '../environment/process.ts'
import { type Act, over, type SoldLink, some } from './cast.ts'

/** Pays a title, whatever the status of its charge: the amount due, or any other. */
export const pay: Act = async ({ bank, dice, trace }) => {
  const { titles, payments } = await bank.books()
  // Mostly a new title, but some are paid repeatedly.
  const title = some({ dice }, dice.chance(0.7) ? titles.slice(-6) : titles)
  const again = dice.chance(0.2) ? some({ dice }, payments.slice(-6)) : null
  const txid = again?.txid ?? title?.txid
  if (txid === undefined) return
  trace.note(`pay ${txid}`)
  const valueCents = dice.pick([null, null, 1, dice.between(1, 100_000)])
  await bank.pay({ txid, valueCents, endToEndId: null, payer: null })
}

/** Pays a half of a title, twice at once at times. */
export const payPart: Act = async (environment) => {
  const { bank, dice, trace } = environment
  const { charges } = await environment.snapshot()
  const open = charges.filter(({ status, txid }) => status === 'pending' && txid !== null)
  const charge = some(environment, open.slice(-8))
  if (!charge) return
  trace.note(`part ${charge.txid}`)
  const valueCents = Math.max(1, Math.floor(charge.valueCents / 2))
  const order = { txid: charge.txid ?? '', valueCents, endToEndId: null, payer: null }
  await Promise.all((dice.chance(0.3) ? [1, 2] : [1]).map(() => bank.pay(order)))
}

export const payTwice: Act = async (environment, cast, process) => {
  const { titles } = await environment.bank.books()
  const title = some(environment, titles.slice(-6))
  if (!title) return
  const order = { txid: title.txid, endToEndId: null, payer: null }
  environment.trace.note(`pay-twice ${title.txid}`)
  await Promise.all([10, 20].map((valueCents) => environment.bank.pay({ ...order, valueCents })))
  if (environment.dice.chance(0.3)) await pay(environment, cast, process)
}

export const cancel: Act = async ({ bank, dice, trace }) => {
  const { titles } = await bank.books()
  const title = some(
    { dice },
    titles.slice(-8).filter(({ cancelled }) => !cancelled),
  )
  if (!title) return
  trace.note(`cancel ${title.txid}`)
  await bank.cancel(title.txid)
}

const NEW_ID = 'E8888'

/** Sends an invalid payment notice, or one with the id of another payment: it must be refused. */
export const tellNonsense: Act = async (environment, _cast, process) => {
  const { agenda, bank, dice, trace, broken } = environment
  const { titles, payments } = await bank.books()
  const title = some(environment, titles)
  const posted = some(
    environment,
    payments.filter(({ told }) => told),
  )
  if (!title) return
  const paidAt = new Date(agenda.nowMs()).toISOString()
  const right = { txid: title.txid, endToEndId: NEW_ID, method: 'pix', valueCents: 100, paidAt, payer: null } as const
  const wrong: readonly Readonly<Record<string, unknown>>[] = [
    { valueCents: dice.pick([0, -100, 0.5, Number.NaN]) },
    { method: 'card' },
    { paidAt: 'ontem' },
    { endToEndId: '' },
    ...(posted && posted.txid !== title.txid ? [{ endToEndId: posted.endToEndId }] : []),
    ...(posted ? [{ ...posted, valueCents: posted.valueCents + 1 }] : []),
  ]
  const notice = { ...right, ...dice.pick(wrong) }
  trace.note(`nonsense ${notice.txid}`)
  const told = await ask(process, process.pay.bank.paid(notice as PaymentNotice))
  if (told && !isLeft(told)) broken.push(`an invalid notice was accepted: ${JSON.stringify(notice)}`)
}

const VISA = '4111111111111111'
const MASTERCARD = '5555555555554444'
/** Card numbers that must not appear in any stored record. */
export const CARD_NUMBERS = [VISA, MASTERCARD, DECLINED_CARD, PENDING_CARD] as const
export const CVV = '737'

const PLASTIC = { cvv: CVV, cardholderName: 'FULANO DE TAL' }
const ADDRESS = {
  street: 'Rua das Flores',
  number: '10',
  district: 'Centro',
  city: 'São Paulo',
  state: 'SP',
  zipcode: '01001000',
}
const MOST_CENTS = 50_000

const someNumber = (dice: Dice): string => dice.pick([...CARD_NUMBERS, VISA, MASTERCARD, PENDING_CARD])

const byCard = (cardNumber: string, installments: number) =>
  ({
    card: { ...PLASTIC, cardNumber, expiryMonth: 12, expiryYear: 2030 },
    address: ADDRESS,
    installments,
  }) satisfies Partial<NewCharge>

/** The card fields of a charge that is approved. */
export const VISA_CARD = byCard(VISA, 1)

export const someCard = (dice: Dice) => byCard(someNumber(dice), dice.pick([1, 1, 3]))

/** Creates a link that is paid by card, once or twice. */
const makeLink: Act = async (environment, cast, process) => {
  const { dice, trace } = environment
  const merchant = some(environment, cast.merchants)
  if (!merchant) return
  const sold = { title: 'Rifa', amountCents: dice.between(1, MOST_CENTS), maxUses: dice.pick([1, 1, 2]) }
  const made = await ask(process, process.pay.links.create(merchant, { ...sold, paymentMethods: ['CARD'] }))
  trace.note(`link ${merchant.accountId}: ${made && (isLeft(made) ? made.left.code : made.right.link.id)}`)
  if (!made || isLeft(made)) return
  const { link, publicUrl } = made.right
  cast.links.push({ id: link.id, token: new URL(publicUrl).searchParams.get('token') })
}

const payLink =
  (link: SoldLink): Act =>
  async ({ dice, trace }, _, process) => {
    const document = dice.pick(['12345678909', '11144477735'])
    const outcome = await ask(
      process,
      process.pay.checkout.pay(link, {
        paymentMethod: 'CARD',
        payer: { name: 'Fulano', email: 'fulano@cliente.test', document },
        address: ADDRESS,
        card: { ...PLASTIC, cardNumber: someNumber(dice), expiry: '12/30' },
      }),
    )
    trace.note(`link ${link.id} ${outcome && (isLeft(outcome) ? outcome.left.code : outcome.right.charge.id)}`)
  }

/** Pays one link twice at once, mostly with one use left. */
export const payByLink: Act = async (environment, cast, process) => {
  if (environment.dice.chance(0.5)) await makeLink(environment, cast, process)
  const link = some(environment, cast.links.slice(-3))
  if (link) await Promise.all([1, 2].map(() => over(environment, cast, payLink(link))))
}
