import { instant, oneOf } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { Instant } from '../../kernel/values/day.ts'
import type { EventType } from '../office/events.ts'
import type { Withdrawal } from './withdrawal.ts'
import { withdrawalView } from './withdrawal-view.ts'

/** What is told of withdrawals. */
const WITHDRAWAL_EVENTS = ['withdraw.completed', 'withdraw.failed'] as const satisfies readonly EventType[]

interface WithdrawalEvent {
  readonly type: (typeof WITHDRAWAL_EVENTS)[number]
  readonly timestamp: Instant
  readonly data: Withdrawal
}

/** The body of a webhook that tells of a withdrawal. Source: decisions.md §3, Events. */
export const withdrawalEventView = view(
  'WithdrawalEvent',
  {
    type: oneOf(WITHDRAWAL_EVENTS, { about: 'O que aconteceu' }),
    timestamp: instant({ about: 'Quando aconteceu' }),
    data: output.view(withdrawalView, { about: 'O saque, como a API o mostrava então' }),
  },
  (event: WithdrawalEvent) => event,
)
