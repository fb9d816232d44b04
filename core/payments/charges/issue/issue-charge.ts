import { checked } from '../../../kernel/running/checked.ts'
import { operationUseCase, startOperation } from '../../../kernel/running/use-case.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { askForCharge, resumeCharge } from './ask-for-charge.ts'
import { decideCharge, type Issuer, readChargeFacts } from './decide-charge.ts'
import { type NewCharge, newCharge } from './new-charge.ts'

/**
 * Issues a charge, and registers its title at the bank or charges its card.
 * Fails: `fields`, `account.unknown`, `organization.inactive`, `bank.unsupported`, `card.unsupported`, `bank.refused`,
 * `card.declined` and `bank.unavailable` (a failed charge is kept).
 * Source: 02-billing.md, Charges; decisions.md §3 and §9.
 */
export const issueCharge = (ports: PaymentsPorts) => (actor: Issuer, given: NewCharge) =>
  checked(ports, newCharge, given, (asked) =>
    operationUseCase(
      startOperation(
        ports,
        (store) => readChargeFacts(store, actor, asked),
        (facts, fresh) => decideCharge(ports, facts, actor, asked, fresh),
      ),
      (begun) => askForCharge(ports, begun, asked.card),
      resumeCharge(ports),
    ),
  )
