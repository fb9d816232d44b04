import type { ExecutionContext } from 'ava'
import { memoryMessenger, memoryTenantMailer } from '../../../adapters/memory/memory-services.ts'
import { skipSeedsOfStores } from '../../seed.ts'
import { openTestApi, type TestApi, worked } from '../payments/test-api.ts'
import { openEstateApi } from '../real-estate/test-api.ts'
import type { Fixture, KeptStore, Keyed, Known } from './fixtures.ts'

/** The location of a copy of a store. */
type Place = Readonly<Record<'DATA_DIR' | 'STORE_URL', string>>

/** Blank variables are not set: the secrets of a `DATA_DIR` are in it. */
const NO_SECRETS = { JWT_SECRET: '', DATA_KEY: '' }

/** The current platform on a store of an earlier release, at the time that store was left. */
export const surviving = async (t: ExecutionContext, fixture: Fixture, { env, known }: KeptStore, place: Place) => {
  const [tenantMailer, messenger] = [memoryTenantMailer(), memoryMessenger()]
  const how = { env: { ...NO_SECRETS, ...env, ...place }, now: fixture.now }
  skipSeedsOfStores()
  const api = await openTestApi(t, { ...how, instead: () => ({ tenantMailer, messenger }) })
  return {
    ...{ api, fixture, known, tenantMailer, messenger, place },
    signIn: async ({ email, password }: Known): Promise<string> =>
      worked(await api.ask('POST', '/v1/auth/login', { body: { email, password } })).data.access_token,
    openAgency: () => openEstateApi(t, { ...how, usualIdentity: true }),
    /** Repeats a request under its key. */
    repeat: (token: string, { path, key, body }: Keyed) =>
      api.ask('POST', path, { token, body, headers: { 'idempotency-key': key } }),
  }
}

export type Survivor = Awaited<ReturnType<typeof surviving>>

/** A logged-in user; each request fails unless it succeeds. */
export const memberOf = (api: Pick<TestApi, 'ask'>, token: string) => {
  const sending = (method: string) => async (path: string, body?: object) =>
    worked(await api.ask(method, path, { token, body }))
  return {
    token,
    ...{ post: sending('POST'), patch: sending('PATCH'), put: sending('PUT'), remove: sending('DELETE') },
    async show(path: string) {
      const answer = await api.ask('GET', path, { token })
      worked(answer)
      return answer
    },
  }
}

export type Member = ReturnType<typeof memberOf>
