import { existsSync } from 'node:fs'
import { digest } from '../../adapters/crypto/digest.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import { CannotStart, readEnvironment } from '../host/environment.ts'
import { openStore, sqlitePath } from '../host/open-store.ts'
import { collectionsOf } from '../host/run.ts'
import { payments } from '../payments/startable.ts'
import { realEstate } from '../real-estate/startable.ts'
import { findings, linesOf } from './findings.ts'

/** Verifies the store of the environment, also while it serves; whether it is sound. Throws `CannotStart`. */
const audit = async (): Promise<boolean> => {
  const { STORE_URL } = readEnvironment(process.env)
  const path = sqlitePath(STORE_URL)
  // An empty store is sound: one that only a wrong path made would be, too.
  if (path !== null && !existsSync(path)) throw new CannotStart(`STORE_URL: there is no ${path}`)
  const collections = collectionsOf([payments, realEstate])
  const store = await openStore(STORE_URL, collections)
  let isSound = true
  try {
    for await (const finding of findings({ store, digest }, collections)) {
      for (const line of linesOf(finding)) process.stdout.write(`${line}\n`)
      isSound &&= finding.faults.length === 0
    }
  } finally {
    await store.close()
  }
  return isSound
}

try {
  process.exitCode = (await audit()) ? 0 : 1
} catch (error) {
  if (!(error instanceof CannotStart || error instanceof StoreUnavailable)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
