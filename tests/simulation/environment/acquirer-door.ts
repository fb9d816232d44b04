import type { Acquirer } from '../../../core/ports/acquirer.ts'
import { doorOf } from './door.ts'
import type { Ground } from './environment.ts'
import type { Life } from './life.ts'

const SECOND_MS = 1_000

/**
 * The way of one process to the acquirer. What is on its way there arrives within a call's time-out: what it does not know
 * later has not been charged, which is what the platform relies on.
 */
export const acquirerDoor = (ground: Ground, life: Life, acquirer: Acquirer, sent: Set<string>): Acquirer => {
  const { call, orders, asks } = doorOf(ground, life, { name: 'acquirer', latestMs: [SECOND_MS, 25 * SECOND_MS] })
  return {
    charge(order, card) {
      if (sent.has(order.id)) ground.broken.push(`card ${order.id} was sent twice`)
      sent.add(order.id)
      return call('charge', order.id, (sentMs) => orders(order.id, sentMs, () => acquirer.charge(order, card)))
    },
    find: (id) => call('find', id, () => asks(() => acquirer.find(id))),
    void: (id) => call('void', id, () => asks(() => acquirer.void(id))),
  }
}
