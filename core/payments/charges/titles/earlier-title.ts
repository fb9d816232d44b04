import { type Change, ensure, patch } from '../../../kernel/records/change.ts'
import { all, eq } from '../../../kernel/records/where.ts'
import { type Migration, migrationOf } from '../../../office/migrations.ts'
import { bankOperations, earlierOperation, subjectOf } from '../../bank/operation.ts'
import { type Charge, charges } from '../charge.ts'
import { CREATE_TITLE } from './title-order.ts'

/**
 * What makes an operation of a title that a release until 0.3.0 has asked for and not heard of; nothing for any other charge.
 * Whoever writes such a charge does this too, since a write lets go of what told the step of it.
 */
export const earlierTitle = ({ id, accountId, txid, pix, ...charge }: Charge): readonly Change[] => {
  const isUnanswered =
    charge.paymentMethod === 'PIX' && pix === null && charge.failure === null && charge.operationId === null
  if (!isUnanswered || txid === null) return []
  const operation = earlierOperation({
    id: txid,
    accountId,
    kind: CREATE_TITLE,
    subject: subjectOf(charges, id),
    dueAt: charge.createdAt,
    createdAt: charge.createdAt,
  })
  const when = all<'operationId' | 'failure'>(eq('operationId', null), eq('failure', null))
  return [patch(charges, id, { set: { operationId: txid }, when }), ensure(bankOperations, operation)]
}

export const titleSteps: readonly Migration[] = [
  migrationOf({
    name: 'move-titles-to-operations',
    from: charges,
    where: eq('operation', 'create'),
    changes: earlierTitle,
  }),
]
