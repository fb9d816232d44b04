import { type Change, patch } from '../../kernel/records/change.ts'
import { always } from '../../kernel/records/where.ts'
import { type Contract, contracts } from '../records/contract.ts'
import type { PaymentType } from '../records/payment.ts'

/** That a rent of a contract was made, if this payment is one: a run that did not see it begins anew. */
export const noteRent = ({
  contractId,
  type,
}: {
  readonly contractId: string
  readonly type: PaymentType
}): readonly Change[] =>
  type === 'Rent' ? [patch<Contract>(contracts, contractId, { add: { rentWrites: 1 }, when: always })] : []
