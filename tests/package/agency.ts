import type { Program } from './programs.ts'

/** An embedder's agency: real ports, a provider with published keys, and its API in a server of `node:http`. */
export const agency: Program = {
  name: 'the packed agency',
  text: `
import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { realEstate, realEstateCollections } from 'portico'
import { jwksIdentity, nodeEstatePorts } from 'portico/adapters/node'
import { sqliteStore } from 'portico/adapters/sqlite'
import { pinoLog, realEstateApi, serverPart } from 'portico/http'

const listening = async (handle) => {
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: 'http://127.0.0.1:' + server.address().port }
}

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256', use: 'sig' }
const provider = await listening((_, response) => response.end(JSON.stringify({ keys: [jwk] })))
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
const now = Math.floor(Date.now() / 1_000)
const said = { iss: 'https://id.example.com', aud: 'aurora', sub: 'uid-ana', iat: now, exp: now + 3_600 }
const claims = { ...said, email: 'ana@example.com', email_verified: true }
const signed = part({ alg: 'ES256', kid: 'k1' }) + '.' + part(claims)
const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
const token = signed + '.' + signature.toString('base64url')

const store = await sqliteStore('./data/portico.db', [...realEstateCollections, ...serverPart.collections])
const identity = jwksIdentity({ issuer: claims.iss, audience: claims.aud, url: provider.url })
const ports = await nodeEstatePorts({ store, identity, dataDir: './data', publicUrl: 'https://imoveis.example.com' })
const agency = realEstate(ports)
const api = realEstateApi(agency, { log: pinoLog('real-estate', 'silent') })
const working = api.worker.run()
const served = await listening(api.handle)
const ask = async (path, body, headers = {}) => {
  const sent = { authorization: 'Bearer ' + token, 'content-type': 'application/json', connection: 'close', ...headers }
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  const answer = await fetch(served.url + path, { ...init, headers: sent })
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
}
const made = async (path, body) => JSON.parse((await ask(path, body)).text)

const ana = { firebaseUid: 'uid-ana', email: 'ana@example.com', name: 'Ana', role: 'Admin', companyId: crypto.randomUUID() }
const registered = await ask('/api/auth/register', ana)
console.log('registered', registered.status)
const person = { type: 'Individual', interest: 'Both' }
const owner = await made('/api/clients', { ...person, name: 'Diego', email: 'diego@example.com' })
const tenant = await made('/api/clients', { ...person, name: 'Łukasz', email: 'maria@example.com' })
const place = { street: 'Rua das Flores', number: '100', neighborhood: 'Centro', city: 'São Paulo', state: 'SP' }
const address = { ...place, zipCode: '01310-100' }
const flat = { code: 'AP-101', type: 'Apartment', purpose: 'Lease', address, ownerId: owner.id, rentPrice: 2500 }
const { id: propertyId } = await made('/api/properties', flat)
const terms = { value: 2500, startDate: '2030-12-01', endDate: '2033-05-31', dueDay: 10, indexer: 'IPCA' }
const { id } = await made('/api/contracts', { type: 'Lease', propertyId, clientId: tenant.id, ...terms })
for (const path of ['/api/contracts/' + id + '/pdf', '/api/owners/' + owner.id + '/statement?period=2030-12']) {
  const { status, type, text } = await ask(path, undefined, { accept: 'application/pdf' })
  console.log(status, type, text.slice(0, 5))
}
const forged = await ask('/api/clients', undefined, { authorization: 'Bearer ' + token + 'x' })
console.log('forged', forged.status, forged.type)
await api.close(new Promise((done) => served.server.close(done)))
await working
provider.server.closeAllConnections()
provider.server.close()
await ports.close()
await store.close()
`,
  prints: `registered 201
200 application/pdf %PDF-
200 application/pdf %PDF-
forged 401 application/problem+json
`,
}

/** Both businesses in one process and on one store, in memory. */
export const charged: Program = {
  name: 'the packed charging',
  text: `
import { payments, paymentsCollections, realEstate, realEstateCollections } from 'portico'
import { chargingCollections, chargingPart, chargingQueue, embeddedCharging } from 'portico/adapters/charging'
import { memoryEstatePorts, memoryPorts, memoryStore } from 'portico/adapters/memory'
import { fakeBankCollections } from 'portico/fake-bank'

const kept = [...paymentsCollections, ...realEstateCollections, ...chargingCollections, ...fakeBankCollections]
const store = memoryStore(kept)
const pay = payments(memoryPorts({ store }))
const agency = realEstate({ ...memoryEstatePorts({ store }), charging: embeddedCharging(pay) })
const workers = [
  pay.worker({ parts: [chargingPart] }),
  agency.worker({ parts: [{ queues: (ports) => [chargingQueue(ports, agency.charging)] }] }),
]
const admin = { userId: crypto.randomUUID(), companyId: crypto.randomUUID(), role: 'Admin', verifiedEmail: null }
const set = await agency.charging.setAccount(admin, { apiKey: 'wrong' })()
console.log(set.left.code, set.left.issues[0].path, set.left.issues[0].code)
for (const worker of workers) console.log(await worker.drain())
`,
  prints: 'fields apiKey unknown\n0\n0\n',
}

/** The imports of a program with the mirror. */
export const mirrored: Program = {
  name: 'the packed mirror',
  text: `
import 'portico'
import 'portico/adapters/memory'
import 'portico/adapters/node'
import 'portico/http'
import 'portico/adapters/mirror'
`,
  prints: '',
}
