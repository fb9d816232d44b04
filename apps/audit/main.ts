import { existsSync } from 'node:fs'
import { digest } from '../../adapters/crypto/cipher.ts'
import { CannotStart, readEnvironment } from '../host/environment.ts'
import { collectionsOf } from '../host/host.ts'
import { openFiles, openStore, refuseEmptied, refuseMissing, sqlitePath } from '../host/open-store.ts'
import { runProgram } from '../host/run.ts'
import { checkSecrets } from '../host/secrets.ts'
import { payments } from '../payments/app.ts'
import { realEstate } from '../real-estate/app.ts'
import { findings, linesOf } from './findings.ts'

const apps = [payments, realEstate]

const report = (line: string): void => {
  process.stderr.write(`STORE_URL: ${line}\n`)
}

/** Verifies the store of the environment, also while it serves; whether it is sound. Throws `CannotStart`. */
const audit = async (): Promise<boolean> => {
  const settings = readEnvironment(process.env)
  const { STORE_URL } = settings
  refuseMissing(settings)
  const path = sqlitePath(STORE_URL)
  // An empty store is sound: one that only a wrong path made would be, too.
  if (path !== null && !existsSync(path)) throw new CannotStart(`STORE_URL: there is no ${path}`)
  await refuseEmptied(settings)
  const collections = collectionsOf(apps)
  const store = await openStore(STORE_URL, collections, { report })
  let isSound = true
  try {
    await checkSecrets(store, apps, settings)
    for await (const finding of findings({ store, digest, files: openFiles(store, settings) }, collections)) {
      for (const line of linesOf(finding)) process.stdout.write(`${line}\n`)
      isSound &&= finding.faults.length === 0
    }
  } finally {
    await store.close()
  }
  return isSound
}

await runProgram(async () => {
  process.exitCode = (await audit()) ? 0 : 1
})
