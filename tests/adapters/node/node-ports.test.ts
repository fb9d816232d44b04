import { readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { fakeBank, fakeBankCollections, fakeBankConsole, fakeBankPart } from '../../../adapters/bank/fake/mod.ts'
import { memorySender } from '../../../adapters/memory/memory-services.ts'
import { memoryFiles, memoryIdentity, memoryPorts, memoryStore } from '../../../adapters/memory/mod.ts'
import {
  jwksIdentity,
  type NodeSetup,
  nodeEstatePorts,
  nodePorts,
  SecretFault,
  SetupFault,
} from '../../../adapters/node/mod.ts'
import { sqliteStore } from '../../../adapters/sqlite/mod.ts'
import type { Either } from '../../../core/failure.ts'
import {
  type Identity,
  isLeft,
  payments,
  paymentsCollections,
  realEstate,
  realEstateCollections,
} from '../../../core/mod.ts'
import { folder } from '../../apps/host/disk.ts'
import { answerKeys, keyServer, testKey } from '../identity/key-server.ts'

const CLIENT = { address: '127.0.0.1', device: null }
const NEWCOMER = { name: 'Ana', email: 'ana@example.com', phone: null, password: 'segredo-123' }
const ORDER = {
  valueCents: 15_050,
  paymentMethod: 'PIX',
  dueDate: '2099-12-31',
  payer: { name: 'Maria', email: 'maria@example.com', document: '12345678909' },
  webhook: 'https://example.com/hook',
} as const

const sure = <A>(answer: Either<{ readonly code: string }, A>): A => {
  if (isLeft(answer)) throw new Error(answer.left.code)
  return answer.right
}

const dataFolder = async (t: ExecutionContext): Promise<string> => join(await folder(t), 'data')

const PUBLIC_URL = 'https://pay.example.com'
const ESTATE_URL = 'https://imoveis.example.com'
const inMemory = () => memoryStore([...paymentsCollections, ...fakeBankCollections])

/** Starts a service of an embedder on the SQLite store of a folder. */
const open = async (dataDir: string, given: Partial<NodeSetup> = {}) => {
  const store = await sqliteStore(join(dataDir, 'portico.db'), [...paymentsCollections, ...fakeBankCollections])
  const sender = memorySender()
  const setup = { store, bank: fakeBank, dataDir, publicUrl: PUBLIC_URL, ...given }
  const ports = await nodePorts(setup, { webhooks: sender }).catch(async (error) => {
    await store.close()
    throw error
  })
  const pay = payments(ports)
  return {
    pay,
    sender,
    worker: pay.worker({ parts: [fakeBankPart(pay.bank)] }),
    bank: fakeBankConsole(pay.ports, pay.bank),
    async close() {
      await ports.close()
      await store.close()
    },
  }
}

test('a service on SQLite continues after a restart: its secrets open, and its bank and worker go on', async (t) => {
  const directory = await dataFolder(t)
  const first = await open(directory)
  const { user } = sure(await first.pay.people.register(NEWCOMER, CLIENT)())
  const school = { name: 'Escola', email: null, document: '11222333000181' }
  const { id } = sure(await first.pay.openings.open({ userId: user.id }, school)())
  const actor = { userId: user.id, accountId: id }
  const { charge } = sure(await first.pay.charges.issue(actor, ORDER)())
  await first.close()

  const second = await open(directory)
  t.is(sure(await second.bank.pay({ txid: charge.txid ?? '' })()).notice, 'taken')
  await second.worker.drain()
  t.is(sure(await second.pay.statements.readBalance(actor)()).balanceCents, 15_050)
  // The webhook is signed with a secret that the first process encrypted.
  t.true(second.sender.requests.some(({ url, body }) => url === ORDER.webhook && body.includes('charge.paid')))
  await second.close()
  for (const name of ['data-key', 'jwt-secret', 'portico.db'])
    t.is((await stat(join(directory, name))).mode & 0o777, 0o600, name)
  for (const name of ['.', 'outbox']) t.is((await stat(join(directory, name))).mode & 0o777, 0o700, name)
})

test('rejects a wrong or lost key, and generates none', async (t) => {
  const directory = await dataFolder(t)
  await (await open(directory)).close()
  const path = join(directory, 'data-key')
  const isRefused = (fault: string, given?: Partial<NodeSetup>) => {
    const message = `dataKey: ${fault}: set the right key, or put it in ${path}`
    return t.throwsAsync(open(directory, given), { instanceOf: SecretFault, message })
  }
  const wrong = 'the key received is not the one that encrypted the values of the store'
  await isRefused(wrong, { dataKey: Buffer.alloc(32, 9) })
  await rm(path)
  await isRefused('the store has encrypted values, and their key is missing')
  await t.throwsAsync(stat(path), { code: 'ENOENT' })
})

test('rejects a broken link in place of a secret, and generates none', async (t) => {
  for (const name of ['data-key', 'jwt-secret']) {
    const directory = await folder(t)
    await symlink(join(directory, 'elsewhere'), join(directory, name))
    const { message } = await t.throwsAsync<SecretFault>(open(directory), { instanceOf: SecretFault })
    t.true(message.startsWith(`dataDir: ${join(directory, name)} is a broken link: `), message)
    await t.throwsAsync(stat(join(directory, 'elsewhere')), { code: 'ENOENT' })
  }
})

test('uses given secrets, and stores none', async (t) => {
  const directory = await dataFolder(t)
  const secrets = { dataKey: Buffer.alloc(32, 1), jwtSecret: Buffer.alloc(32, 2) }
  await (await open(directory, secrets)).close()
  t.false((await readdir(directory)).some((name) => ['data-key', 'jwt-secret'].includes(name)))
  await (await open(directory, secrets)).close()
})

test('names all wrong settings at once without secrets, and creates nothing', async (t) => {
  const directory = await dataFolder(t)
  const store = inMemory()
  // Possible in programs without types.
  const wrong: object = {
    dataKey: Buffer.alloc(16),
    jwtSecret: 'a text of enough bytes to sign with, hunter2',
    publicUrl: 'https://ana:hunter2@pay.example.com',
    smtpUrl: 'javascript:hunter2',
    mailFrom: 'ana',
    webhooksAllowPrivate: 'no',
    resetHosts: ['app.example.com', 'https://ana:hunter2@app.example.com'],
    isProduction: 1,
    alertsAt: '7:00',
    messagesPerDay: '200',
    retentionDays: { events: 29, apiKeys: 365, exports: null, mails: 7 },
  }
  const setup = { store, bank: fakeBank, dataDir: directory, publicUrl: PUBLIC_URL, ...wrong }
  const fault = await t.throwsAsync<SetupFault>(nodePorts(setup), { instanceOf: SetupFault })
  t.deepEqual(fault.faults, [
    'dataKey: got 16 bytes, accepts 32 bytes as a Uint8Array',
    'jwtSecret: got a secret, accepts at least 32 bytes as a Uint8Array',
    'publicUrl: got "https://…@pay.example.com", accepts an absolute address that begins with http:// or https://, without user, query or fragment',
    'smtpUrl: got a secret, accepts an absolute address that begins with smtp:// or smtps://',
    'mailFrom: got "ana", accepts a sender such as Portico <no-reply@example.com>',
    'webhooksAllowPrivate: got "no", accepts true or false',
    'resetHosts: got ["app.example.com", "https://…@app.example.com"], accepts a list: each a host name such as app.example.com',
    'isProduction: got 1, accepts true or false',
    'alertsAt: got "7:00", accepts a time of day such as 07:00',
    'messagesPerDay: got "200", accepts an integer from 1 to 1000000',
    'retentionDays.events: got 29, accepts days, 30 to 3660 or null',
    'retentionDays.exports: got null, accepts days, 1 to 90',
    'retentionDays.mails: no such kind, accepts sessions, exports, events, notifications, apiKeys, rejectedRegistrations, accessRecords',
  ])
  t.is(fault.message, fault.faults.join('\n'))
  await t.throwsAsync(stat(directory), { code: 'ENOENT' })
})

test('treats blank settings as missing', async (t) => {
  const directory = await dataFolder(t)
  const store = inMemory()
  const setup = { store, bank: fakeBank, dataDir: directory, publicUrl: 'https://pay.example.com/', smtpUrl: '' }
  const ports = await nodePorts(setup)
  t.like(ports.settings, { publicUrl: PUBLIC_URL, resetHosts: ['pay.example.com', 'localhost'] })
  await ports.close()
  await t.throwsAsync(nodePorts({ ...setup, publicUrl: ' ' }), { message: /^publicUrl: got nothing, accepts / })
})

test('uses the files of the store, if any', async (t) => {
  const directory = await dataFolder(t)
  const files = memoryFiles()
  const store = { ...inMemory(), files }
  const ports = await nodePorts({ store, bank: fakeBank, dataDir: directory, publicUrl: PUBLIC_URL })
  t.is(ports.files, files)
  await ports.close()
})

test('fails if the store was opened without the collections of the bank', async (t) => {
  const store = memoryStore(paymentsCollections)
  const { bank } = memoryPorts({ store })
  await t.throwsAsync(bank.openAccount({ reference: 'r', name: 'Ana', document: '12345678909' }), {
    message: 'no collection fake-bank.accounts: the store was opened without it',
  })
})

const COMPANY = '7d1c2b3a-4e5f-4a6b-8c9d-0e1f2a3b4c5d'
const ANA = {
  firebaseUid: 'uid-ana',
  email: 'ana@example.com',
  name: 'Ana Souza',
  role: 'Admin',
  companyId: COMPANY,
} as const

const estateSetup = (dataDir: string) => {
  const store = memoryStore(realEstateCollections)
  return { store, identity: memoryIdentity(), dataDir, publicUrl: ESTATE_URL }
}

/** Starts a service of both businesses on the SQLite store of a folder. */
const openBoth = async (dataDir: string, identity: Identity) => {
  const collections = [...paymentsCollections, ...fakeBankCollections, ...realEstateCollections]
  const store = await sqliteStore(join(dataDir, 'portico.db'), collections)
  const ports = await nodePorts({ store, bank: fakeBank, dataDir, publicUrl: PUBLIC_URL })
  const estatePorts = await nodeEstatePorts({ store, identity, dataDir, publicUrl: ESTATE_URL })
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
  const server = await keyServer(t, answerKeys(key))
  const provider = { issuer: 'https://id.example.com', audience: 'aurora', url: server.url }
  const now = Math.floor(Date.now() / 1_000)
  const said = { sub: ANA.firebaseUid, email: ANA.email, email_verified: true, iss: provider.issuer }
  const token = (aud: string) => key.sign({ ...said, aud, iat: now, exp: now + 3_600 })
  const directory = await dataFolder(t)

  const first = await openBoth(directory, jwksIdentity(provider))
  const claims = sure(await first.agency.access.authenticate(await token('aurora'))())
  sure(await first.agency.access.register(claims, ANA)())
  t.is(sure(await first.pay.people.register(NEWCOMER, CLIENT)()).user.id, 1)
  const stranger = await first.agency.access.authenticate(await token('another'))()
  t.like(stranger, { left: { code: 'token.invalid' } })
  await first.close()

  const second = await openBoth(directory, jwksIdentity(provider))
  const again = sure(await second.agency.access.authenticate(await token('aurora'))())
  t.like(sure(await second.agency.access.resolveActor(again)()), { role: 'Admin', companyId: COMPANY })
  await second.close()
})

