import { isLeft, left, right } from '../../fp.ts'
import { nullIfAbsent } from '../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { money } from '../../kernel/input/scalars.ts'
import { pick } from '../../kernel/input/table.ts'
import { alphanumeric, email, line } from '../../kernel/input/texts.ts'
import {
  accept,
  finishOperation,
  operationUseCase,
  startOperation,
  useCaseOf,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { NO_CHARGE } from '../charges/charge-failure.ts'
import { chargeFields } from '../charges/charge-fields.ts'
import { findCharge } from '../charges/find-charge.ts'
import { askForCharge, resumeCharge } from '../charges/issue/ask-for-charge.ts'
import { type Asked, decideCharge, type Issuer, readChargeFacts } from '../charges/issue/decide-charge.ts'
import { toldOf } from '../charges/titles/decide-title.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type DrawnPix, drawn } from './read-pix.ts'

/** Source: 02-billing.md, Legacy instant-payment module. */
export const newInstantPix = input('NewInstantPix', {
  valueCents: money({ wire: 'amount', minCents: 1, about: 'Valor' }),
  ...pick(chargeFields, 'webhook'),
  name: nullIfAbsent(line({ max: 100, about: 'Nome de quem paga' })),
  email: nullIfAbsent(email({ max: 100, about: 'E-mail de quem paga' })),
  document: nullIfAbsent(alphanumeric({ max: 20, about: 'Documento de quem paga' })),
  phone: nullIfAbsent(line({ max: 20, about: 'Telefone de quem paga' })),
})

type AskedPix = DecodedOf<typeof newInstantPix>

/** The client of the charges of an account of which nobody said who pays: one for all of them, found by a document that is none. */
export const UNNAMED = {
  name: 'Pagador não identificado',
  email: null,
  document: 'NAOIDENTIFICADO',
  phone: null,
} as const

const payerOf = ({ name, email: address, document, phone }: AskedPix): Asked['payer'] =>
  name === null || address === null || document === null ? UNNAMED : { name, email: address, document, phone }

/** What a charge says that a Pix does not. */
const NOTHING = {
  ...{ description: null, details: null, instructions: null, amountRateHundredths: null, typeRate: null },
  ...{
    discountHundredths: null,
    typeDiscount: null,
    daysDiscount: null,
    installments: null,
    address: null,
    card: null,
  },
  ...{ chargeGroupId: null, paymentPlanId: null },
  isInstant: true,
} as const

/**
 * Asks for a Pix that is due today: a charge like any other. A payer who is not named whole is not known.
 * Fails: as the issue of a charge does. Source: decisions.md §9, Others.
 */
export type NewInstantPix = InputOf<typeof newInstantPix>

export const issuePix = (ports: PaymentsPorts) => (actor: Issuer, given: NewInstantPix) =>
  withValidInput(ports, newInstantPix, given, (pix) => {
    const { valueCents, webhook } = pix
    const plain = { ...NOTHING, valueCents, webhook, payer: payerOf(pix), paymentMethod: 'PIX' } as const
    return operationUseCase(
      startOperation(
        ports,
        (store) => readChargeFacts(store, actor, plain),
        (facts, fresh) => decideCharge(ports, facts, actor, { ...plain, dueDate: fresh.today }, fresh),
      ),
      (begun) =>
        useCaseOf<DrawnPix>()(async (hooks) => {
          await askForCharge(ports, begun, null)()
          return outcomeOf(ports, begun.intent)(hooks)
        }),
      resumePix(ports),
    )
  })

/**
 * Carries on a Pix of which the bank has said nothing yet, by its txid.
 * Fails: `charge.unknown`, `bank.refused`, `bank.unavailable`.
 */
export const resumePix = (ports: PaymentsPorts) => (txid: string) =>
  useCaseOf<DrawnPix>()(async (hooks) => {
    await resumeCharge(ports)(txid)()
    return outcomeOf(ports, txid)(hooks)
  })

/** As it stands, its code drawn before anybody is told: what is told is kept with the caller's key. */
const outcomeOf = (ports: PaymentsPorts, txid: string) =>
  finishOperation(
    ports,
    async () => {
      const detail = await findCharge(ports, { txid })
      return detail && drawn(ports, detail)
    },
    (found) => {
      if (!found) return left(NO_CHARGE)
      const told = toldOf(found)
      return accept(isLeft(told) ? told : right(found))
    },
  )
