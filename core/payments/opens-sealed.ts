import { always } from '../kernel/records/where.ts'
import type { Cipher } from '../ports/runtime.ts'
import { listOf, type Store } from '../ports/store.ts'
import { accounts } from './accounts/account.ts'
import { webhookSecretOf } from './accounts/account-secrets.ts'
import { mails, templateOf } from './office.ts'

/** Whether a cipher opens what was sealed last of what payments keep; null where nothing is. */
export const opensSealed = async (store: Store, cipher: Cipher): Promise<boolean | null> => {
  const newest = { where: always, sort: { by: 'id', dir: 'desc' }, limit: 1 } as const
  const [account] = (await store.list(listOf(accounts, newest))).records
  if (account) return opens(() => webhookSecretOf(cipher, account))
  // Who has no account yet has been written to.
  const [mail] = (await store.list(listOf(mails, newest))).records
  return mail ? opens(() => templateOf(cipher, mail)) : null
}

const opens = (open: () => unknown): boolean => {
  try {
    open()
    return true
  } catch {
    return false
  }
}
