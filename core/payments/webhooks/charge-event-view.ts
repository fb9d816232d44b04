import { oneOf } from '../../kernel/input/fields/choices.ts'
import { instant } from '../../kernel/input/fields/days.ts'
import { shown } from '../../kernel/input/fields/shown.ts'
import { view } from '../../kernel/input/view.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { chargeView } from '../charges/charge-view.ts'
import type { ChargeDetail } from '../charges/find-charge.ts'
import { CHARGE_EVENTS, type ChargeEventType } from '../charges/record-charge-event.ts'

interface ChargeEvent {
  readonly type: ChargeEventType
  readonly timestamp: Instant
  readonly data: ChargeDetail
}

/** The body of a webhook that tells of a charge. Source: decisions.md §3, Events. */
export const chargeEventView = view(
  'ChargeEvent',
  {
    type: oneOf(CHARGE_EVENTS, { about: 'O que aconteceu' }),
    timestamp: instant({ about: 'Quando aconteceu' }),
    data: shown.view(chargeView, { about: 'A cobrança, como a API a mostrava então' }),
  },
  (event: ChargeEvent) => event,
)
