import { left } from '../../../fp.ts'
import { accept, finishOperation, useCaseOf } from '../../../kernel/running/use-case.ts'
import type { CardDecision } from '../../../ports/acquirer.ts'
import type { BankAnswer } from '../../../ports/bank.ts'
import { byId } from '../../../ports/store.ts'
import { accounts } from '../../accounts/account.ts'
import { operationsOf } from '../../bank/run-operation.ts'
import type { Card } from '../../cards/card.ts'
import { readTryFacts } from '../../cards/card-tries.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { makingOf } from '../charge.ts'
import { NO_CHARGE } from '../charge-failure.ts'
import { type ChargeDetail, type ChargeReader, findCharge } from '../find-charge.ts'
import { readLinkPlace } from '../link-places.ts'
import { CARD_LEASE_SECONDS, CHARGE_CARD, cardNumberOf, isOfCard, type KeptCardOrder, maySend } from './card-order.ts'
import { type CardCode, type CardFacts, decideCardReply, decideLateCard, toldOfCard } from './decide-card.ts'

const PLACES = 4
const FIRST_WAIT_SECONDS = 5

/**
 * Cards that are charged: only the request that has the card sends its order, and everybody else asks what became of it. What
 * the acquirer does not know once nothing can arrive there any more has failed. Source: decisions.md §9.
 */
export const chargeCard = (ports: PaymentsPorts) =>
  operationsOf<CardFacts | null, KeptCardOrder, CardDecision, ChargeDetail, CardCode>(ports, {
    kind: CHARGE_CARD,
    places: PLACES,
    leaseSeconds: CARD_LEASE_SECONDS,
    firstWaitSeconds: FIRST_WAIT_SECONDS,
    read: (_, { subject: [, id] }) => readCardFacts(ports, { id: Number(id) }),
    wanted: (_, facts) => facts?.detail.charge.status === 'pending',
    // The number is nowhere but in the request.
    send: null,
    find: (order) => findCard(ports, order),
    decide: (...facts) => decideCardReply(ports.cipher, ...facts),
    ended: (_, ...facts) => decideLateCard(ports.cipher, ...facts),
    unknown: NO_CHARGE,
  })

const AWAY = { outcome: 'unavailable' } as const

/**
 * What the request that has the card does with its order: one that could arrive when it counts as lost is not sent. By the
 * clock of the lease, lest it be sent when others have seen that end.
 */
export const sendCard =
  ({ acquirer, clock }: Pick<PaymentsPorts, 'acquirer' | 'clock'>, card: Card) =>
  async ({ lostAt, ...order }: KeptCardOrder): Promise<BankAnswer<CardDecision>> =>
    acquirer && maySend({ lostAt }, clock.now()) ? acquirer.charge(order, cardNumberOf(card)) : AWAY

/** What may still have been on its way there when it was asked about is not unknown yet, however late the answer is heard. */
const findCard = async (
  { acquirer, clock }: Pick<PaymentsPorts, 'acquirer' | 'clock'>,
  { id, lostAt }: KeptCardOrder,
): Promise<BankAnswer<CardDecision | null>> => {
  const askedAt = clock.steady()
  const known = acquirer ? await acquirer.find(id) : AWAY
  const isOnItsWay = known.outcome === 'done' && known.value === null && askedAt < lostAt
  return isOnItsWay ? { outcome: 'unknown' } : known
}

/** The charge of a card with its account; null for one that has none. */
export const readCardFacts = async (
  ports: ChargeReader,
  by: { readonly id: number } | { readonly code: string },
): Promise<CardFacts | null> => {
  const detail = await findCharge(ports, by)
  const account = detail && (await ports.store.find(byId(accounts, detail.charge.accountId)))
  if (!detail || !account) return null
  const { charge } = detail
  if (!isOfCard(charge)) return null
  const [tries, place] = await Promise.all([readTryFacts(ports.store, charge), readLinkPlace(ports.store, charge)])
  return { detail: { ...detail, charge }, account, tries, place }
}

/**
 * Carries on a charge of whose card the acquirer has said nothing yet, by its code, for somebody who repeats the request. Whoever
 * comes after the answer is told the same.
 * Fails: `charge.unknown`, `card.declined`, `bank.unavailable`. Source: decisions.md §9.
 */
export const resumeCard = (ports: PaymentsPorts) => (code: string) =>
  useCaseOf<ChargeDetail>()(async (hooks) => {
    const facts = await readCardFacts(ports, { code })
    if (!facts) return left(NO_CHARGE)
    if (makingOf(facts.detail.charge) !== null) return chargeCard(ports).again(code)(hooks)
    return finishOperation(
      ports,
      () => readCardFacts(ports, { code }),
      (found) => (found ? accept(toldOfCard(found.detail)) : left(NO_CHARGE)),
    )(hooks)
  })
