import { digest } from '../../adapters/crypto/cipher.ts'
import { readEnvironment } from '../host/environment.ts'
import { collectionsOf } from '../host/host.ts'
import { openExistingStore, openFiles, requireStore } from '../host/open-store.ts'
import { runProgram } from '../host/run.ts'
import { checkSecrets } from '../host/secrets.ts'
import { payments } from '../payments/app.ts'
import { realEstate } from '../real-estate/app.ts'
import { findings, printFindings } from './findings.ts'

const apps = [payments, realEstate]

const report = (line: string): void => {
  process.stderr.write(`STORE_URL: ${line}\n`)
}

/**
 * Verifies the store of the environment, also while it serves; reports whether it has no fault. Throws `CannotStart`.
 */
const audit = async (): Promise<boolean> => {
  const settings = readEnvironment(process.env)
  await requireStore(settings)
  const collections = collectionsOf(apps)
  const store = await openExistingStore(settings.STORE_URL, collections, { report })
  try {
    await checkSecrets(store, apps, settings)
    return await printFindings(findings({ store, digest, files: openFiles(store, settings) }, collections))
  } finally {
    await store.close()
  }
}

await runProgram(async () => {
  process.exitCode = (await audit()) ? 0 : 1
})
