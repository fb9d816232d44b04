import { isLeft } from '../../../fp.ts'
import { operationUseCase, startOperation, withValidInput } from '../../../kernel/running/use-case.ts'
import { waitingForCards } from '../../cards/card-tries.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { askForCharge, resumeCharge } from './ask-for-charge.ts'
import { countedTry, decideCharge, type Issuer, readChargeFacts, withCardTries } from './decide-charge.ts'
import { type NewCharge, newCharge } from './new-charge.ts'

/**
 * Issues a charge, and registers its title at the bank or charges its card.
 * Fails: `fields`, `account.unknown`, `organization.inactive`, `bank.unsupported`, `card.unsupported`, `bank.refused`,
 * `card.throttled`, `card.waiting`, `card.declined` and `bank.unavailable` (a failed charge is kept).
 * Source: 02-billing.md, Charges; decisions.md §3 and §9.
 */
export const issueCharge = (ports: PaymentsPorts) => (actor: Issuer, given: NewCharge) =>
  withValidInput(ports, newCharge, given, (asked) =>
    operationUseCase(
      waitingForCards(
        ports,
        actor.accountId,
        startOperation(
          ports,
          async (store) =>
            withCardTries(ports, store, await readChargeFacts(store, actor, asked), {
              payer: asked.payer,
              card: asked.paymentMethod === 'CREDIT_CARD' ? asked.card : null,
            }),
          (facts, fresh) => {
            const tried = countedTry(facts, fresh)
            return isLeft(tried) ? tried : decideCharge(ports, facts, actor, asked, fresh, tried.right)
          },
        ),
      ),
      (begun) => askForCharge(ports, begun, asked.card),
      resumeCharge(ports),
    ),
  )
