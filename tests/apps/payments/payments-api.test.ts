import test from 'ava'
import { memoryPorts, memoryStore } from '../../../adapters/memory/mod.ts'
import { paymentsApi, pinoLog, serverPart } from '../../../apps/mod.ts'
import { payments, paymentsCollections } from '../../../core/mod.ts'

const log = pinoLog('payments', 'silent')

test('throws for a store without the collections of the server', (t) => {
  const core = payments(memoryPorts({ store: memoryStore(paymentsCollections) }))
  t.throws(() => paymentsApi(core, { log }), {
    message: 'the store was opened without http.rates: open it with serverPart.collections too',
  })
})

test('accepts a store without a list of its collections', (t) => {
  const { collections: _, ...silent } = memoryStore([...paymentsCollections, ...serverPart.collections])
  t.notThrows(() => paymentsApi(payments(memoryPorts({ store: silent })), { log }))
})
