import { isLeft, left } from '../../../fp.ts'
import { nullable } from '../../../kernel/input/field.ts'
import { input } from '../../../kernel/input/input.ts'
import { oneOf } from '../../../kernel/input/scalars.ts'
import { type Change, patch } from '../../../kernel/records/change.ts'
import { eq } from '../../../kernel/records/where.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, unavailable, useCase, useCaseOf, withValidInput } from '../../../kernel/running/use-case.ts'
import type { CardNotice } from '../../../ports/acquirer.ts'
import type { Cipher } from '../../../ports/runtime.ts'
import { bankOperations, forgottenAt } from '../../bank/operation.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { makingOf } from '../charge.ts'
import { NO_CHARGE } from '../charge-failure.ts'
import { anyText, idAtBank } from '../payment/payment-notice.ts'
import { readCardFacts } from './charge-card.ts'
import { applyDecision, type CardFacts, endOf } from './decide-card.ts'

/** The charge of a card whose decision was taken. */
export interface DecidedCard {
  readonly chargeId: number
}

/** An acquirer's notice, of which nothing is believed before it was looked at. */
const cardNotice = input('CardNotice', {
  id: idAtBank,
  status: oneOf(['approved', 'declined', 'voided']),
  token: nullable(anyText),
  reason: nullable(anyText),
})

/**
 * Takes what an acquirer has decided of a card that it had left pending: posted once, however often it is told; what was
 * approved for a charge that nobody is to pay any more is given back.
 * Fails: `fields` (by the notice's own names), `charge.unknown`. Source: decisions.md §4, §9 and §11.
 */
export const takeDecision = (ports: PaymentsPorts) => (told: CardNotice) =>
  useCaseOf<DecidedCard>()(async (hooks) => {
    const taken = await withValidInput(ports, cardNotice, told, (notice) =>
      useCase(
        ports,
        () => readCardFacts(ports, { code: notice.id }),
        (facts, fresh) => decideNotice(ports.cipher, facts, notice, fresh),
      ),
    )(hooks)
    if (isLeft(taken) && taken.left.tag !== 'unavailable')
      ports.log.warn('a notice of a card was refused', { code: taken.left.code })
    return taken
  })

export const decideNotice = (
  cipher: Pick<Cipher, 'seal'>,
  facts: CardFacts | null,
  notice: CardNotice,
  fresh: Fresh,
) => {
  if (!facts) return left(NO_CHARGE)
  const { charge } = facts.detail
  // Somebody is giving it back: what comes of that is known when this is told again.
  if (charge.operationId !== null && makingOf(charge) === null) return left(unavailable('store.busy'))
  return accept<DecidedCard>({ chargeId: charge.id }, ...applyNotice(cipher, facts, notice, fresh).changes)
}

/** What a notice makes of a charge of which nobody else asks anything. */
export const applyNotice = (cipher: Pick<Cipher, 'seal'>, facts: CardFacts, notice: CardNotice, fresh: Fresh) => {
  const { charge } = facts.detail
  const { value, changes = [] } = applyDecision(cipher, facts, notice, fresh)
  return { value, changes: [...(makingOf(charge) === null ? [] : [answered(notice, fresh)]), ...changes] }
}

/** The operation that still waits for the same answer has it. */
const answered = (notice: CardNotice, fresh: Fresh): Change => {
  const { is: state, reason } = endOf(notice)
  const set = { state, reason, dueAt: null, expiresAt: forgottenAt(fresh) }
  return patch(bankOperations, notice.id, { set, when: eq('state', 'asking') })
}
