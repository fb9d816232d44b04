import { nullable } from '../../../kernel/input/field.ts'
import { oneOf, timestamp } from '../../../kernel/input/scalars.ts'
import { output, view } from '../../../kernel/input/view.ts'
import { t } from '../../../fp.ts'
import type { Collection } from '../../../kernel/records/collection.ts'
import { orNull, record, word } from '../../../kernel/records/record.ts'

export const REFUND_STATUSES = ['pending', 'completed', 'failed'] as const

const refund = record({
  /** Our own id at the bank, and that of its operation. */
  id: t.string,
  accountId: t.number,
  chargeId: t.number,
  /** The entry that posted the received Pix. */
  entryId: t.number,
  /** The received Pix that it gives back, or a part of. */
  endToEndId: t.string,
  valueCents: t.number,
  /** What the payer reads. */
  reason: orNull(t.string),
  status: word(...REFUND_STATUSES),
  /** Why it failed: the bank's reason, or a word of our own. */
  failure: orNull(t.string),
  /** By which the banks know it; null while they do not. */
  returnId: orNull(t.string),
  createdBy: t.number,
  createdAt: t.string,
  completedAt: orNull(t.string),
})

/** Money of a received Pix that goes back to whoever paid it (devolução). */
export type Refund = t.TypeOf<typeof refund>

export const refunds: Collection<Refund> = {
  name: 'payments.refunds',
  ids: 'text',
  codec: refund,
  owner: 'accountId',
  indexes: [{ eq: 'chargeId', sort: 'createdAt' }],
}

/** Money that went back to a payer, or is on its way, as the API shows it. Source: issue 14. */
export const refundView = view(
  'Refund',
  {
    id: output.text({ about: 'Identificador da devolução' }),
    endToEndId: output.text({ about: 'endToEndId do Pix devolvido' }),
    valueCents: output.money({ wire: 'value', about: 'Valor' }),
    reason: nullable(output.text({ about: 'O que o pagador lê' })),
    status: oneOf(REFUND_STATUSES, { about: 'Situação: o banco ainda não respondeu, devolvida, ou não feita' }),
    returnId: nullable(output.text({ about: 'Identificador da devolução entre os bancos (rtrId)' })),
    createdAt: timestamp({ about: 'Criação' }),
    completedAt: nullable(timestamp({ about: 'Quando foi devolvida' })),
  },
  (refund: Refund) => refund,
)

const receivedPix = record({
  /** The id of the entry that posted it, as text. */
  id: t.string,
  accountId: t.number,
  /** What of it neither went back nor is on its way. */
  refundableCents: t.number,
})

/** What is left of a received Pix: the keeper of its refunds, there from the first one on. */
export type RefundablePix = t.TypeOf<typeof receivedPix>

export const refundablePix: Collection<RefundablePix> = {
  name: 'payments.refundable-pix',
  ids: 'text',
  codec: receivedPix,
  owner: 'accountId',
}
