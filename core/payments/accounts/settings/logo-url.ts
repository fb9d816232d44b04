import type { PaymentsSettings } from '../../payments-ports.ts'
import type { Account } from '../account.ts'

/** Where anybody finds an account's logo; null where it has none. */
export const logoUrl = (
  { publicUrl }: Pick<PaymentsSettings, 'publicUrl'>,
  { logoFileId }: Pick<Account, 'logoFileId'>,
): string | null => (logoFileId === null ? null : `${publicUrl}/storage/logos/${logoFileId}`)
