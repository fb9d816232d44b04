import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { fakeBank, fakeBankCollections } from '../../../adapters/bank/fake/mod.ts'
import { memoryIdentity, memoryStore } from '../../../adapters/memory/mod.ts'
import { jwksIdentity, nodeEstatePorts, nodePorts, SecretFault, SetupFault } from '../../../adapters/node/mod.ts'
import { sqliteStore } from '../../../adapters/sqlite/mod.ts'
import type { Either } from '../../../core/fp.ts'
import {
  type Identity,
  isLeft,
  payments,
  paymentsCollections,
  realEstate,
  realEstateCollections,
} from '../../../core/mod.ts'
import { keyServer, keysAnswer, testKey } from '../identity/key-server.ts'

const PUBLIC_URL = 'https://imoveis.example.com'
const COMPANY = '7d1c2b3a-4e5f-4a6b-8c9d-0e1f2a3b4c5d'
const ANA = {
  firebaseUid: 'uid-ana',
  email: 'ana@example.com',
  name: 'Ana Souza',
  role: 'Admin',
  companyId: COMPANY,
} as const

const sure = <A>(answer: Either<{ readonly code: string }, A>): A => {
  if (isLeft(answer)) throw new Error(answer.left.code)
  return answer.right
}

const folder = async (t: ExecutionContext): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'portico-node-'))
  t.teardown(() => rm(path, { recursive: true, force: true }))
  return path
}

/** Starts a service of both businesses on the SQLite store of a folder. */
const openBoth = async (dataDir: string, identity: Identity) => {
  const collections = [...paymentsCollections, ...fakeBankCollections, ...realEstateCollections]
  const store = await sqliteStore(join(dataDir, 'portico.db'), collections)
  const ports = await nodePorts({ store, bank: fakeBank, dataDir, publicUrl: 'https://pay.example.com' })
  const estatePorts = await nodeEstatePorts({ store, identity, dataDir, publicUrl: PUBLIC_URL })
  return {
    pay: payments(ports),
    agency: realEstate(estatePorts),
    async close() {
      await estatePorts.close()
      await ports.close()
      await store.close()
    },
  }
}

test('both businesses share one store, and the agency accepts tokens of its provider after a restart', async (t) => {
  const key = testKey('k1')
  const server = await keyServer(t, keysAnswer(key))
  const provider = { issuer: 'https://id.example.com', audience: 'aurora', url: server.url }
  const now = Math.floor(Date.now() / 1_000)
  const said = { sub: ANA.firebaseUid, email: ANA.email, email_verified: true, iss: provider.issuer }
  const token = (aud: string) => key.sign({ ...said, aud, iat: now, exp: now + 3_600 })
  const directory = join(await folder(t), 'data')

  const first = await openBoth(directory, jwksIdentity(provider))
  const claims = sure(await first.agency.access.authenticate(await token('aurora'))())
  sure(await first.agency.access.register(claims, ANA)())
  const newcomer = { name: 'Ana', email: 'ana@example.com', phone: null, password: 'segredo-123' }
  t.is(sure(await first.pay.people.register(newcomer, { address: '127.0.0.1', device: null })()).user.id, 1)
  const stranger = await first.agency.access.authenticate(await token('another'))()
  t.like(stranger, { left: { code: 'token.invalid' } })
  await first.close()

  const second = await openBoth(directory, jwksIdentity(provider))
  const again = sure(await second.agency.access.authenticate(await token('aurora'))())
  t.like(sure(await second.agency.access.resolveActor(again)()), { role: 'Admin', companyId: COMPANY })
  await second.close()
})

test('stores the key of an agency, and rejects another one', async (t) => {
  const directory = join(await folder(t), 'data')
  const store = memoryStore(realEstateCollections)
  const setup = { store, identity: memoryIdentity(), dataDir: directory, publicUrl: PUBLIC_URL }
  await (await nodeEstatePorts(setup)).close()
  t.is((await stat(join(directory, 'data-key'))).mode & 0o777, 0o600)
  await t.throwsAsync(stat(join(directory, 'jwt-secret')), { code: 'ENOENT' })
  const { message } = await t.throwsAsync<SecretFault>(nodeEstatePorts({ ...setup, dataKey: Buffer.alloc(32, 9) }), {
    instanceOf: SecretFault,
  })
  t.true(message.startsWith('dataKey: the key received is not the one'), message)
})

test('names all wrong settings at once, and creates nothing', async (t) => {
  const directory = join(await folder(t), 'data')
  const setup = { store: memoryStore(realEstateCollections), identity: memoryIdentity(), dataDir: directory }
  // Possible in programs without types.
  const wrong: object = { publicUrl: 'imoveis', alertsAt: '7:00', rentRunDay: 29, openRegistration: 'yes' }
  const { faults } = await t.throwsAsync<SetupFault>(nodeEstatePorts({ ...setup, publicUrl: '', ...wrong }), {
    instanceOf: SetupFault,
  })
  t.deepEqual(faults, [
    'publicUrl: got "imoveis", accepts an absolute address that begins with http:// or https://, without user, query or fragment',
    'alertsAt: got "7:00", accepts a time of day such as 07:00',
    'rentRunDay: got 29, accepts an integer from 1 to 28',
    'openRegistration: got "yes", accepts true or false',
  ])
  await t.throwsAsync(stat(directory), { code: 'ENOENT' })
})

test('reads price indexes from a file, and rejects any other content', async (t) => {
  const directory = await folder(t)
  const path = join(directory, 'indexes.json')
  const setup = { store: memoryStore(realEstateCollections), identity: memoryIdentity(), dataDir: directory }
  const open = () => nodeEstatePorts({ ...setup, publicUrl: PUBLIC_URL, indexTable: path })
  await writeFile(path, '[{"series": "IPCA"}]')
  await t.throwsAsync(open(), { instanceOf: SetupFault, message: /^indexTable: got ".*indexes\.json", accepts a JSON/ })
  const made = { series: 'IPCA', month: '2030-10', percent: 0.36, source: 'made up', date: '2030-11-08' }
  await writeFile(path, JSON.stringify([made]))
  const ports = await open()
  const figures = await ports.indexes.figures('IPCA', ['2030-10', '2030-11'])
  t.deepEqual([...figures.keys()], ['2030-10'])
  await ports.close()
})
