import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { apiClient } from '../../../apps/demo/demo.ts'
import { isLeft } from '../../../core/failure.ts'
import { type RealEstate, realEstateCollections } from '../../../core/real-estate/real-estate.ts'
import { PASSWORD } from '../../apps/payments/test-api.ts'
import { openAgency } from '../../core/real-estate/world.ts'
import { closedLoad, requestOf } from '../http/load.ts'
import { databaseIn, rested, type Server, startApp } from '../http/servers.ts'
import { inDirectory } from '../http/stage.ts'
import { rates, tookMs } from '../rates.ts'
import type { Figure } from '../table.ts'
import { ADMIN, agencyOf, FEW, MANY } from './history.ts'
import { type AgencyQuestion, agencyQuestions } from './questions.ts'

const opened = async (count: number) => {
  const store = await sqliteStore(await agencyOf(count), realEstateCollections)
  return { agency: openAgency({ store }).agency, close: () => store.close() }
}

const asking =
  (agency: RealEstate, { name, asks }: AgencyQuestion) =>
  async (): Promise<void> => {
    const answer = await asks(agency)
    if (isLeft(answer)) throw new Error(`${name}: ${JSON.stringify(answer.left)}`)
  }

/** Measures lists, searches and sums of an agency with 100,000 records of each kind against one with 1,000. */
export const agencyFigures = async (): Promise<readonly Figure[]> => {
  const [few, many] = [await opened(FEW), await opened(MANY)]
  const figures: Figure[] = []
  for (const question of agencyQuestions) {
    const floor = await tookMs(asking(few.agency, question))
    const ours = await tookMs(asking(many.agency, question))
    const of = `the same of ${FEW.toLocaleString('en')}`
    figures.push({ name: question.name, unit: 'ms', ours, floor, of, aim: question.aim })
  }
  await few.close()
  await many.close()
  return [...(await agencyPageFigures()), ...figures]
}

const TURNS = { rounds: 5, roundMs: 1_000 }
const ACCOUNTS = '/identitytoolkit.googleapis.com/v1/accounts'
const PAGE = 15

export const PAGES = [
  { name: 'GET of a page of 15 properties with its total', path: `/api/properties?pageSize=${PAGE}`, atMost: 1.3 },
  { name: 'GET of the dashboard', path: '/api/dashboard', atMost: 1.5 },
] as const

interface Agency {
  readonly server: Server
  readonly token: string
}

/** Registers the Admin of an agency whose history is in the store; returns the token. */
export const signInAdmin = async (url: string): Promise<string> => {
  const ask = apiClient(url)
  const { verifiedEmail: email, companyId } = ADMIN
  const account = { email, password: PASSWORD }
  const session = await ask<{ localId: string; idToken: string }>(`${ACCOUNTS}:signUp?key=any`, { body: account })
  // The company of the stored records is not registered yet.
  const body = { firebaseUid: session.localId, email, name: 'Ana Souza', role: 'Admin', companyId }
  await ask('/api/auth/register', { body, token: session.idToken })
  return session.idToken
}

/** Starts the app on a copy of the history of an agency and logs its Admin in. */
export const startAgency = async (
  directory: string,
  count: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Agency> => {
  const file = await agencyOf(count)
  // The last commits may still be in the log.
  for (const part of ['', '-wal']) if (existsSync(file + part)) await cp(file + part, databaseIn(directory) + part)
  const server = await startApp(directory, 'estate', env)
  const token = await signInAdmin(server.url)
  await rested(server)
  const { total } = await apiClient(server.url)<{ total: number }>('/api/properties', { token })
  if (total !== count) throw new Error(`${total} properties and not ${count}`)
  return { server, token }
}

const pageLoad = ({ server, token }: Agency, path: string) => {
  const request = requestOf('GET', path, token)
  return closedLoad(server.url, () => request)
}

/** Measures the list of properties and the dashboard over HTTP: a large agency against a small one. */
const agencyPageFigures = (): Promise<readonly Figure[]> =>
  inDirectory((directory) =>
    inDirectory(async (other) => {
      const [few, many] = [await startAgency(directory, FEW), await startAgency(other, MANY)]
      const figures: Figure[] = []
      for (const { name, path, atMost } of PAGES) {
        const grown = await rates(pageLoad(few, path), pageLoad(many, path), TURNS)
        const [ours, floor] = [1_000 / grown.floor, 1_000 / grown.ours]
        figures.push({ name, unit: 'ms', ours, floor, of: 'the same of 1,000', aim: { atMost } })
      }
      for (const { stop } of [few.server, many.server]) await stop()
      return figures
    }),
  )
