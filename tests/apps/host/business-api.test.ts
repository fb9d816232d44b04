import test from 'ava'
import { memoryEstatePorts, memoryPorts, memoryStore } from '../../../adapters/memory/mod.ts'
import { paymentsApi, pinoLog, realEstateApi, serverPart } from '../../../apps/mod.ts'
import { payments, paymentsCollections, realEstate, realEstateCollections } from '../../../core/mod.ts'
import type { Store } from '../../../core/ports/store.ts'

const options = { log: pinoLog('tests', 'silent') }

const APIS = {
  payments: (store: Store) => paymentsApi(payments(memoryPorts({ store })), options),
  'real estate': (store: Store) => realEstateApi(realEstate(memoryEstatePorts({ store })), options),
}

const businesses = [...paymentsCollections, ...realEstateCollections]

for (const [name, open] of Object.entries(APIS)) {
  test(`${name}: throws for a store without the collections of the server`, (t) => {
    t.throws(() => open(memoryStore(businesses)), {
      message: 'the store was opened without http.rates: open it with serverPart.collections too',
    })
  })

  test(`${name}: accepts a store without a list of its collections`, (t) => {
    const { collections: _, ...silent } = memoryStore([...businesses, ...serverPart.collections])
    t.notThrows(() => open(silent))
  })
}
