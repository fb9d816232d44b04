import { randomUUID } from 'node:crypto'

/** What a start on a store that is shared asks for besides. */
export const STORE_SECRETS = {
  JWT_SECRET: 'a secret of the tests, long enough to sign with',
  DATA_KEY: Buffer.alloc(32, 2).toString('base64'),
}

/** A database of its own on a server. */
export const databaseUrl = (server: string): string => {
  const url = new URL(server)
  url.pathname = `/t${randomUUID().replaceAll('-', '')}`
  return url.href
}
