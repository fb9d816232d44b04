import { issue } from '../../../failure.ts'
import type { Store } from '../../../ports/store.ts'
import { type ChargeGroup, chargeGroup } from '../../charge-groups/charge-group.ts'
import { type PaymentPlan, paymentPlan } from '../../payment-plans/payment-plan.ts'
import type { Charge } from '../charge.ts'

type Named = Pick<Charge, 'chargeGroupId' | 'paymentPlanId'>

/** What a charge names; null where it names none, and where the account has none of that id. */
export interface References {
  readonly group: ChargeGroup | null
  readonly plan: PaymentPlan | null
}

export const readReferences = async (
  store: Store,
  accountId: number,
  { chargeGroupId = null, paymentPlanId = null }: Partial<Named>,
): Promise<References> => ({
  group: chargeGroupId === null ? null : await chargeGroup.find(store, accountId, chargeGroupId),
  plan: paymentPlanId === null ? null : await paymentPlan.find(store, accountId, paymentPlanId),
})

/** Fails: `unknown` for what is named and not there. Source: decisions.md §9, Charges. */
export const referenceIssues = ({ group, plan }: References, { chargeGroupId, paymentPlanId }: Named) => [
  ...(chargeGroupId !== null && !group ? [issue('chargeGroupId', 'unknown')] : []),
  ...(paymentPlanId !== null && !plan ? [issue('paymentPlanId', 'unknown')] : []),
]
