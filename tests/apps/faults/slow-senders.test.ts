import test from 'ava'
import { scryptHasher } from '../../../adapters/crypto/hasher.ts'
import { memoryEstatePorts, memoryPorts } from '../../../adapters/memory/memory-ports.ts'
import { memoryIdentity } from '../../../adapters/memory/memory-services.ts'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { type Mounted, paymentsApi, pinoLog, realEstateApi, serve, serverPart } from '../../../apps/mod.ts'
import { payments, paymentsCollections, realEstate, realEstateCollections } from '../../../core/mod.ts'
import { type Call, callFrom, sendSlowly } from '../http/slow-sender.ts'

const [SLOW, OTHER] = ['127.0.0.1', '127.0.0.2']
const options = { log: pinoLog('tests', 'silent'), maxInFlight: 1 }

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** The apps with one place, and a request to each that is read before it is rejected. */
const APPS: Readonly<Record<string, () => { readonly api: Mounted; readonly slow: Omit<Call, 'from'> }>> = {
  payments: () => {
    const store = memoryStore([...paymentsCollections, ...serverPart.collections])
    const api = paymentsApi(payments(memoryPorts({ store, hasher: scryptHasher({ logN: 1 }) })), options)
    return { api, slow: { path: '/v1/auth/login', body: { email: 'ana@aurora.example' } } }
  },
  'real estate': () => {
    const store = memoryStore([...realEstateCollections, ...serverPart.collections])
    const identity = memoryIdentity()
    const api = realEstateApi(realEstate(memoryEstatePorts({ store, identity })), options)
    const authorization = `Bearer ${identity.signIn({ uid: 'rui', email: 'rui@example.com' })}`
    return { api, slow: { path: '/api/auth/register', headers: { authorization }, body: { name: 'Rui' } } }
  },
}

for (const [name, open] of Object.entries(APPS))
  test(`${name}: a slow sender loses the last place to another caller`, async (t) => {
    const { api, slow } = open()
    const { port, stop } = await serve(api, { host: '127.0.0.1', port: 0, timeouts: { lingerMs: 0 } })
    t.teardown(stop)
    const { got } = await sendSlowly(t, port, { from: SLOW, ...slow })
    const { method = 'POST', path } = slow
    t.true((await callFrom(port, { from: OTHER, method, path, body: {} })).status < 500)
    while (got() === '') await turn()
    t.regex(got(), /^HTTP\/1\.1 503 /)
  })
