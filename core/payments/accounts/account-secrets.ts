import { at } from '../../kernel/records/record.ts'
import { type Fresh, randomCode } from '../../kernel/running/fresh.ts'
import type { SmtpServer } from '../../ports/messaging.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { type Account, accounts } from './account.ts'

const API_KEY_LENGTH = 40
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** 33 bytes, which base64 writes without padding; receivers take 24 to 64. */
const WEBHOOK_SECRET_LENGTH = 44

/** What an account's secrets are sealed under: a sealed text put elsewhere does not open. */
const contextOf = (accountId: number, field: 'apiKey' | 'webhookSecret' | 'smtpPassword'): string =>
  [...at(accounts, accountId), field].join('/')

/** New secrets of an account, and how it keeps them. */
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

/** `whsec_` and base64, as the Standard Webhooks specification writes it. */
export const webhookSecretOf = (cipher: Cipher, { id, webhookSecretSealed }: Account): string =>
  cipher.open(webhookSecretSealed, contextOf(id, 'webhookSecret'))

export const sealedSmtpPassword = (cipher: Cipher, accountId: number, password: string): string =>
  cipher.seal(password, contextOf(accountId, 'smtpPassword'))

/** The account's own mail server, with its password in the clear; null where it has none. */
export const smtpServer = (cipher: Cipher, { id, smtp }: Account): SmtpServer | null => {
  if (!smtp) return null
  const { passwordSealed, ...server } = smtp
  return { ...server, password: cipher.open(passwordSealed, contextOf(id, 'smtpPassword')) }
}
