import type { ExecutionContext } from 'ava'
import { memoryMessenger, memoryTenantMailer } from '../../../adapters/memory/memory-services.ts'
import { skipSeedsOfStores } from '../../seed.ts'
import { openTestApi, type TestApi, worked } from '../payments/test-api.ts'
import { type EstateTestApi, openEstateApi } from '../real-estate/test-api.ts'
import type { Fixture, KeptStore, Keyed, Knowledge, Known } from './fixtures.ts'

/** The current platform on a store of an earlier release, at the time that store was left. */
export interface Survivor {
  readonly api: TestApi
  readonly fixture: Fixture
  readonly known: Knowledge
  readonly tenantMailer: ReturnType<typeof memoryTenantMailer>
  readonly messenger: ReturnType<typeof memoryMessenger>
  /** Logs a user in with their stored password. */
  signIn(who: Known): Promise<string>
  /** Repeats a request under its key. */
  repeat(token: string, keyed: Keyed): ReturnType<TestApi['ask']>
  readonly place: Place
  /** Opens the current real-estate app on the same store. */
  openAgency(): Promise<EstateTestApi>
}

/** The location of a copy of a store. */
type Place = Readonly<Record<'DATA_DIR' | 'STORE_URL', string>>

/** Blank variables are not set: the secrets of a `DATA_DIR` are in it. */
const NO_SECRETS = { JWT_SECRET: '', DATA_KEY: '' }

export const surviving = async (
  t: ExecutionContext,
  fixture: Fixture,
  { env, known }: KeptStore,
  place: Place,
): Promise<Survivor> => {
  const [tenantMailer, messenger] = [memoryTenantMailer(), memoryMessenger()]
  const how = { env: { ...NO_SECRETS, ...env, ...place }, now: fixture.now }
  skipSeedsOfStores()
  const api = await openTestApi(t, { ...how, instead: () => ({ tenantMailer, messenger }) })
  return {
    api,
    fixture,
    known,
    tenantMailer,
    messenger,
    signIn: async ({ email, password }) =>
      worked(await api.ask('POST', '/v1/auth/login', { body: { email, password } })).data.access_token,
    place,
    openAgency: () => openEstateApi(t, { ...how, usualIdentity: true }),
    repeat: (token, { path, key, body }) => api.ask('POST', path, { token, body, headers: { 'idempotency-key': key } }),
  }
}
