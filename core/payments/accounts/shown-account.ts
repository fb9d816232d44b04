import type { Account, Fees } from './account.ts'
import type { Smtp } from './settings/account-settings.ts'

type Secret = 'apiKeySealed' | 'webhookSecretSealed' | 'pinHash' | 'pinTries' | 'pinLockedUntil' | 'pinOpenTries'

/** An account without its secrets: whether it has a PIN, not which; its mail server without the password. */
export interface ShownAccount extends Omit<Account, Secret | 'smtp' | 'taxes'> {
  readonly smtp: Omit<Smtp, 'passwordSealed'> | null
  readonly fees: Fees
  readonly hasPin: boolean
}

export const shownAccount = (account: Account): ShownAccount => {
  const {
    apiKeySealed,
    webhookSecretSealed,
    pinHash,
    pinTries,
    pinLockedUntil,
    pinOpenTries,
    smtp,
    taxes: fees,
    ...shown
  } = account
  return { ...shown, smtp: smtp && shownSmtp(smtp), fees, hasPin: pinHash !== null }
}

const shownSmtp = ({ passwordSealed: _, ...shown }: Smtp): ShownAccount['smtp'] => shown
