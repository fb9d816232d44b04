import { randomBytes } from 'node:crypto'
import {
  checkDataKey,
  KEY_BYTES,
  openSecrets,
  type Sealing,
  SecretFault,
  type SecretOption,
  type SecretSource,
  type Secrets,
  type SourceOfStore,
} from '../../adapters/node/secrets.ts'
import type { Store } from '../../core/ports/store.ts'
import { CannotStart, type PorticoSettings, storeKind } from './environment.ts'
import { sqlitePath } from './open-store.ts'

const VARIABLES = { dataKey: 'DATA_KEY', dataDir: 'DATA_DIR' } as const satisfies Record<
  SecretOption,
  keyof PorticoSettings
>

const sourceOf = ({ DATA_DIR, DATA_KEY, JWT_SECRET, STORE_URL }: PorticoSettings): SourceOfStore => ({
  dataDir: DATA_DIR,
  dataKey: DATA_KEY,
  jwtSecret: JWT_SECRET === null ? null : Buffer.from(JWT_SECRET),
  storePath: sqlitePath(STORE_URL),
})

/** Returns the secrets of a process. Throws `CannotStart` if they do not open the encrypted values of the store. */
export const secretsOf = (store: Store, apps: readonly Sealing[], settings: PorticoSettings): Promise<Secrets> => {
  const source = sourceOf(settings)
  return storeKind(settings.STORE_URL) === 'memory'
    ? Promise.resolve(temporarySecrets(source))
    : namingVariables(openSecrets(store, apps, source))
}

/** Throws `CannotStart` if the configuration lacks the key that the store was written with. */
export const checkSecrets = async (
  store: Store,
  apps: readonly Sealing[],
  settings: PorticoSettings,
): Promise<void> => {
  await namingVariables(checkDataKey(store, apps, sourceOf(settings)))
}

/** Returns the secrets of a store in memory: missing ones are generated and not stored. */
const temporarySecrets = ({ jwtSecret, dataKey }: SecretSource): Secrets => ({
  jwtSecret: jwtSecret ?? randomBytes(KEY_BYTES),
  dataKey: dataKey ?? randomBytes(KEY_BYTES),
})

const namingVariables = async <A>(work: Promise<A>): Promise<A> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof SecretFault) throw new CannotStart(`${VARIABLES[error.option]}: ${error.why}`)
    throw error
  }
}
