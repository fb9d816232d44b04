import { useCaseOf } from '../../../kernel/running/use-case.ts'
import { parseId } from '../../../kernel/values/text.ts'
import type { BegunOperation } from '../../bank/run-operation.ts'
import type { Card } from '../../cards/card.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import type { KeptCardOrder } from '../cards/card-order.ts'
import { chargeCard, readCardFacts, resumeCard, sendCard } from '../cards/charge-card.ts'
import type { ChargeDetail } from '../find-charge.ts'
import { createTitle, resumeTitle, sendTitle } from '../titles/create-title.ts'
import type { BegunCharge } from './decide-charge.ts'

/**
 * Asks for what a charge that was begun is paid by: the bank for its title, or the acquirer for its card, which is nowhere but
 * in the request that has it.
 * Fails: `charge.unknown`, `bank.refused`, `card.declined`, `bank.unavailable` (a failed charge is kept).
 */
export const askForCharge = (ports: PaymentsPorts, begun: BegunCharge, card: Card | null) =>
  useCaseOf<ChargeDetail>()(async (hooks) => {
    if (!isOfCard(begun)) return createTitle(ports).first(begun, sendTitle(ports))(hooks)
    return card ? chargeCard(ports).first(begun, sendCard(ports, card))(hooks) : resumeCard(ports)(begun.intent)(hooks)
  })

const isOfCard = (begun: BegunCharge): begun is BegunOperation<KeptCardOrder> => 'lostAt' in begun.order

/**
 * Carries on a charge of which the bank, or its acquirer, has said nothing yet: by its id, its txid, or the code of one that is
 * paid by card. A card is not charged again. Whoever comes after the answer is told the same.
 * Fails: `charge.unknown`, `bank.refused`, `card.declined`, `bank.unavailable`. Source: decisions.md §9.
 */
export const resumeCharge = (ports: PaymentsPorts) => (of: number | string) =>
  useCaseOf<ChargeDetail>()(async (hooks) => {
    const id = parseId(`${of}`)
    const facts = await readCardFacts(ports, id === null ? { code: `${of}` } : { id })
    return facts ? resumeCard(ports)(facts.detail.charge.code)(hooks) : resumeTitle(ports)(of)(hooks)
  })
