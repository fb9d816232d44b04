import type { ExecutionContext } from 'ava'
import { memoryMessenger, memoryTenantMailer } from '../../../adapters/messaging/memory.ts'
import { openStore } from '../../../apps/host/open-store.ts'
import { skipSeedsOfStores } from '../../seed.ts'
import { openTestApi, type TestApi, worked } from '../payments/test-api.ts'
import { type EstateTestApi, openEstateApi } from '../real-estate/test-api.ts'
import type { Fixture, KeptStore, Keyed, Knowledge, Known } from './fixtures.ts'

/** The platform of today on a store of then, at the moment at which that was left. */
export interface Survivor {
  readonly api: TestApi
  readonly fixture: Fixture
  readonly known: Knowledge
  readonly tenantMailer: ReturnType<typeof memoryTenantMailer>
  readonly messenger: ReturnType<typeof memoryMessenger>
  /** Signs somebody in by the password that they had. */
  signIn(who: Known): Promise<string>
  /** Sends a request again, under its key. */
  repeat(token: string, keyed: Keyed): ReturnType<TestApi['ask']>
  readonly place: Place
  /** The agency's app of today on the same store. */
  openAgency(): Promise<EstateTestApi>
}

/** Where a copy of a store lies: `DATA_DIR`, `STORE_URL`. */
export type Place = Readonly<Record<'DATA_DIR' | 'STORE_URL', string>>

/** Blank variables are not set: the secrets of a `DATA_DIR` are in it. */
const NO_SECRETS = { JWT_SECRET: '', DATA_KEY: '' }

export const surviving = async (
  t: ExecutionContext,
  fixture: Fixture,
  { env, known }: KeptStore,
  place: Place,
  open = openStore,
): Promise<Survivor> => {
  const [tenantMailer, messenger] = [memoryTenantMailer(), memoryMessenger()]
  const how = { env: { ...NO_SECRETS, ...env, ...place }, now: fixture.now, open }
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
