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

/** The secrets of a process, once they open what its store keeps. Throws `CannotStart`. */
export const secretsOf = (store: Store, apps: readonly Sealing[], settings: PorticoSettings): Promise<Secrets> => {
  const source = sourceOf(settings)
  return storeKind(settings.STORE_URL) === 'memory'
    ? Promise.resolve(passingSecrets(source))
    : toldByVariable(openSecrets(store, apps, source))
}

/** Throws `CannotStart` where the configuration has not the key that a store was written with. */
export const checkSecrets = async (
  store: Store,
  apps: readonly Sealing[],
  settings: PorticoSettings,
): Promise<void> => {
  await toldByVariable(checkDataKey(store, apps, sourceOf(settings)))
}

/** Of what is kept in memory alone: they need not outlive it. */
const passingSecrets = ({ jwtSecret, dataKey }: SecretSource): Secrets => ({
  jwtSecret: jwtSecret ?? randomBytes(KEY_BYTES),
  dataKey: dataKey ?? randomBytes(KEY_BYTES),
})

const toldByVariable = async <A>(work: Promise<A>): Promise<A> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof SecretFault) throw new CannotStart(`${VARIABLES[error.option]}: ${error.why}`)
    throw error
  }
}
