import { t } from '../../../core/fp.ts'
import type { Collection } from '../../../core/kernel/records/collection.ts'

const rateRecord = t.strict({
  /** App, what is limited there, and the address: `payments|*|203.0.113.7`. */
  id: t.string,
  /** Requests that processes have set aside for it in this minute, whether or not they came. */
  taken: t.number,
  /** When the minute ends, counted from its first request. */
  expiresAt: t.string,
})

/** How often somebody may still ask within a minute, shared by every process of the store. */
export type RateRecord = t.TypeOf<typeof rateRecord>

/** Swept by `expiresAt`. Source: decisions.md §7, `RATE_LIMIT_PER_MINUTE`. */
export const httpRates: Collection<RateRecord> = {
  name: 'http.rates',
  ids: 'text',
  codec: rateRecord,
  owner: null,
  indexes: [{ sort: 'expiresAt', acrossOwners: true }],
}
