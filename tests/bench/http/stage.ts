import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../../adapters/sqlite/connection.ts'
import { merchant as newMerchant } from '../../apps/payments/given/merchants.ts'
import { clientAt } from '../../apps/rows/wire.ts'
import { anyDocument } from '../../core/payments/world.ts'
import { burst, type Requests, requestOf } from './load.ts'
import { databaseIn, rested, type Server, startApp, startBare, startByHand } from './servers.ts'

export interface Side {
  readonly server: Server
  readonly issue: Requests
  readonly show: Requests
  readonly list: Requests
}

export interface Stage {
  readonly ours: Side
  readonly floor: Side
  /** Our rows for charges, written by hand. */
  readonly byHand: Side
  readonly token: string
}

/** The number of charges on each side; `PAGES` of their pages are requested. */
export const CHARGES = 1_000
const PAGE = 15
const PAGES = 50

export const inDirectory = async <A>(act: (directory: string) => Promise<A>): Promise<A> => {
  const directory = await mkdtemp(join(tmpdir(), 'portico-bench-'))
  try {
    return await act(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/**
 * Runs a function with all servers, each with a thousand charges of the same size; `env` is added to that of the app.
 */
export const onStage = <A>(act: (stage: Stage) => Promise<A>, env: Readonly<Record<string, string>> = {}): Promise<A> =>
  inDirectory(async (directory) => {
    const app = await startApp(directory, 'payments', env)
    const token = await merchant(app.url)
    await issueMany(app.url, token, CHARGES)
    await rested(app)
    const bare = await startBare(directory, await fieldsBesideTheSent(directory))
    const hand = await startByHand(directory)
    const floor = bareSide(bare)
    await burst(bare.url, CHARGES, floor.issue)
    try {
      return await act({ ours: ourSide(app, token), floor, byHand: ourSide(hand, token), token })
    } finally {
      for (const each of [app, bare, hand]) await each.stop()
    }
  })

const show =
  (path: string, token: string | null): Requests =>
  (number) =>
    requestOf('GET', `${path}/${1 + (number % CHARGES)}`, token)

export const ourSide = (server: Server, token: string): Side => {
  const pages = Array.from({ length: PAGES }, (_, at) =>
    requestOf('GET', `/invoices?per_page=${PAGE}&page=${1 + at}`, token),
  )
  const list: Requests = (number) => pages[number % PAGES] ?? Buffer.alloc(0)
  return { server, issue: issuing(token), show: show('/invoices', token), list }
}

const bareSide = (server: Server): Side => {
  const issue = requestOf('POST', '/documents', null, chargeBody(1))
  const list = requestOf('GET', '/documents', null)
  return { server, issue: () => issue, show: show('/documents', null), list: () => list }
}

/** Returns fields of a stored charge that make the sent document as long as the charge. */
const fieldsBesideTheSent = async (directory: string): Promise<object> => {
  const database = await openDatabase(databaseIn(directory))
  const doc = String(database.prepare('SELECT doc FROM "payments.charges" WHERE id = 1').get()?.doc)
  database.close()
  const sent = chargeBody(1)
  const fields = Object.entries(JSON.parse(doc)).filter(([field]) => !(field in sent) && field !== 'id')
  const added: Record<string, unknown> = {}
  for (const [field, value] of fields)
    if (JSON.stringify({ id: 1, ...sent, ...added }).length < doc.length) added[field] = value
  return added
}

/** Registers a person with an organization; returns the token. */
export const merchant = async (url: string): Promise<string> => (await newMerchant(clientAt(url))).token

/** Payers: many, so that the charges of a page have different clients. */
const payers = Array.from({ length: 100 }, (_, index) => ({
  name: `Maria da Silva ${index}`,
  email: `maria${index}@example.com`,
  document: anyDocument(),
}))

export const chargeBody = (number: number) => ({
  value: 150.5,
  payment_method: 'PIX',
  due_date: '2040-11-30',
  description: 'Mensalidade de novembro',
  ...(payers[number % payers.length] ?? {}),
})

/** Returns the requests that issue charges to the payers in turn; `more` returns further fields for a payer. */
export const issuing = (token: string, more: (payer: number) => object = () => ({})) => {
  const bodies = payers.map((_, payer) => ({ ...chargeBody(payer), ...more(payer) }))
  const requests = bodies.map((body) => requestOf('POST', '/invoices', token, body))
  return (number: number): Buffer => requests[number % requests.length] ?? Buffer.alloc(0)
}

export const issueMany = (url: string, token: string, count: number): Promise<void> => burst(url, count, issuing(token))
