import { randomUUID } from 'node:crypto'

/** The settings that a start on a shared store requires. */
export const STORE_SECRETS = {
  JWT_SECRET: 'a secret of the tests, long enough to sign with',
  DATA_KEY: Buffer.alloc(32, 2).toString('base64'),
}

/** Returns the URL of a new database. */
export const databaseUrl = (server: string): string => {
  const url = new URL(server)
  url.pathname = `/t${randomUUID().replaceAll('-', '')}`
  return url.href
}
