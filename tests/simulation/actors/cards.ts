import { isLeft } from '../../../core/fp.ts'
import type { NewCharge } from '../../../core/payments/charges/new-charge.ts'
import type { Dice } from '../environment/dice.ts'
import { DECLINED_CARD, PENDING_CARD } from '../environment/outside-acquirer.ts'
import { ask } from '../environment/process.ts'
import { type Act, over, type SoldLink, some } from './cast.ts'

const VISA = '4111111111111111'
const MASTERCARD = '5555555555554444'
/** Nobody may find them in anything that is kept. */
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

/** What a charge by a card that is approved is asked for with besides. */
export const VISA_CARD = byCard(VISA, 1)

/** The same of any card. */
export const someCard = (dice: Dice) => byCard(someNumber(dice), dice.pick([1, 1, 3]))

/** Somebody makes a link that is paid by card, once or twice. */
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

/** Two payers of one link at once, who mostly want the last use that it has. */
export const payByLink: Act = async (environment, cast, process) => {
  if (environment.dice.chance(0.5)) await makeLink(environment, cast, process)
  const link = some(environment, cast.links.slice(-3))
  if (link) await Promise.all([1, 2].map(() => over(environment, cast, payLink(link))))
}
