import { left, right, throttled } from '../../failure.ts'
import { type Change, type Collection, ensure, eq, type Field, patch, record, t } from '../../kernel/records/record.ts'
import type { FactsOf, Fresh } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant, secondsBetween } from '../../kernel/values/day.ts'
import { LINK_CHARGES } from '../../limits.ts'
import { byId, type Store } from '../../ports/store.ts'
import { type Charge, charges, statusAt } from '../charges/charge.ts'

const linkPayer = record({
  /** The link and the client: `Rk9vQmFyQmF6UXV4Q29ycm|7`. */
  id: t.string,
  accountId: t.number,
  /** The charges that were open when the newest of them was made. */
  openIds: t.array(t.number),
  /** The number of charges issued: of two simultaneous ones the second is retried and reads the first. */
  version: t.number,
  expiresAt: t.string,
})

/** The guard record of a payer's open charges by a link; each new charge patches it. */
export type LinkPayer = t.TypeOf<typeof linkPayer>

export const linkPayers: Collection<LinkPayer> = {
  name: 'payments.link-payers',
  ids: 'text',
  codec: linkPayer,
  owner: 'accountId',
  indexes: [{ sort: 'expiresAt', acrossOwners: true }],
}

/** Longer than a boleto of a link is payable. */
const KEPT_SECONDS = 60 * 86_400
/** The `Retry-After` if no open charge has an expiry: undecided cards. */
const WAIT_SECONDS = 3_600

/** The guard record of a payer, and the charges in it. */
export type PayerFacts = FactsOf<typeof readPayerFacts>

const payerId = (linkId: string, clientId: number): string => `${linkId}|${clientId}`

/** Reads a payer's charges by a link; none for a new client. */
export const readPayerFacts = async (store: Store, linkId: string, clientId: number | null) => {
  const known = clientId === null ? null : await store.find(byId(linkPayers, payerId(linkId, clientId)))
  if (known === null) return { known, charges: [] }
  const found = await store.read(Object.fromEntries(known.openIds.map((id) => [id, byId(charges, id)])))
  return { known, charges: Object.values(found).filter((charge) => charge !== null) }
}

const openOf = ({ charges: found }: PayerFacts, now: Instant): readonly Charge[] =>
  found.filter((charge) => statusAt(charge, now) === 'pending')

/** Finds the payer's open charge of the same method and amount. */
export const findSameCharge = (
  facts: PayerFacts,
  { paymentMethod, valueCents }: Pick<Charge, 'paymentMethod' | 'valueCents'>,
  now: Instant,
): Charge | null =>
  openOf(facts, now).find((charge) => charge.paymentMethod === paymentMethod && charge.valueCents === valueCents) ??
  null

/** Checks the limit of open charges of a payer. Fails: `link.throttled`, until the next one expires. */
export const requireOpenSlot = (facts: PayerFacts, now: Instant) => {
  const open = openOf(facts, now)
  if (open.length < LINK_CHARGES.openOfPayer) return right(open)
  const ends = open.flatMap(({ lapsesAt }) => (lapsesAt === null ? [] : [secondsBetween(now, lapsesAt)]))
  return left(throttled('link.throttled', Math.min(WAIT_SECONDS, ...ends)))
}

/** Adds a charge to the guard record, unless another was added in the meantime. */
export const addOpenCharge = (
  { known }: PayerFacts,
  open: readonly Charge[],
  { id: chargeId, accountId, clientId, linkId }: Charge,
  { steady }: Pick<Fresh, 'steady'>,
): readonly Change[] => {
  const id = payerId(linkId ?? '', clientId)
  const version = known?.version ?? 0
  const expiresAt = addSeconds(steady, KEPT_SECONDS)
  return [
    ensure(linkPayers, { id, accountId, openIds: [], version: 0, expiresAt }),
    patch(linkPayers, id, {
      set: { openIds: [...open.map((charge) => charge.id), chargeId], version: version + 1, expiresAt },
      when: eq<Field<LinkPayer>>('version', version),
    }),
  ]
}
