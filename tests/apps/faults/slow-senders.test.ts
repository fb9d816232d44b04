import test, { type ExecutionContext } from 'ava'
import { scryptHasher } from '../../../adapters/crypto/hasher.ts'
import { memoryEstatePorts, memoryPorts } from '../../../adapters/memory/memory-ports.ts'
import { memoryIdentity } from '../../../adapters/memory/memory-services.ts'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { type Mounted, paymentsApi, pinoLog, realEstateApi, serve, serverPart } from '../../../apps/mod.ts'
import { payments, paymentsCollections, realEstate, realEstateCollections } from '../../../core/mod.ts'
import { type Call, callFrom, sendSlowly } from '../http/slow-sender.ts'

const [FLOOD, OTHER] = ['127.0.0.1', '127.0.0.2']
const PLACES = 40
const options = { log: pinoLog('tests', 'silent'), maxInFlight: PLACES }

const CLIENT = { name: 'Maria da Silva', email: 'maria@example.com', type: 'Individual', interest: 'Lease' }

const turn = () => new Promise((resolve) => setImmediate(resolve))

const paymentsHere = () => {
  const store = memoryStore([...paymentsCollections, ...serverPart.collections])
  return paymentsApi(payments(memoryPorts({ store, hasher: scryptHasher({ logN: 1 }) })), options)
}

const agencyHere = () => {
  const store = memoryStore([...realEstateCollections, ...serverPart.collections])
  const identity = memoryIdentity()
  const api = realEstateApi(realEstate(memoryEstatePorts({ store, identity })), options)
  return { api, identity }
}

/** Serves an API, and has half as many again as it has places send slowly from one address. */
const flooded = async (t: ExecutionContext, api: Mounted, slow: Omit<Call, 'from'>) => {
  const { port, stop } = await serve(api, { host: '127.0.0.1', port: 0, timeouts: { lingerMs: 0 } })
  t.teardown(stop)
  const call = (asked: Omit<Call, 'from'>) => callFrom(port, { from: OTHER, ...asked })
  const flood = async () => {
    const senders = await Promise.all(
      Array.from({ length: PLACES * 1.5 }, () => sendSlowly(t, port, { from: FLOOD, ...slow })),
    )
    const answered = () => senders.filter(({ got }) => got() !== '')
    while (answered().length < PLACES / 2) await turn()
    return async () => {
      while (answered().length < PLACES * 1.25) await turn()
      t.is(answered().length, PLACES * 1.25, 'a quarter of the places is left to them')
      for (const { got } of answered()) t.regex(got(), /^HTTP\/1\.1 503 /)
    }
  }
  return { call, flood }
}

test('payments: slow senders do not delay log-ins, lists or the health check of others', async (t) => {
  const body = { email: 'ana@aurora.example', password: 'correto e longo' }
  const { call, flood } = await flooded(t, paymentsHere(), { path: '/v1/auth/login', body })
  const person = { name: 'Ana', ...body, password_confirmation: body.password }
  const registered = await call({ method: 'POST', path: '/v1/auth/register', body: person })
  const headers = { authorization: `Bearer ${/"access_token":"([^"]+)"/.exec(registered.text)?.[1]}` }
  const isAsLawful = await flood()
  const answers = await Promise.all([
    call({ path: '/health' }),
    call({ path: '/v1/organizations', headers }),
    call({ method: 'POST', path: '/v1/auth/login', body }),
  ])
  const statuses = answers.map(({ status }) => status)
  t.deepEqual(statuses, [200, 200, 200])
  await isAsLawful()
})

test('real estate: slow senders do not delay lists, writes or the health check of others', async (t) => {
  const { api, identity } = agencyHere()
  const bearer = (uid: string) => ({ authorization: `Bearer ${identity.signIn({ uid, email: `${uid}@example.com` })}` })
  const [ana, rui] = [bearer('ana'), bearer('rui')]
  const register = { method: 'POST', path: '/api/auth/register' }
  const { call, flood } = await flooded(t, api, { ...register, headers: rui, body: { name: 'Rui' } })
  const companyId = crypto.randomUUID()
  const body = { firebaseUid: 'ana', email: 'ana@example.com', name: 'Ana', role: 'Admin', companyId }
  t.is((await call({ ...register, headers: ana, body })).status, 201)
  const isAsLawful = await flood()
  const answers = await Promise.all([
    call({ path: '/health' }),
    call({ path: '/api/clients', headers: ana }),
    call({ method: 'POST', path: '/api/clients', headers: ana, body: CLIENT }),
  ])
  const statuses = answers.map(({ status }) => status)
  t.deepEqual(statuses, [200, 200, 201])
  await isAsLawful()
})
