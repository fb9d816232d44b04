import { at } from '../../kernel/records/record.ts'
import { type Fresh, randomCode } from '../../kernel/running/use-case.ts'
import type { SmtpServer } from '../../ports/messaging.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { type Account, accounts } from './account.ts'

const API_KEY_LENGTH = 40
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** 33 bytes, which base64 writes without padding; receivers take 24 to 64. */
const WEBHOOK_SECRET_LENGTH = 44

/** The context that binds a sealed secret to its account and field: copied elsewhere it does not open. */
const contextOf = (accountId: number, field: 'apiKey' | 'webhookSecret' | 'smtpPassword'): string =>
  [...at(accounts, accountId), field].join('/')

/** Draws the secrets of a new account: the API key in the clear, and both secrets sealed. */
export const newSecrets = (cipher: Cipher, fresh: Fresh, accountId: number) => {
  const apiKey = randomCode(fresh, API_KEY_LENGTH)
  const webhookSecret = `whsec_${fresh.text(BASE64, WEBHOOK_SECRET_LENGTH)}`
  return {
    apiKey,
    sealed: {
      apiKeySealed: cipher.seal(apiKey, contextOf(accountId, 'apiKey')),
      webhookSecretSealed: cipher.seal(webhookSecret, contextOf(accountId, 'webhookSecret')),
    },
  }
}

export const apiKeyOf = (cipher: Cipher, { id, apiKeySealed }: Account): string =>
  cipher.open(apiKeySealed, contextOf(id, 'apiKey'))

/** Returns the webhook secret as `whsec_` and base64, by the Standard Webhooks specification. */
export const webhookSecretOf = (cipher: Cipher, { id, webhookSecretSealed }: Account): string =>
  cipher.open(webhookSecretSealed, contextOf(id, 'webhookSecret'))

export const sealedSmtpPassword = (cipher: Cipher, accountId: number, password: string): string =>
  cipher.seal(password, contextOf(accountId, 'smtpPassword'))

/** Returns the account's mail server with its password in the clear; null if none. */
export const smtpServer = (cipher: Cipher, { id, smtp }: Account): SmtpServer | null => {
  if (!smtp) return null
  const { passwordSealed, ...server } = smtp
  return { ...server, password: cipher.open(passwordSealed, contextOf(id, 'smtpPassword')) }
}
