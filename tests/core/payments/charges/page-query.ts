import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { memoryPorts } from '../../../../adapters/memory/memory-ports.ts'
import { type ChargeFilter, listCharges } from '../../../../core/payments/charges/list.ts'
import type { Query } from '../../../../core/ports/store.ts'
import { GROWING, NOW } from '../../../bench/lists/history.ts'

/** Returns the query with which the list of charges reads its page. */
export const pageQuery = async (filter: ChargeFilter): Promise<Query> => {
  const ports = memoryPorts({ clock: setClock(NOW) })
  const asks: Query[] = []
  const list: typeof ports.store.list = (ask) => {
    asks.push(ask)
    return ports.store.list(ask)
  }
  const actor = { userId: 5, accountId: GROWING, roleId: 1, permissions: [] }
  await listCharges({ ...ports, store: { ...ports.store, list } })(actor, filter)()
  const page = asks.find((ask) => ask.kind === 'list' && ask.total)
  if (!page) throw new Error('no page was queried')
  return page
}