test('stores the key of an agency, and rejects another one', async (t) => {
  const directory = await dataFolder(t)
  const setup = estateSetup(directory)
  await (await nodeEstatePorts(setup)).close()
  t.is((await stat(join(directory, 'data-key'))).mode & 0o777, 0o600)
  await t.throwsAsync(stat(join(directory, 'jwt-secret')), { code: 'ENOENT' })
  const { message } = await t.throwsAsync<SecretFault>(nodeEstatePorts({ ...setup, dataKey: Buffer.alloc(32, 9) }), {
    instanceOf: SecretFault,
  })
  t.true(message.startsWith('dataKey: the key received is not the one'), message)
})

test('names all wrong settings at once, and creates nothing', async (t) => {
  const directory = await dataFolder(t)
  const setup = estateSetup(directory)
  // Possible in programs without types.
  const wrong: object = { publicUrl: 'imoveis', alertsAt: '7:00', rentRunDay: 29, openRegistration: 'yes' }
  const { faults } = await t.throwsAsync<SetupFault>(nodeEstatePorts({ ...setup, ...wrong }), {
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
  const setup = estateSetup(directory)
  const open = () => nodeEstatePorts({ ...setup, indexTable: path })
  await writeFile(path, '[{"series": "IPCA"}]')
  await t.throwsAsync(open(), { instanceOf: SetupFault, message: /^indexTable: got ".*indexes\.json", accepts a JSON/ })
  const made = { series: 'IPCA', month: '2030-10', percent: 0.36, source: 'made up', date: '2030-11-08' }
  await writeFile(path, JSON.stringify([made]))
  const ports = await open()
  const figures = await ports.indexes.figures('IPCA', ['2030-10', '2030-11'])
  t.deepEqual([...figures.keys()], ['2030-10'])
  await ports.close()
})
