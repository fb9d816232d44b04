import { type Change, ensure, patch, remove } from '../../../kernel/records/change.ts'
import type { Rec } from '../../../kernel/records/record.ts'
import { eq } from '../../../kernel/records/where.ts'
import { type Migration, migrationOf } from '../../../office/migrations.ts'
import { bankOperations, earlierOperation, subjectOf } from '../../bank/operation.ts'
import { OPEN_ACCOUNT } from './account-order.ts'
import { type Opening, openings } from './opening.ts'

const UNMOVED = eq<'operationId'>('operationId', null)

/**
 * What makes an operation of an opening that a release until 0.3.0 has begun; nothing for any other. A refused one was kept for
 * its reason alone, which the operation keeps.
 */
export const earlierOpening = (opening: Opening): readonly Change[] => {
  if (opening.operationId !== null) return []
  const { id, createdAt } = opening
  const { state, reason = null, dueAt }: Rec = opening
  const asked = earlierOperation({
    id,
    accountId: null,
    kind: OPEN_ACCOUNT,
    subject: subjectOf(openings, id),
    dueAt: createdAt,
    createdAt,
  })
  if (state !== 'refused')
    return [patch(openings, id, { set: { operationId: id }, when: UNMOVED }), ensure(bankOperations, asked)]
  const expiresAt = typeof dueAt === 'string' ? dueAt : createdAt
  const why = typeof reason === 'string' ? reason : null
  const refused = { ...asked, state, reason: why, dueAt: null, expiresAt }
  return [remove(openings, id, UNMOVED), ensure(bankOperations, refused)]
}

export const openingSteps: readonly Migration[] = [
  migrationOf({ name: 'move-openings-to-operations', from: openings, where: UNMOVED, changes: earlierOpening }),
]
