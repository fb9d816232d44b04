import type { Acquirer, CardDecision, CardNotice } from '../../../core/ports/acquirer.ts'
import type { Ground } from './environment.ts'
import { tellerOf } from './process.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000

/** Cards that are not approved at once. */
export const DECLINED_CARD = '4000000000000002'
export const PENDING_CARD = '4000000000000259'

interface ChargedCard extends CardDecision {
  /** The platform's own id. */
  readonly id: string
  readonly valueCents: number
  status: CardDecision['status']
}

/** The records of the acquirer. */
export interface AcquirerBooks {
  readonly cards: readonly Readonly<ChargedCard>[]
  /** The number of undecided cards and of notices not accepted yet. */
  readonly untold: number
}

export interface AcquirerSide {
  readonly acquirer: Acquirer
  /** Ids of the orders sent: a card is sent once. */
  readonly sent: Set<string>
  books(): AcquirerBooks
}

const statusFor = (number: string): 'approved' | 'pending' | 'declined' => {
  if (number === DECLINED_CARD) return 'declined'
  return number === PENDING_CARD ? 'pending' : 'approved'
}

/** An acquirer outside of the processes: it decides some cards later, and sends some decisions again as notices. */
export const outsideAcquirer = (ground: Ground): AcquirerSide => {
  const { agenda, broken, dice } = ground
  const cards = new Map<string, ChargedCard>()
  const { tell, untold } = tellerOf(ground)
  let undecided = 0

  // A notice keeps the status of its time, also if the card is voided before it arrives.
  const tells = async ({ id, status, token, reason }: ChargedCard, times: number): Promise<void> => {
    if (status === 'pending') return
    const notice: CardNotice = { id, status, token, reason }
    const once = () => tell(`card ${id} ${status}`, (pay) => pay.cards.decided(notice))
    await Promise.all(Array.from({ length: times }, once))
  }
  const decides = async (card: ChargedCard): Promise<void> => {
    undecided += 1
    await agenda.wait(dice.pick([100, SECOND_MS, 40 * SECOND_MS, 90 * SECOND_MS, 3 * HOUR_MS]))
    if (card.status === 'pending') card.status = dice.pick(['approved', 'approved', 'declined', 'voided'])
    undecided -= 1
    await tells(card, dice.pick([1, 1, 2]))
  }
  const inItsTime = (telling: Promise<void>): void => {
    telling.catch((error: unknown) => broken.push(String(error)))
  }
  const decisionOf = ({ status, token, reason }: ChargedCard): CardDecision => ({ status, token, reason })

  const acquirer: Acquirer = {
    async charge({ id, valueCents }, { number }) {
      const known = cards.get(id)
      if (known) return { outcome: 'done', value: decisionOf(known) }
      const status = statusFor(number)
      const reason = status === 'declined' ? 'Sem limite.' : null
      const card = { id, valueCents, status, token: `cartao-${cards.size + 1}`, reason }
      cards.set(id, card)
      inItsTime(status === 'pending' ? decides(card) : tells(card, dice.pick([0, 0, 0, 1, 2])))
      return { outcome: 'done', value: decisionOf(card) }
    },
    async find(id) {
      const known = cards.get(id)
      return { outcome: 'done', value: known ? decisionOf(known) : null }
    },
    async void(id) {
      const known = cards.get(id)
      if (!known) return { outcome: 'refused', reason: 'Pagamento desconhecido.' }
      if (known.status === 'approved' || known.status === 'pending') {
        known.status = 'voided'
        inItsTime(tells(known, dice.pick([0, 0, 1])))
      }
      return { outcome: 'done', value: null }
    },
  }
  return {
    acquirer,
    sent: new Set(),
    books: () => ({ cards: [...cards.values()], untold: undecided + untold() }),
  }
}
