import type { ExecutionContext } from 'ava'
import { memoryRelay } from '../../../adapters/mail/memory-relay.ts'
import { memoryMessenger } from '../../../adapters/messages/memory-messenger.ts'
import { openStore } from '../../../apps/host/open-store.ts'
import { openShop, type Shop, worked } from '../payments/shop.ts'
import type { Fixture, KeptStore } from './fixtures.ts'
import type { Keyed, Knowledge, Known } from './known.ts'

/** The platform of today on a store of then, at the moment at which that was left. */
export interface Survivor {
  readonly shop: Shop
  readonly fixture: Fixture
  readonly known: Knowledge
  readonly relay: ReturnType<typeof memoryRelay>
  readonly messenger: ReturnType<typeof memoryMessenger>
  /** Signs somebody in by the password that they had. */
  signIn(who: Known): Promise<string>
  /** Sends a request again, under its key. */
  repeat(token: string, keyed: Keyed): ReturnType<Shop['ask']>
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
  const [relay, messenger] = [memoryRelay(), memoryMessenger()]
  const shop = await openShop(t, {
    env: { ...NO_SECRETS, ...env, ...place },
    now: fixture.now,
    instead: () => ({ relay, messenger }),
    open,
  })
  return {
    shop,
    fixture,
    known,
    relay,
    messenger,
    signIn: async ({ email, password }) =>
      worked(await shop.ask('POST', '/v1/auth/login', { body: { email, password } })).data.access_token,
    repeat: (token, { path, key, body }) =>
      shop.ask('POST', path, { token, body, headers: { 'idempotency-key': key } }),
  }
}
