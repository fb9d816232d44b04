import { randomUUID } from 'node:crypto'
import { join } from 'node:path'

/**
 * The store that an HTTP test runs on: a fresh SQLite file below the test's folder, or a fresh database of the replica
 * set that `TEST_MONGODB_URL` names (`npm run test:mongodb` starts one and runs every HTTP test again).
 */
export const storeUrl = (directory: string): string => {
  const server = process.env.TEST_MONGODB_URL
  if (!server) return `sqlite:${join(directory, 'portico.db')}`
  const url = new URL(server)
  url.pathname = `/t${randomUUID().replaceAll('-', '')}`
  return url.href
}

/** What a start on that store asks for besides. */
export const STORE_SECRETS = {
  JWT_SECRET: 'a secret of the tests, long enough to sign with',
  DATA_KEY: Buffer.alloc(32, 2).toString('base64'),
}
