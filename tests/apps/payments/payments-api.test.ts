import test from 'ava'
import { memoryPorts, memoryStore } from '../../../adapters/memory/mod.ts'
import { paymentsApi, pinoLog, serverPart } from '../../../apps/mod.ts'
import { payments, paymentsCollections } from '../../../core/mod.ts'

const log = pinoLog('payments', 'silent')

test('over a store that was opened without what the API keeps there is no API: it says what to open one with', (t) => {
  const core = payments(memoryPorts({ store: memoryStore(paymentsCollections) }))
  t.throws(() => paymentsApi(core, { log }), {
    message: 'the store was opened without http.rates: open it with serverPart.collections too',
  })
})

test('a store that does not say what it was opened with is not refused', (t) => {
  const { collections: _, ...silent } = memoryStore([...paymentsCollections, ...serverPart.collections])
  t.notThrows(() => paymentsApi(payments(memoryPorts({ store: silent })), { log }))
})
