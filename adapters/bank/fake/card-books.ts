import { t } from '../../../core/fp.ts'
import type { Collection } from '../../../core/kernel/records/collection.ts'
import { orNull, record, word } from '../../../core/kernel/records/record.ts'
import { eq, not } from '../../../core/kernel/records/where.ts'

const card = record({
  /** The platform's own id of the charge. */
  id: t.string,
  status: word('approved', 'pending', 'declined', 'voided'),
  /** By which the card is known here; its number is not written down. */
  token: t.string,
  reason: orNull(t.string),
  valueCents: t.number,
  createdAt: t.string,
  /** When the platform is to be told again what was decided; null where there is nothing to tell. */
  dueAt: orNull(t.string),
  attempts: t.number,
})
export type ChargedCard = t.TypeOf<typeof card>

/** What the fake acquirer was asked to charge. */
export const chargedCards: Collection<ChargedCard> = {
  name: 'fake-bank.cards',
  ids: 'text',
  codec: card,
  owner: null,
  conditions: { waiting: not(eq('dueAt', null)) },
  indexes: [{ sort: 'dueAt', when: 'waiting', acrossOwners: true }],
}
