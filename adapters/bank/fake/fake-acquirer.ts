import { failure } from '../../../core/failure.ts'
import { isLeft, left } from '../../../core/fp.ts'
import { insert, patch } from '../../../core/kernel/records/change.ts'
import { isIn } from '../../../core/kernel/records/where.ts'
import { accept, decideAndCommit, type Runtime } from '../../../core/kernel/running/use-case.ts'
import type { Acquirer, CardDecision, CardNumber, CardOrder } from '../../../core/ports/acquirer.ts'
import type { BankAnswer } from '../../../core/ports/bank.ts'
import { byId, StoreUnavailable } from '../../../core/ports/store.ts'
import { type ChargedCard, chargedCards } from './card-books.ts'
import { down, unknown, unlessFaulty } from './faults.ts'

/** The card numbers that are not approved at once. */
export const DECLINED_CARD = '4000000000000002'
export const PENDING_CARD = '4000000000000259'

/** Why a card is declined here. */
export const DECLINE = 'Não autorizado pelo emissor.'

/**
 * The embedded acquirer: it approves every card but one that it declines and one that it leaves pending until its console
 * decides. Its books live in the store, and hold no number. Source: decisions.md §3 and §8.
 */
export const fakeAcquirer = (runtime: Runtime): Acquirer => ({
  charge: (order, card) => unlessFaulty(runtime, 'charge_card', () => charge(runtime, order, card)),
  find: (id) => find(runtime, id),
  void: (id) => unlessFaulty(runtime, 'cancel_title', () => voidCard(runtime, id)),
})

const decisionOf = ({ status, token, reason }: ChargedCard): CardDecision => ({ status, token, reason })

const statusFor = ({ number }: Pick<CardNumber, 'number'>): 'approved' | 'pending' | 'declined' => {
  if (number === DECLINED_CARD) return 'declined'
  return number === PENDING_CARD ? 'pending' : 'approved'
}

const charge = async (
  runtime: Runtime,
  { id, valueCents }: CardOrder,
  card: CardNumber,
): Promise<BankAnswer<CardDecision>> => {
  const status = statusFor(card)
  const answer = await decideAndCommit(
    runtime,
    (store) => store.find(byId(chargedCards, id)),
    (known, fresh) => {
      if (known) return accept(known)
      const charged: ChargedCard = {
        id,
        status,
        token: fresh.uuid(),
        reason: status === 'declined' ? DECLINE : null,
        valueCents,
        createdAt: fresh.now,
        dueAt: null,
        attempts: 0,
      }
      return accept(charged, insert(chargedCards, charged))
    },
  )
  // A commit whose answer was lost may have happened.
  return isLeft(answer) ? unknown : { outcome: 'done', value: decisionOf(answer.right) }
}

const find = async ({ store }: Runtime, id: string): Promise<BankAnswer<CardDecision | null>> => {
  try {
    const known = await store.find(byId(chargedCards, id))
    return { outcome: 'done', value: known && decisionOf(known) }
  } catch (error) {
    if (error instanceof StoreUnavailable) return down
    throw error
  }
}

const GIVEN_BACK = { status: 'voided', dueAt: null } as const

const voidCard = async (runtime: Runtime, id: string): Promise<BankAnswer<null>> => {
  const answer = await decideAndCommit(
    runtime,
    (store) => store.find(byId(chargedCards, id)),
    (known) => {
      if (!known) return left(failure('not-found', 'charge.unknown'))
      if (known.status === 'declined' || known.status === 'voided') return accept(null)
      return accept(null, patch(chargedCards, id, { set: GIVEN_BACK, when: isIn('status', ['approved', 'pending']) }))
    },
  )
  if (!isLeft(answer)) return { outcome: 'done', value: null }
  return answer.left.tag === 'not-found' ? { outcome: 'refused', reason: 'Pagamento desconhecido.' } : down
}
